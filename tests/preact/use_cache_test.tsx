import "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import { Controller, Endpoint, Query, schema } from "@rejoin/data";
import { useCache } from "@rejoin/data/preact";
import { FakeClock, fixtures, renderDataHook } from "@rejoin/data/testing";
import { fill, Film, Server } from "./_cinema.tsx";

const ALIEN = { id: "1", title: "Alien" };

/** A page that shows the title of a film, and never asks for it. */
function start(policy: Parameters<Server["filmEndpoint"]>[0] = {}) {
  const get = new Server().filmEndpoint(policy);
  const api = fixtures([{ endpoint: get, response: ({ id }) => ({ id, title: "Alien" }) }]);
  const controller = new Controller({ strict: true, managers: [api] });
  const show = () => renderDataHook(() => useCache(get, { id: "1" })?.title, { controller });
  return { api, get, controller, show };
}

Deno.test("useCache never fetches, and shows what comes", async () => {
  const { api, get, controller, show } = start();
  await using hook = show();
  await hook.settled();
  assertEquals(api.calls.length, 0);
  await controller.fetch(get, { id: "1" });
  await hook.settled();
  assertEquals(hook.result.history, [undefined, "Alien"]);
});

Deno.test("useCache shows a detail out of a list", async () => {
  const { controller, show } = start();
  fill(controller, ALIEN);
  await using hook = show();
  assertEquals(hook.result.current, "Alien");
});

Deno.test("useCache shows what is stale, unless the endpoint does not", async () => {
  for (const invalidIfStale of [false, true]) {
    const clock = new FakeClock();
    using _ = clock.install();
    const { get, controller, show } = start({ invalidIfStale });
    controller.setResponse(get, { id: "1" }, ALIEN);
    clock.tick(60_000);
    await using hook = show();
    assertEquals(hook.result.current, invalidIfStale ? undefined : "Alien");
  }
});

Deno.test("useCache shows nothing when its read is invalidated, and nothing of an error", async () => {
  const { api, get, controller, show } = start();
  controller.setResponse(get, { id: "1" }, ALIEN);
  await using hook = show();
  controller.invalidate(get, { id: "1" });
  await hook.settled();
  assertEquals(hook.result.current, undefined);
  controller.setError(get, { id: "1" }, new Error("no luck"));
  await hook.settled();
  assertEquals([hook.result.current, hook.result.error, api.calls.length], [undefined, undefined, 0]);
});

Deno.test("useCache goes on showing its data when a refetch fails hard", async () => {
  const { get, controller, show } = start({ errorPolicy: () => "hard" });
  controller.setResponse(get, { id: "1" }, ALIEN);
  await using hook = show();
  controller.setError(get, { id: "1" }, new Error("no luck"));
  await hook.settled();
  assertEquals(hook.result.current, "Alien");
});

Deno.test("useCache gives the skeleton of an object schema when its first argument is null, and forgets what it read", async () => {
  const controller = new Controller();
  const page = new Endpoint(new Server().handle<[id: string]>("page"), {
    name: "page",
    schema: { film: Film, next: 0 },
  });
  controller.setResponse(page, "1", { film: ALIEN, next: 2 });
  await using hook = renderDataHook(({ id }: { id: string | null }) => useCache(page, id), {
    controller,
    initialProps: { id: "1" },
  });
  hook.rerender({ id: null });
  await hook.settled();
  assertEquals(hook.result.current, { film: undefined, next: 0 });
  controller.set(Film, { id: "1" }, { title: "Aliens" });
  await hook.settled();
  assertEquals(hook.result.renders, 2);
});

Deno.test("useCache reads a Query, and renders again only when what it makes is different", async () => {
  const controller = new Controller();
  const titles = new Query(
    new schema.All(Film),
    (films, { max }: { max: number }) => films.map(({ title }) => title).sort().slice(0, max),
  );
  await using hook = renderDataHook(({ max }) => useCache(titles, { max }), { controller, initialProps: { max: 2 } });
  fill(controller, { id: "1", title: "C" }, { id: "2", title: "A" }, { id: "3", title: "B" });
  await hook.settled();
  controller.set(Film, { id: "1" }, { title: "D" });
  await hook.settled();
  assertEquals(hook.result.history, [undefined, ["A", "B"]]);
  hook.rerender({ max: 3 });
  await hook.settled();
  assertEquals(hook.result.history.slice(2), [["A", "B", "D"]]);
});

Deno.test("15.4 useCache refuses a mutation, of which nothing is stored", async () => {
  const server = new Server();
  await using hook = renderDataHook(() => useCache(server.removeFilm as never, ...[{ id: "1" }] as never));
  await hook.settled();
  const { message } = hook.result.error!;
  assert(message.startsWith('useCache() takes an endpoint or a Query, and was given "removeFilm"'), message);
  assertEquals(server.names, "");
});
