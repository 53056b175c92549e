// deno-lint-ignore-file no-explicit-any -- answers of any form
/** Promises of the rules and of docs/ about mutations, errors and lists; the comment above each test quotes its promise. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Collection, Controller, createResource, Endpoint, Entity, RestEndpoint, schema, Union } from "@rejoin/data";

class Film extends Entity {
  id = "";
  title = "";
  static override key = "Film";
}
const urlPrefix = "https://api.test", path = "/films/:id";

// Rule 23: "Outcome unknown …: the record and its lists are expired", with rule 12: also an answer that was asked for before.
Deno.test("a list that was asked for before a mutation ended with 503 is stale when it comes", async () => {
  const R = createResource({
    urlPrefix,
    path,
    schema: Film,
    fetchResponse: async (_url: string, { method }: RequestInit) => {
      if (method === "GET") await late.promise;
      else throw Object.assign(new Error("gateway"), { status: 503 });
      return Response.json([{ id: "1", title: "old" }]);
    },
  });
  const late = Promise.withResolvers<void>(), controller = new Controller();
  controller.set(Film, "1", { title: "a" });
  const list = controller.fetch(R.getList);
  await assertRejects(() => controller.fetch(R.partialUpdate, { id: "1" }, { title: "b" }));
  late.resolve();
  await list;
  assertEquals(controller.getResponse(R.getList).expiresAt, 0);
});

// endpoints.md: `errorPolicy(error)`, "soft: no answer, none in time, 5xx".
Deno.test("old data stay shown when no answer comes, and when none comes in time", async () => {
  const real = globalThis.fetch;
  try {
    for (const reply of [() => Promise.reject(new TypeError("refused")), () => new Promise<Response>(() => {})]) {
      globalThis.fetch = reply as typeof fetch;
      const get = new RestEndpoint({ urlPrefix, path: "/a", retry: 0, deadline: 20 }), controller = new Controller();
      controller.setResponse(get, 1);
      await assertRejects(() => controller.fetch(get));
      assertEquals([controller.getResponse(get).data, controller.getError(get)], [1, undefined]);
    }
  } finally {
    globalThis.fetch = real;
  }
});

// All.define: "Sets the entity if it was left out".
Deno.test("All.define sets the entity that was left out", () => {
  const all: any = new (schema.All as any)(), controller = new Controller();
  all.define(Film);
  controller.set(Film, "1", { title: "a" });
  assertEquals(controller.get(all).length, 1);
});

// Rule 25: an edit expires the lists that sort by a changed member, of a union as well.
Deno.test("an edit by a mutation marks the sorted list of a union", async () => {
  class Note extends Entity {
    id = "";
    static override key = "Note";
  }
  const feed = new Collection([new Union({ film: Film, note: Note }, "type")]);
  const list: any = new Endpoint(async (_: any) => await Promise.resolve([] as any), { name: "list", schema: feed });
  const rename: any = new Endpoint(async (film: any) => await Promise.resolve(film), {
    name: "rename",
    schema: Film,
    sideEffect: true,
  });
  const controller = new Controller();
  controller.setResponse(list, { sort: "title" }, [{ type: "film", id: "1", title: "a" }]);
  await controller.fetch(rename, { id: "1", title: "b" });
  assertEquals(controller.getResponse(list, { sort: "title" }).expiresAt, 0);
  controller.setResponse(list, { sort: "year" }, [{ type: "film", id: "1", title: "a" }]);
  await controller.fetch(rename, { id: "1", title: "c" });
});

// Rule 25: "An edit expires the lists of its class that have an argument which … sorts by one [changed member]"; no others.
Deno.test("an edit leaves the list fresh that sorts by another member that the class declares", async () => {
  const getFilms: any = new Endpoint(async (_: any) => await Promise.resolve([] as any), {
    name: "films",
    schema: new Collection([Film]),
  });
  const rename: any = new Endpoint(async (film: any) => await Promise.resolve(film), {
    name: "rename",
    schema: Film,
    sideEffect: true,
  });
  const controller = new Controller();
  controller.setResponse(getFilms, { sort: "-id" }, [{ id: "1", title: "a" }]);
  await controller.fetch(rename, { id: "1", title: "b" });
  assert(controller.getResponse(getFilms, { sort: "-id" }).expiresAt > 0);
});
