import { settled } from "../support/dom.ts";
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { Controller } from "@rejoin/data";
import { type FetchedPromise, useFetch } from "@rejoin/data/preact";
import { FakeClock, renderDataHook } from "@rejoin/data/testing";
import { Film, Server } from "./_cinema.tsx";

/** What a promise tells at once. */
function told(read: FetchedPromise<Film> | undefined): string {
  return read === undefined ? "none" : `${read.status} ${read.resolved} ${read.value?.title} ${read.reason}`;
}

function start(policy: Parameters<Server["filmEndpoint"]>[0] = {}) {
  const clock = new FakeClock();
  const restore = clock.install();
  const server = new Server();
  const controller = new Controller({ strict: true });
  const get = server.filmEndpoint(policy);
  return {
    clock,
    server,
    controller,
    get,
    show: (initialProps: string | null) =>
      renderDataHook((id: string | null) => useFetch(get, id === null ? null : { id }), { controller, initialProps }),
    [Symbol.dispose]: () => {
      controller.cleanup();
      restore();
    },
  };
}

Deno.test("useFetch gives a pending promise at once, and a fulfilled one when the data is there", async () => {
  using cinema = start();
  await using hook = cinema.show("1");
  assertEquals(told(hook.result.current), "pending false undefined undefined");
  const [pending] = hook.result.history;
  await settled();
  assertEquals([hook.result.history.length, cinema.server.names], [1, "getFilm"]);
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals([told(hook.result.current), hook.result.history.length], ["fulfilled true Alien undefined", 2]);
  assertStrictEquals(await pending!, cinema.controller.get(Film, { id: "1" })!);
  assertStrictEquals(await hook.result.history[1]!, cinema.controller.get(Film, { id: "1" })!);
});

Deno.test("useFetch gives the same promise as long as it tells the same", async () => {
  using cinema = start();
  await using hook = cinema.show("1");
  hook.rerender("1");
  hook.rerender("1");
  await settled();
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  hook.rerender("1");
  await settled();
  assertEquals(new Set(hook.result.history).size, 2);
  cinema.controller.set(Film, { id: "1" }, { title: "Aliens" });
  await settled();
  assertEquals([told(hook.result.current), new Set(hook.result.history).size], ["fulfilled true Aliens undefined", 3]);
});

Deno.test("useFetch gives a rejected promise that nobody needs to look at when the read fails without data", async () => {
  using cinema = start();
  await using hook = cinema.show("1");
  await settled();
  cinema.server.last.fail(new Error("no luck"));
  for (let tick = 0; tick < 20; tick++) await settled();
  assertEquals([told(hook.result.current), cinema.server.names], ["rejected true undefined Error: no luck", "getFilm"]);
  await assertRejects(() => Promise.resolve(hook.result.history.at(-1)!), Error, "no luck");
});

for (
  const [errorPolicy, text] of [["soft", "fulfilled true Alien undefined"], [
    "hard",
    "rejected true undefined Error: no luck",
  ]] as const
) {
  Deno.test(`useFetch gives a ${text.slice(0, text.indexOf(" "))} promise when a refetch fails ${errorPolicy}`, async () => {
    using cinema = start({ errorPolicy: () => errorPolicy });
    cinema.controller.setResponse(cinema.get, { id: "1" }, { id: "1", title: "Alien" });
    cinema.clock.tick(60_000);
    await using hook = cinema.show("1");
    assertEquals(told(hook.result.current), "fulfilled true Alien undefined");
    await settled();
    cinema.server.last.fail(new Error("no luck"));
    for (let tick = 0; tick < 20; tick++) await settled();
    assertEquals([told(hook.result.current), cinema.server.names], [text, "getFilm"]);
  });
}

Deno.test("useFetch is pending while it asks for what is stale when stale data must not be shown", async () => {
  using cinema = start({ invalidIfStale: true });
  cinema.controller.setResponse(cinema.get, { id: "1" }, { id: "1", title: "Alien" });
  cinema.clock.tick(60_000);
  await using hook = cinema.show("1");
  assertEquals(told(hook.result.current), "pending false undefined undefined");
  await settled();
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals(told(hook.result.current), "fulfilled true Alien undefined");
});

Deno.test("useFetch gives nothing and asks for nothing when its first argument is null", async () => {
  using cinema = start();
  await using hook = cinema.show(null);
  await settled();
  assertEquals([told(hook.result.current), cinema.server.names], ["none", ""]);
  hook.rerender("1");
  await settled();
  assertEquals(cinema.server.names, "getFilm");
  hook.rerender(null);
  await settled();
  assertEquals([told(hook.result.current), cinema.server.last.isAborted], ["none", true]);
});

Deno.test("useFetch asks again when the store is reset, whether it waits or shows", async () => {
  using cinema = start();
  await using hook = cinema.show("1");
  await settled();
  cinema.controller.resetEntireStore();
  await settled();
  assertEquals([told(hook.result.current), cinema.server.names], [
    "pending false undefined undefined",
    "getFilm,getFilm",
  ]);
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals(told(hook.result.current), "fulfilled true Alien undefined");
  cinema.controller.resetEntireStore();
  await settled();
  assertEquals([told(hook.result.current), cinema.server.names], [
    "pending false undefined undefined",
    "getFilm,getFilm,getFilm",
  ]);
});

Deno.test("useFetch is rejected, and does not ask again and again, when its request was aborted from outside", async () => {
  const abort = new AbortController();
  using cinema = start({ signal: abort.signal });
  await using hook = cinema.show("1");
  await settled();
  abort.abort(new Error("not allowed"));
  for (let tick = 0; tick < 20; tick++) await settled();
  assertEquals([told(hook.result.current), cinema.server.names], [
    "rejected true undefined Error: not allowed",
    "getFilm",
  ]);
});

Deno.test("useFetch goes from one promise to another when its arguments change, and gives the old request up", async () => {
  using cinema = start();
  await using hook = cinema.show("1");
  await settled();
  hook.rerender("2");
  await settled();
  assert(cinema.server.asked[0]!.isAborted);
  assert(!cinema.server.asked[1]!.isAborted);
  assertEquals(new Set(hook.result.history).size, 2);
  cinema.server.last.answer({ id: "2", title: "Brazil" });
  await settled();
  assertEquals(told(hook.result.current), "fulfilled true Brazil undefined");
});

Deno.test("useFetch takes undefined for data when it has no schema", async () => {
  const server = new Server();
  const read = server.valueEndpoint("read");
  await using hook = renderDataHook(() => useFetch(read)!);
  await settled();
  server.last.answer(undefined);
  await settled();
  assertEquals([hook.result.current?.status, server.names, hook.result.history.length], ["fulfilled", "read", 2]);
});

Deno.test("13.D3 what useFetch gives is a promise: catch and finally are there in every state", async () => {
  using cinema = start();
  await using hook = cinema.show("1");
  const [pending] = hook.result.history;
  const ends: string[] = [];
  const watched = pending!.catch((error) => ends.push(`caught ${error.message}`)).finally(() => ends.push("ended"));
  await settled();
  cinema.server.last.fail(new Error("no luck"));
  await watched;
  for (let tick = 0; tick < 20; tick++) await settled();
  const failed = hook.result.history.at(-1)!;
  assert(failed instanceof Promise && failed.status === "rejected");
  await failed.catch((error) => ends.push(`caught ${error.message}`));
  assertEquals([ends, told(hook.result.current)], [
    ["caught no luck", "ended", "caught no luck"],
    "rejected true undefined Error: no luck",
  ]);
});
