/** `scope: serial(name)` sends the mutations of one scope one after another. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Controller, Endpoint, Entity, isEnding, resource, type ScopeName, serial } from "@rejoin/data";

class Todo extends Entity {
  id = "";
  title = "";
  done = false;
  static key = "Todo";
}
interface Sent {
  readonly what: string;
  answer(value?: unknown): void;
  refuse(): void;
}

/** A resource whose requests wait for the test. */
function board(name: ScopeName = "record") {
  const sent: Sent[] = [];
  const TodoResource = resource({
    urlPrefix: "https://api.test",
    path: "/todos/:id",
    schema: Todo,
    optimistic: true,
    scope: serial(name),
    fetchResponse: (url: string, { method, body }: RequestInit) =>
      new Promise<Response>((resolve, reject) =>
        sent.push({
          what: `${method} ${new URL(url).pathname} ${body ?? ""}`.trimEnd(),
          answer: (value = { id: url.split("/").at(-1), ...JSON.parse(`${body ?? "{}"}`) }) =>
            resolve(Response.json(value)),
          refuse: () => reject(new Error("refused")),
        })
      ),
  });
  const controller = new Controller();
  for (const id of ["1", "2"]) controller.set(Todo, { id }, { title: "a" });
  return { sent, controller, ...TodoResource, whats: () => sent.map(({ what }) => what) };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 2));

Deno.test("mutations of a record wait for each other, whatever they do; those of another record do not", async () => {
  const { sent, controller, partialUpdate, update, whats } = board();
  const calls = [
    controller.fetch(partialUpdate, { id: "1" }, { title: "b" }),
    controller.fetch(update, { id: "1" }, { title: "c" }),
    controller.fetch(partialUpdate, { id: "2" }, { title: "d" }),
  ];
  assertEquals(controller.get(Todo, { id: "1" })?.title, "c", "all are shown at once");
  await settled();
  assertEquals(whats(), ['PATCH /todos/1 {"title":"b"}', 'PATCH /todos/2 {"title":"d"}']);
  sent[0]!.answer();
  await settled();
  assertEquals(whats()[2], 'PUT /todos/1 {"title":"c"}');
  sent[1]!.answer();
  sent[2]!.answer();
  await Promise.all(calls);
  assertEquals(controller.get(Todo, { id: "1" })?.title, "c");
});

Deno.test("one that fails stops none behind it; one that is aborted while it waits is never sent", async () => {
  const { sent, controller, partialUpdate, whats } = board();
  const abort = new AbortController();
  const first = controller.fetch(partialUpdate, { id: "1" }, { title: "b" });
  const second = controller.fetch(partialUpdate.extend({ signal: abort.signal }), { id: "1" }, { title: "c" });
  const third = controller.fetch(partialUpdate, { id: "1" }, { title: "d" });
  abort.abort();
  await assertRejects(() => second);
  await settled();
  assertEquals(sent.length, 1, "the third waits for the first, not for the one that was given up");
  sent[0]!.refuse();
  await assertRejects(() => first);
  await settled();
  assertEquals(whats()[1], 'PATCH /todos/1 {"title":"d"}');
  sent[1]!.answer();
  assertEquals((await third).title, "d");
});

Deno.test("rule 13: a reset ends those that wait, and what comes later waits for nothing before it", async () => {
  const { sent, controller, partialUpdate } = board();
  const calls = [1, 2].map((title) => controller.fetch(partialUpdate, { id: "1" }, { title: `${title}` }));
  await settled();
  controller.resetEntireStore();
  for (const call of calls) assertEquals(isEnding(await call.catch((error) => error)), true);
  const later = controller.fetch(partialUpdate, { id: "1" }, { title: "3" });
  await settled();
  assertEquals(sent.length, 2);
  sent[1]!.answer();
  await later;
});

Deno.test("a function names a scope of any endpoints; undefined waits for nobody; a number is its text", async () => {
  const log: string[] = [];
  const make = (name: string, scope: ScopeName) =>
    new Endpoint(async (id: string | number | undefined) => {
      log.push(`${name} ${id} begins`);
      await settled();
      log.push(`${name} ${id} ends`);
    }, { name, sideEffect: true, scope: serial(scope) });
  const a = make("a", (id: string | number | undefined) => id), b = make("b", (id: string | number | undefined) => id);
  const controller = new Controller();
  await Promise.all([controller.fetch(a, 1), controller.fetch(b, "1")]);
  assertEquals(log.splice(0), ["a 1 begins", "a 1 ends", "b 1 begins", "b 1 ends"]);
  await Promise.all([controller.fetch(a, undefined), controller.fetch(b, undefined)]);
  assertEquals(log.slice(0, 2), ["a undefined begins", "b undefined begins"]);
});

Deno.test("a create waits for nobody; an edit of its row waits for its id, and then in line", async () => {
  const { sent, controller, create, partialUpdate, whats } = board();
  const created = controller.fetch(create, { title: "new" });
  const id = controller.get(Todo, { id: "~" })
    ? ""
    : [...controller.store.tables.get("Todo")!.rows.keys()].find((pk) => pk[0] === "~")!;
  const edits = ["x", "y"].map((title) => controller.fetch(partialUpdate, { id }, { title }));
  await settled();
  assertEquals(whats(), ['POST /todos {"title":"new"}']);
  sent[0]!.answer({ id: "7", title: "new" });
  await created;
  await settled();
  assertEquals(whats().slice(1), ['PATCH /todos/7 {"title":"x"}']);
  sent[1]!.answer();
  await settled();
  sent[2]!.answer();
  await Promise.all(edits);
  assertEquals(controller.get(Todo, { id: "7" })?.title, "y");
});

Deno.test("without a name, or one that is no text, the error says what to write", async () => {
  // @ts-expect-error a name is needed
  assertThrows(() => serial(), Error, 'serial("record")');
  const { controller, partialUpdate } = board((() => ({})) as never);
  await assertRejects(() => controller.fetch(partialUpdate, { id: "1" }, {}), Error, "return a text");
  const ping = new Endpoint(async () => await Promise.resolve(1), {
    name: "ping",
    sideEffect: true,
    scope: serial("record"),
  });
  await assertRejects(() => controller.fetch(ping), Error, '"ping" is about no record');
});
