// deno-lint-ignore-file no-explicit-any -- answers of any form
/** Promises of the rules and of docs/ about streams, bodies and pages; the comment above each test quotes its promise. */
import { assert, assertEquals } from "@std/assert";
import {
  Controller,
  Endpoint,
  Entity,
  ExpiryStatus,
  resource,
  RestEndpoint,
  schema,
  StreamManager,
} from "@rejoin/data";

class Film extends Entity {
  id = "";
  title = "";
  year = 0;
  static override key = "Film";
}
const urlPrefix = "https://api.test", path = "/films/:id";
const answered = (make: () => Response) => ({ fetchResponse: async () => await Promise.resolve(make()) });

function stream(options: object = {}) {
  const listeners: any[] = [];
  let closed = 0;
  const manager = new StreamManager({
    source: (listener) => {
      listeners.push(listener);
      listener.open();
      return { close: () => void closed++ };
    },
    messages: { film: Film },
    ...options,
  });
  return { controller: new Controller({ use: [manager] }), listeners, closed: () => closed };
}

// Rule 13: only a *deleted* record is not brought back by a message with some members.
Deno.test("a message with some members changes a record that is there, and makes one that was never there", () => {
  const { controller, listeners } = stream();
  controller.set(Film, "1", { title: "a", year: 1979 });
  listeners[0].message({ type: "film", data: { id: "1", title: "b" } });
  listeners[0].message({ type: "film", data: { id: "2", title: "c" } });
  assertEquals([controller.get(Film, "1")?.title, controller.get(Film, "1")?.year], ["b", 1979]);
  assertEquals(controller.get(Film, "2")?.title, "c");
  controller.cleanup();
});

// parts.md: `closeWhenHidden`.
Deno.test("closeWhenHidden closes the stream of a hidden page, and opens it when the page is seen again", async () => {
  const show = (visibilityState: string) => {
    (globalThis as any).document = { visibilityState };
    dispatchEvent(new Event("visibilitychange"));
  };
  try {
    for (const [closeWhenHidden, counts] of [[true, [1, 1, 2]], [false, [1, 0, 1]]] as [boolean, number[]][]) {
      const { controller, listeners, closed } = stream({ closeWhenHidden });
      const opened = listeners.length;
      show("hidden");
      const gone = closed();
      show("visible");
      await new Promise((go) => setTimeout(go));
      assertEquals([opened, gone, listeners.length], counts);
      controller.cleanup();
    }
  } finally {
    delete (globalThis as any).document;
  }
});

// endpoints.md, Content: "a mutation may also answer nothing, or a word".
Deno.test("a mutation may answer nothing, even as JSON", async () => {
  const make = () => new Response("", { headers: { "content-type": "application/json" } });
  const R = resource({ urlPrefix, path, schema: Film, ...answered(make) }), controller = new Controller();
  controller.set(Film, "1", { title: "a" });
  await controller.fetch(R.partialUpdate, { id: "1" }, { title: "b" });
  assertEquals(controller.get(Film, "1")?.title, "b");
});

// endpoints.md, Content: "An answer is read by its content type: JSON, text, or a `Blob` for other types."
Deno.test("an answer without a schema is read by its content type", async () => {
  const read = (type: string) =>
    new RestEndpoint({
      urlPrefix,
      path: "/a",
      ...answered(() => new Response("1", { headers: { "content-type": type } })),
    })();
  assertEquals([await read("application/vnd.api+json"), await read("text/csv"), await read("image/svg+xml")], [
    1,
    "1",
    "1",
  ]);
  assert(await read("image/png") as any instanceof Blob);
});

// Rule 35: "forms, blobs and streams are taken as they are", also those of a simulated page. Those of happy-dom have no tag.
Deno.test("a form or blob without a tag is sent as it is", () => {
  class Form extends FormData {}
  class Part extends Blob {}
  const upload: any = new RestEndpoint({ path: "/a", method: "POST" });
  for (const Upload of [Form, Part]) {
    Object.defineProperty(Upload.prototype, Symbol.toStringTag, { value: undefined });
    const body = new Upload();
    assert(upload.getRequestInit(body).body === body);
  }
});

// Rule 27: "the other members (cursor, link) take the place of the old ones".
const members = { results: [Film], next: "" };
for (const [name, of] of Object.entries({ "a literal": members, "schema.Object": new schema.Object(members) })) {
  Deno.test(`members of a page take the place of the old ones in ${name}, whatever their form`, async () => {
    const pages: any[] = [
      { results: [{ id: "1" }], next: { after: 1 }, facets: ["a"] },
      { results: [{ id: "2" }], next: null, facets: null, tips: ["x"] },
      { results: null }, // as Go's servers write an empty list
    ];
    const api: any = new RestEndpoint({
      urlPrefix,
      path: "/films",
      schema: of,
      fetchResponse: async () => await Promise.resolve(Response.json(pages.shift())),
    });
    const controller = new Controller();
    await controller.fetch(api);
    for (const cursor of [1, 2]) await controller.fetch(api.paginated("cursor"), { cursor });
    const { results, next, facets, tips } = controller.getResponse(api).data as any;
    assertEquals([results.map(({ id }: Film) => id), next, facets, tips], [["1", "2"], "", null, ["x"]]);
  });
}

Deno.test("a page without a cursor ends a list whose schema has a member named members", async () => {
  const pages: any[] = [{ members: [{ id: "1" }], cursor: "2" }, { members: [{ id: "2" }] }];
  const api: any = new RestEndpoint({
    urlPrefix,
    path: "/team",
    schema: { members: [Film], cursor: "" },
    fetchResponse: async () => await Promise.resolve(Response.json(pages.shift())),
  });
  const controller = new Controller();
  await controller.fetch(api);
  await controller.fetch(api.paginated("cursor"), { cursor: 2 });
  assertEquals((controller.getResponse(api).data as any).cursor, "");
});

// The docstring of Endpoint: "A function that fetches in any way". Rule 6: `undefined` is absence.
Deno.test("a read may reply with no promise, or with a text or boolean that names no record", async () => {
  const controller = new Controller({ use: [{ send: (_flight, next) => next() }] });
  for (const reply of ["", false, true]) {
    const get: any = new Endpoint(() => reply as any, { name: `get ${JSON.stringify(reply)}`, schema: Film });
    assertEquals(await controller.fetch(get), undefined);
    assertEquals(controller.getResponse(get).expiryStatus, ExpiryStatus.Valid);
  }
});

// Rule 13: "resetEntireStore forgets everything".
Deno.test("after resetEntireStore nothing is fresh because of what was there before", () => {
  const { get } = resource({ urlPrefix, path, schema: Film }), controller = new Controller();
  const list = (dataExpiryLength: number): any =>
    new Endpoint(async () => await Promise.resolve([] as any), {
      name: `list ${dataExpiryLength}`,
      schema: [Film],
      dataExpiryLength,
    });
  const film = { id: "1", title: "a", year: 1 };
  controller.setResponse(list(Infinity), [film]);
  controller.resetEntireStore();
  controller.setResponse(list(1000), [film]);
  assert(controller.getResponse(get, { id: "1" }).expiresAt < Infinity);
});
