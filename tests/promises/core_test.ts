// deno-lint-ignore-file no-explicit-any -- answers of any form
/** Promises of the rules and of docs/ about the store and requests; the comment above each test quotes its promise. */
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  ExpiryStatus,
  FocusManager,
  LogoutManager,
  Memo,
  normalize,
  ParseError,
  resource,
  RestEndpoint,
} from "@rejoin/data";

class Film extends Entity {
  id = "";
  title = "";
  tags: string[] = [];
  static override key = "Film";
}
const urlPrefix = "https://api.test", path = "/films/:id";

/** Replaces `fetch` while `run` runs. */
async function withFetch(reply: (url: string, init: RequestInit) => any, run: () => Promise<void>): Promise<void> {
  const real = globalThis.fetch;
  globalThis.fetch = (async (url: string, init: RequestInit) => await reply(url, init)) as typeof fetch;
  try {
    await run();
  } finally {
    globalThis.fetch = real;
  }
}

// Rule 33: "Reads … are tried at most twice more after a network failure".
Deno.test("a read is tried twice more when no response comes", async () => {
  let count = 0;
  const get = new RestEndpoint({ urlPrefix, path: "/a" });
  await withFetch(() => {
    if (++count < 3) throw new TypeError("connection refused");
    return Response.json("there");
  }, async () => assertEquals(await get(), "there"));
  assertEquals(count, 3);
});

// Rule 33: nothing else is tried again.
Deno.test("an error of the app's own parseResponse is not tried again", async () => {
  let count = 0;
  const get = new RestEndpoint({
    urlPrefix,
    path: "/a",
    parseResponse: () => {
      count++;
      throw new RangeError("mine");
    },
  });
  await withFetch(
    () => Response.json(1),
    async () => void await assertRejects(() => get() as Promise<unknown>, RangeError),
  );
  assertEquals(count, 1);
});

// Rule 33: "silence instead of total for forms, blobs and streams"; endpoints.md: "ten times for forms and blobs".
Deno.test("the upload of a form or a blob has ten deadlines", async () => {
  const put = new RestEndpoint({ urlPrefix, path: "/a", method: "PUT", body: {} as any, deadline: 100 });
  const slow = () => new Promise((go) => setTimeout(() => go(Response.json("stored")), 250));
  await withFetch(slow, async () => {
    for (const body of [new Blob(["x"]), new FormData()]) assertEquals(await put(body as never), "stored");
  });
});

// endpoints.md: "With a schema it must be JSON; a mutation may also answer nothing, or a word".
Deno.test("a word in place of JSON is no answer of a read with a schema", async () => {
  const { get } = resource({ urlPrefix, path, schema: Film });
  await withFetch(
    () => new Response("OK", { headers: { "content-type": "text/plain" } }),
    async () => void await assertRejects(() => new Controller().fetch(get, { id: "1" }), ParseError),
  );
});

// endpoints.md: getHeaders, requestInit. Two content types would be joined to one that no server knows.
Deno.test("a content type of the app's own takes the place of application/json, whatever its case", () => {
  for (const name of ["content-type", "Content-Type"]) {
    const patch = new RestEndpoint({
      urlPrefix,
      path: "/a",
      method: "PATCH",
      requestInit: { headers: { [name]: "application/merge-patch+json" } },
    });
    assertEquals(
      new Headers(patch.getRequestInit({ a: 1 }).headers).get("content-type"),
      "application/merge-patch+json",
    );
  }
});

// Rule 20: "the reply, if it is an object with at least one member and a usable pk; otherwise the params".
Deno.test("a delete that is answered by a word deletes the record of the params", async () => {
  const R = resource({ urlPrefix, path, schema: Film }), controller = new Controller();
  for (const id of ["1", "OK"]) controller.set(Film, id, { title: id });
  await withFetch(
    () => new Response("OK", { headers: { "content-type": "text/plain" } }),
    async () => void await controller.fetch(R.delete, { id: "1" }),
  );
  assertEquals([controller.get(Film, "1"), controller.get(Film, "OK")?.id], [undefined, "OK"]);
});

// Rule 24: "The reply of a mutation that is a list writes the list that its params name".
Deno.test("a create that is answered by an array stores each item, and all join the list", async () => {
  const R = resource({ urlPrefix, path, schema: Film }), controller = new Controller();
  controller.setResponse(R.getList, []);
  await withFetch(
    () => Response.json([{ id: "1", title: "a" }, { id: "2", title: "b" }]),
    async () => void await controller.fetch(R.create as any, [{ title: "a" }, { title: "b" }]),
  );
  assertEquals(controller.getResponse(R.getList).data?.map(({ id }) => id), ["1", "2"]);
});

// Rule 35: "Arguments and bodies are values: plain objects and arrays are copied".
Deno.test("controller.set copies what is inside of its value", () => {
  const controller = new Controller(), tags = ["a"];
  controller.set(Film, "1", { tags });
  tags.push("b");
  assertEquals(controller.get(Film, "1")?.tags, ["a"]);
});

// controller.md: expiryStatus is "`Invalid` (nothing)". A reply that is undefined is a reply.
Deno.test("an answer whose data is undefined is valid, and is not fetched again while it is fresh", async () => {
  let count = 0;
  const get = new Endpoint(async () => await Promise.resolve(void count++), { name: "get" }), c = new Controller();
  await c.fetch(get);
  assertEquals(c.getResponse(get).expiryStatus, ExpiryStatus.Valid);
  await c.fetchIfStale(get);
  assertEquals(count, 1);
});

// Rule 8: "the same object while the stored value is the same".
Deno.test("a Date beside records stays the same object when a record changes", () => {
  const get = new Endpoint(async () => await Promise.resolve(undefined as any), {
    name: "get",
    schema: { at: Date, film: Film },
  });
  const controller = new Controller(), at = "2026-01-01T00:00:00Z";
  controller.setResponse(get, { at, film: { id: "1", title: "a" } });
  const before = controller.getResponse(get).data as any;
  controller.set(Film, "1", { title: "b" });
  const after = controller.getResponse(get).data as any;
  assertEquals(after.film.title, "b");
  assertStrictEquals(after.at, before.at);
});

// normalize: "Existing records: new ones are merged with them."
Deno.test("normalize keeps the other records of a table that was there before", () => {
  const before = normalize([Film], [{ id: "1", title: "a" }]);
  const { entities } = normalize(Film, { id: "2", title: "b" }, [], before);
  assertEquals(Object.keys(entities.Film!), ["1", "2"]);
});

// Memo: "The value that arguments alone name: a record by its pk, an `All`".
Deno.test("Memo.query of an All has the records of the next tables", () => {
  const memo = new Memo(), all = new All(Film), one = { 1: { id: "1" } };
  assertEquals((memo.query(all, { Film: one }) as any)?.length, 1);
  assertEquals((memo.query(all, { Film: { ...one, 2: { id: "2" } } }) as any)?.length, 2);
});

// collections.md: "`argsKey(...args)`: which arguments name a list".
Deno.test("argsKey leaves out arguments that no item is compared with", async () => {
  const films = new Collection([Film], { argsKey: ({ title }: any) => ({ title }) } as any);
  const list = new Endpoint(async (args: any) => await Promise.resolve([{ id: "1", title: args.title }]), {
    name: "list",
    schema: films,
  });
  const add = new Endpoint(async (body: any) => await Promise.resolve({ id: "2", ...body }), {
    name: "add",
    schema: films.push,
    sideEffect: true,
  });
  const controller = new Controller();
  await controller.fetch(list, { title: "a", view: "wide" });
  await controller.fetch(add, { title: "a" });
  assertEquals((controller.getResponse(list, { title: "a", view: "wide" }).data as any).length, 2);
});

// collections.md: "**unknown** otherwise: `q`, `near`, a member that is an array".
Deno.test("an argument is no filter where the member is an array, even of one item", async () => {
  const R = resource({ urlPrefix, path, schema: Film }), controller = new Controller();
  controller.setResponse(R.getList, { tags: "a" } as any, [{ id: "1", tags: ["a"] }]);
  await withFetch(
    () => Response.json({ id: "2", tags: ["b", "a"] }),
    async () => void await controller.fetch(R.create, { tags: ["b", "a"] } as any),
  );
  assertEquals(controller.getResponse(R.getList, { tags: "a" } as any).expiresAt, 0);
});

// parts.md: "empties the store when a read is answered 401 by one of the origins".
Deno.test("LogoutManager empties the store for a 401 of its origins, and of no other", async () => {
  for (const [origin, isOut] of [["https://api.test", true], ["https://other.test", false]] as const) {
    const controller = new Controller({ use: [new LogoutManager({ origins: [origin] })] });
    controller.set(Film, "1", { title: "a" });
    const get = new RestEndpoint({ urlPrefix, path: "/me" });
    const refused = new Response("", { status: 401 });
    Object.defineProperty(refused, "url", { value: "https://api.test/me" });
    await withFetch(() => refused, async () => void await assertRejects(() => controller.fetch(get)));
    assertEquals(controller.get(Film, "1") === undefined, isOut);
  }
});

// parts.md: "`FocusManager` is its older name."
Deno.test("FocusManager is a part as focus() is", () => {
  const part = new FocusManager();
  assert(part.install && part.cleanup);
});
