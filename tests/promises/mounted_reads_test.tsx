// deno-lint-ignore-file no-explicit-any -- answers of any form
/** Promises of the rules and of docs/ about reads that are mounted; the comment above each test quotes its promise. */
import { mount, settled } from "../support/dom.ts";
import { Reader } from "../support/mounted.ts";
import { assert, assertEquals } from "@std/assert";
import { All, Controller, Endpoint, Entity, ExpiryStatus, focus, Invalidate, Query, resource } from "@rejoin/data";
import { DataProvider, ErrorBoundary, useInfinite, useSelect, useSuspense } from "@rejoin/data/preact";
import { sweep } from "../../src/parts/memory.ts";

class Film extends Entity {
  id = "";
  title = "";
  static override key = "Film";
}
/** An endpoint whose calls are counted, and answered by the test. */
function asked(answer: (args: any) => unknown, more: object = {}) {
  const calls: unknown[] = [];
  const endpoint = new Endpoint(async (args: any) => {
    calls.push(args);
    return await answer(args) as any;
  }, { name: "asked", ...more });
  return { calls, endpoint };
}

// schemas.md, Invalidate: "Lists then leave the record out, and a detail read of it asks the server."
Deno.test("a mounted detail that a list serves asks the server when a message deletes its record", async () => {
  const calls: string[] = [];
  const { get } = resource({
    urlPrefix: "https://api.test",
    path: "/films/:id",
    schema: Film,
    fetchResponse: async (url: string) => {
      calls.push(url);
      return await Promise.resolve(Response.json({ id: "1", title: "back" }));
    },
  });
  const controller = new Controller();
  const list = new Endpoint(async () => await Promise.resolve([] as any), { name: "list", schema: [Film] });
  controller.setResponse(list, [{ id: "1", title: "a" }]);
  const reader = new Reader(controller, () => {});
  reader.follow(get as any, [{ id: "1" }]);
  assertEquals([reader.data?.title, calls.length], ["a", 0]);
  controller.set(new Invalidate(Film) as any, { id: "1" });
  await settled();
  assertEquals([reader.data?.title, calls.length], ["back", 1]);
  reader.stop();
});

// Controller.invalidate: "Mounted readers fetch at once."
Deno.test("a mounted read that is invalidated is asked at once, though a mutation of its class is pending", async () => {
  const { calls, endpoint } = asked(({ id }) => ({ id, title: "a" }), { schema: Film });
  const rename = new Endpoint(() => new Promise<any>(() => {}), { name: "rename", schema: Film, sideEffect: true });
  const controller = new Controller(), reader = new Reader(controller, () => {});
  reader.follow(endpoint as any, [{ id: "1" }]);
  await settled();
  controller.fetch(rename).catch(() => {});
  controller.invalidate(endpoint, { id: "1" });
  await settled();
  assertEquals(calls.length, 2);
  reader.stop();
  controller.cleanup();
});

// controller.md: "`ExpiryStatus.Valid` (there is something to show, fresh or stale)".
Deno.test("stale data are Valid, and InvalidIfStale only where the endpoint says so", () => {
  for (const [invalidIfStale, status] of [[false, ExpiryStatus.Valid], [true, ExpiryStatus.InvalidIfStale]] as const) {
    const { endpoint } = asked(() => 1, { invalidIfStale });
    const controller = new Controller();
    controller.setResponse(endpoint, {}, 1);
    controller.expire(endpoint, {});
    assertEquals(controller.getResponse(endpoint, {}).expiryStatus, status);
  }
});

// collections.md: "`getList.remove.extend({ method: "DELETE" })`": any part of such an endpoint can be another.
Deno.test("the verb remove keeps its body when it is sent by DELETE", async () => {
  const sent: string[] = [];
  const { getList } = resource({
    urlPrefix: "https://api.test",
    path: "/films/:id",
    schema: Film,
    fetchResponse: async (_url: string, { method, body }: RequestInit) => {
      sent.push(`${method} ${body}`);
      return await Promise.resolve(new Response(null, { status: 204 }));
    },
  });
  const controller = new Controller();
  controller.setResponse(getList, [{ id: "1", title: "a" }, { id: "2", title: "b" }]);
  await controller.fetch(getList.remove.extend({ method: "DELETE" }) as any, {}, { id: "1" });
  assertEquals(sent, ['DELETE {"id":"1"}']);
});

// hooks.md: "A component runs again exactly when the object that it read is another one"; rule 32: reads that nobody has are let go.
Deno.test("an ErrorBoundary lets go of the read that failed once that has succeeded", async () => {
  let isBroken = true;
  const { calls, endpoint } = asked(() => {
    if (isBroken) throw new Error("broken");
    return 1;
  }, { dataExpiryLength: 0 });
  const controller = new Controller({ use: [focus()] });
  const Page = () => <p>{useSuspense(endpoint as any, {}) as number}</p>;
  const tree = (isThere: boolean) => (
    <DataProvider controller={controller}>
      <ErrorBoundary errorComponent={({ error }) => <i>{error.message}</i>}>{isThere && <Page />}</ErrorBoundary>
    </DataProvider>
  );
  const none = controller.fetch(endpoint, {}).catch(() => {});
  await none;
  await using page = mount(tree(true));
  await settled();
  assertEquals(page.text, "broken");
  isBroken = false;
  controller.expire(endpoint, {});
  await settled();
  assertEquals(page.text, "1");
  page.render(tree(false));
  await settled();
  const before = calls.length;
  controller.expire(endpoint, {});
  await settled();
  assertEquals(calls.length, before);
});

// hooks.md: "`useSelect(source, args, select)`: what `select` makes of the data".
Deno.test("useSelect reads by its arguments", async () => {
  const controller = new Controller();
  for (const id of ["1", "2"]) controller.set(Film, id, { title: id });
  const Page = () => <p>{useSelect(Film, [{ id: "2" }], (film) => film?.title)}</p>;
  await using page = mount(
    <DataProvider controller={controller}>
      <Page />
    </DataProvider>,
  );
  assertEquals(page.text, "2");
});

// Rule 15: "Time alone fetches nothing": an edit of a record is no mount, focus or expiry.
Deno.test("useInfinite asks no page again because one of its records was edited, though the page is stale by time", async () => {
  const { calls, endpoint } = asked(() => [{ id: "1", title: "a" }], { schema: [Film], dataExpiryLength: 1 });
  const controller = new Controller();
  const Page = () => {
    const { items } = useInfinite(endpoint as never, [{}] as never, { next: () => null } as never) as any;
    return <p>{items.map(({ title }: Film) => title)}</p>;
  };
  await using page = mount(
    <DataProvider controller={controller}>
      <Page />
    </DataProvider>,
  );
  await settled();
  await new Promise((go) => setTimeout(go, 5));
  controller.set(Film, "1", { title: "b" });
  await settled();
  assertEquals([page.text, calls.length], ["b", 1]);
});

// Rule 39: "what nobody has read for `keep` … is removed": also what was kept for a schema that is gone.
Deno.test("memory forgets the answers of queries that were made for one reading", () => {
  const controller = new Controller(), { store } = controller;
  controller.set(Film, "1", { title: "a" });
  for (let at = 0; at < 50; at++) controller.get(new Query(new All(Film), (films) => films.length));
  for (let pass = 0; pass < 3; pass++) sweep(store);
  assert(store.scopes.size < 5);
});
