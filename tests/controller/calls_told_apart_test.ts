import { assert, assertEquals, assertRejects } from "@std/assert";
import { Controller, Entity, resource } from "@rejoin/data";
import { flush } from "../support/clock.ts";

class Todo extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Todo";
}

/** A server that answers a POST when the test says so. */
class SlowServer implements AsyncDisposable {
  readonly titles: string[] = [];
  readonly #gates: (() => void)[] = [];
  readonly #server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const body = request.headers.get("content-type")?.includes("json")
      ? await request.json()
      : Object.fromEntries(await request.formData());
    this.titles.push(body.title);
    await new Promise<void>((resolve) => this.#gates.push(resolve));
    return Response.json({ id: `id of ${body.title}`, ...body });
  });

  get origin(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async has(...titles: string[]): Promise<void> {
    for (let ms = 0; ms < 5_000 && !titles.every((title) => this.titles.includes(title)); ms++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  answer(title: string): void {
    this.titles.forEach((sent, at) => sent === title && this.#gates[at]!());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const open of this.#gates) open();
    await this.#server.shutdown();
  }
}

const resourceOf = (urlPrefix: string) =>
  resource({ urlPrefix, path: "/todos/:id", schema: Todo, optimistic: true, body: {} as { title: string } });

Deno.test("13.B2 abort ends the create with this body, and no other", async () => {
  await using server = new SlowServer();
  const { create, getList } = resourceOf(server.origin);
  using controller = new Controller({ strict: true });
  controller.setResponse(getList, []);
  const a = controller.fetch(create, { title: "A" }).catch((reason: Error) => reason.name);
  const b = controller.fetch(create, { title: "B" });
  await server.has("A", "B");
  controller.abort(create, { title: "A" });
  assertEquals(await a, "AbortError");
  assertEquals(controller.getResponse(getList).data?.map(({ title }) => title), ["B"]);
  server.answer("B");
  assertEquals((await b).id, "id of B");
  controller.abort(create, { title: "nobody has sent it" });
});

Deno.test("13.B2 the verbs of a list and mutations of a record are told apart by their bodies as well", async () => {
  await using server = new SlowServer();
  const { getList, partialUpdate, update } = resourceOf(server.origin);
  using controller = new Controller({ strict: true });
  const a = controller.fetch(getList.push, { title: "push A" }).catch((reason: Error) => reason.name);
  const b = controller.fetch(getList.push, { title: "push B" });
  controller.abort(getList.push, { title: "push A" });
  const c = controller.fetch(partialUpdate, { id: "1" }, { title: "patch C" }).catch((reason: Error) => reason.name);
  const d = controller.fetch(partialUpdate, { id: "1" }, { title: "patch D" });
  const e = controller.fetch(update, { id: "1" }, { title: "patch C" });
  await server.has("push B", "patch C", "patch D");
  controller.abort(partialUpdate, { id: "1" }, { title: "patch C" });
  assertEquals([await a, await c], ["AbortError", "AbortError"]);
  for (const title of ["push B", "patch D", "patch C"]) server.answer(title);
  assertEquals([(await b).title, (await d).title, (await e).title], ["push B", "patch D", "patch C"]);
});

Deno.test("13.B2 forms are told apart by which they are: nobody can see what they hold", async () => {
  await using server = new SlowServer();
  const { create } = resource({ urlPrefix: server.origin, path: "/todos/:id", schema: Todo, body: new FormData() });
  using controller = new Controller({ strict: true });
  const [one, two] = ["one", "two"].map((title) => {
    const form = new FormData();
    form.append("title", title);
    return form;
  }) as [FormData, FormData];
  const first = controller.fetch(create, one);
  const second = controller.fetch(create, two).catch((reason: Error) => reason.name);
  await server.has("one", "two");
  controller.abort(create, two);
  server.answer("one");
  assertEquals([(await first).title, await second], ["one", "AbortError"]);
});

Deno.test("13.B2 resolve answers the call with these arguments; another create goes on and gets its own answer", async () => {
  await using server = new SlowServer();
  const { create } = resourceOf(server.origin);
  using controller = new Controller({ strict: true });
  const a = controller.fetch(create, { title: "A" });
  const b = controller.fetch(create, { title: "B" });
  await server.has("A", "B");
  assert(controller.resolve(create, { args: [{ title: "B" }], response: { id: "by stream", title: "B" } }));
  assertEquals((await b).id, "by stream");
  server.answer("A");
  assertEquals((await a).id, "id of A");
  // Nobody waits for it: it is a response that came by itself.
  assert(!controller.resolve(create, { args: [{ title: "C" }], response: { id: "7", title: "C" } }));
  assertEquals(controller.get(Todo, { id: "7" })?.title, "C");
});

Deno.test("13.B2 resolve with an error rejects the call with these arguments only", async () => {
  await using server = new SlowServer();
  const { create } = resourceOf(server.origin);
  using controller = new Controller({ strict: true });
  const a = controller.fetch(create, { title: "A" });
  const b = controller.fetch(create, { title: "B" });
  await server.has("A", "B");
  assert(controller.resolve(create, { args: [{ title: "B" }], error: new Error("refused") }));
  await assertRejects(() => b, Error, "refused");
  server.answer("A");
  assertEquals((await a).title, "A");
  await flush();
});
