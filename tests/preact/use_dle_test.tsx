import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, schema } from "@rejoin/data";
import { DataProvider, useDLE, useError, usePrevious } from "@rejoin/data/preact";
import { FakeClock, renderDataHook } from "@rejoin/data/testing";
import { signal } from "@preact/signals";
import { Film, Server } from "./_cinema.tsx";

type Policy = Parameters<Server["filmEndpoint"]>[0];
type Id = string | null;

/** A server, a clock, and components that tell all that `useDLE` says of one film. */
function start(policy: Policy = {}) {
  const clock = new FakeClock();
  const restore = clock.install();
  const server = new Server();
  const controller = new Controller({ strict: true });
  const get = server.filmEndpoint(policy);
  const show = <R,>(hook: (id: Id) => R, initialProps: Id = "1") =>
    renderDataHook(hook, { controller, initialProps: initialProps as Id & (NonNullable<unknown> | null) });
  return {
    clock,
    server,
    controller,
    get,
    show,
    /** What is there. */
    plain: (id?: Id) =>
      show((now) => {
        const { data, loading, error, refetch } = useDLE(get, now === null ? null : { id: now });
        const text = loading
          ? "loading"
          : error
          ? `${error.name}: ${error.message} (${data?.title})`
          : data?.title ?? "nothing";
        return { text, refetch };
      }, id),
    /** What goes on. */
    busy: (id?: Id) =>
      show((now) => {
        const { isFetching, isStale, data } = useDLE(get, { id: now! });
        return `${isFetching ? "busy" : "idle"} ${isStale ? "stale" : "fresh"} ${data?.title}`;
      }, id),
    [Symbol.dispose]() {
      controller.cleanup();
      restore();
    },
  };
}

Deno.test("useDLE tells what there is, what is on its way, and what has failed, without a boundary", async () => {
  using cinema = start();
  const { server } = cinema;
  await using hook = cinema.plain();
  const { result } = hook;
  await settled();
  assertEquals([result.current!.text, result.renders], ["loading", 1]);
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals([result.current!.text, result.renders], ["Alien", 2]);
  hook.rerender("2");
  await settled();
  assertEquals(result.current!.text, "loading");
  server.last.fail(new RangeError("no such film"));
  await settled();
  assertEquals([result.current!.text, server.names], ["RangeError: no such film (undefined)", "getFilm,getFilm"]);
  hook.rerender(null);
  await settled();
  assertEquals([result.current!.text, server.asked.length], ["nothing", 2]);
});

Deno.test("useDLE shows what it has beside a hard error, and asks again by refetch, the same function throughout", async () => {
  using cinema = start({ errorPolicy: () => "hard" });
  const { server } = cinema;
  cinema.controller.setResponse(cinema.get, { id: "1" }, { id: "1", title: "Alien" });
  await using hook = cinema.plain();
  const { result } = hook;
  await settled();
  assertEquals([result.current!.text, server.asked.length], ["Alien", 0]);
  const refetched = result.current!.refetch().catch((error) => error);
  await settled();
  assertEquals([result.current!.text, server.asked.length, result.renders], ["Alien", 1, 1]);
  server.last.fail({ status: 500 });
  assertEquals(await refetched, { status: 500 });
  await settled();
  const { text } = result.current!;
  assert(text.startsWith("Error: ") && text.endsWith("(Alien)"), text);
  const again = result.current!.refetch();
  await settled();
  server.last.answer({ id: "1", title: "Aliens" });
  assertStrictEquals(await again, cinema.controller.get(Film, { id: "1" }));
  await settled();
  assertEquals([result.current!.text, new Set(result.history.map(({ refetch }) => refetch)).size], ["Aliens", 1]);
});

Deno.test("isFetching runs the component that looks at it, and no other", async () => {
  using cinema = start();
  const { server } = cinema;
  await using plain = cinema.plain();
  await using busy = cinema.busy();
  const seen = () => [plain.result.current!.text, plain.result.renders, busy.result.current, busy.result.renders];
  await settled();
  assertEquals([...seen(), server.asked.length], ["loading", 1, "busy stale undefined", 1, 1]);
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals(seen(), ["Alien", 2, "idle fresh Alien", 2]);
  cinema.clock.tick(120_000);
  const again = cinema.controller.fetch(cinema.get, { id: "1" });
  await settled();
  assertEquals(seen(), ["Alien", 2, "busy stale Alien", 3]);
  server.last.answer({ id: "1", title: "Alien" });
  await again;
  await settled();
  // An equal answer is no news; that it has come, is.
  assertEquals(seen(), ["Alien", 2, "idle fresh Alien", 4]);
  plain.rerender("2");
  busy.rerender("2");
  await settled();
  const before = seen();
  const other = cinema.controller.fetch(cinema.get, { id: "1" });
  await settled();
  assertEquals(seen(), before, "what it does not show any more is nothing to it");
  for (const asked of server.asked) asked.answer({ id: (asked.args[0] as { id: string }).id, title: "Any" });
  await other;
  await settled();
});

Deno.test("isFetching tells a component that is given it in the midst of a request when that ends", async () => {
  using cinema = start();
  const { server, controller, get } = cinema;
  const opened = signal(false);
  function State({ dle }: { readonly dle: { readonly isFetching: boolean } }) {
    return <i>{dle.isFetching ? "busy" : "idle"}</i>;
  }
  function Details({ dle }: { readonly dle: { readonly isFetching: boolean } }) {
    return opened.value ? <State dle={dle} /> : null;
  }
  function Page() {
    return <Details dle={useDLE(get, { id: "1" })} />;
  }
  await using page = mount(
    <DataProvider controller={controller}>
      <Page />
    </DataProvider>,
  );
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  const again = controller.fetch(get, { id: "1" });
  await settled();
  opened.value = true;
  await settled();
  assertEquals(page.text, "busy");
  server.last.answer({ id: "1", title: "Alien" });
  await again;
  await settled();
  assertEquals(page.text, "idle");
});

Deno.test("isStale is no more when an equal answer has come, and runs nobody who was shown that it is fresh", async () => {
  using cinema = start();
  const { server, controller, get } = cinema;
  controller.setResponse(get, { id: "1" }, { id: "1", title: "Alien" });
  cinema.clock.tick(120_000);
  await using hook = cinema.show(() => useDLE(get, { id: "1" }).isStale);
  await settled();
  assertEquals(hook.result.history, [true]);
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals(hook.result.history, [true, false]);
  const again = controller.fetch(get, { id: "1" });
  await settled();
  server.last.answer({ id: "1", title: "Alien" });
  await again;
  await settled();
  assertEquals(hook.result.history, [true, false]);
});

Deno.test("isFetching of a component that is gone runs nothing", async () => {
  using cinema = start();
  const hooks = [cinema.plain(), cinema.busy()];
  await settled();
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  const renders = () => hooks.map(({ result }) => result.renders);
  const before = renders();
  const asked = cinema.controller.fetch(cinema.get, { id: "1" });
  for (const hook of hooks) hook.unmount();
  cinema.server.last.answer({ id: "1", title: "Aliens" });
  await asked;
  await settled();
  assertEquals(renders(), before);
});

Deno.test("isFetching asked for in a handler, or after the component has gone, is told, and listens to nothing", async () => {
  using cinema = start();
  const hook = cinema.show(() => useDLE(cinema.get, { id: "1" }));
  const { result } = hook;
  await settled();
  assertEquals(result.current!.isFetching, true);
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals([result.current!.isFetching, result.renders], [false, 2]);
  const again = cinema.controller.fetch(cinema.get, { id: "1" });
  await settled();
  assertEquals([result.current!.isFetching, result.renders], [true, 2]);
  hook.unmount();
  assertEquals(result.history.at(-1)!.isFetching, true);
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await again;
  await settled();
  assertEquals(result.renders, 2);
});

Deno.test("usePrevious shows nothing of what was there before the store was emptied", async () => {
  using cinema = start();
  const { server } = cinema;
  const search = new Endpoint(server.handle<[params: { q: string }]>("search"), { name: "search", schema: [Film] });
  await using hook = cinema.show(() => usePrevious(useDLE(search, { q: "a" }).data)?.map(({ title }) => title).join());
  await settled();
  server.last.answer([{ id: "1", title: "Ann's" }]);
  await settled();
  cinema.controller.resetEntireStore();
  await settled();
  server.last.answer([{ id: "2", title: "Bo's" }]);
  await settled();
  assertEquals(hook.result.history, [undefined, "Ann's", undefined, "Bo's"]);
});

Deno.test("usePrevious keeps the old rows while the new ones are on their way", async () => {
  using cinema = start();
  const { server } = cinema;
  const search = new Endpoint(server.handle<[params: { q: string }]>("search"), { name: "search", schema: [Film] });
  await using hook = cinema.show((q) => {
    const { data, loading } = useDLE(search, { q: q! });
    return `${q}: ${usePrevious(data)?.map(({ title }) => title).join() ?? "none"}${loading ? " …" : ""}`;
  }, "a");
  await settled();
  server.last.answer([{ id: "1", title: "Alien" }]);
  await settled();
  hook.rerender("al");
  await settled();
  hook.rerender("ali");
  await settled();
  server.last.answer([]);
  await settled();
  assertEquals(hook.result.history, ["a: none …", "a: Alien", "al: Alien …", "ali: Alien …", "ali: "]);
});

Deno.test("useError shows what a read elsewhere has failed with, and never fetches", async () => {
  using cinema = start();
  const { server, controller, get } = cinema;
  await using hook = cinema.show((id) => useError(get, id === null ? null : { id })?.message);
  await settled();
  controller.setError(get, { id: "1" }, new Error("gone"));
  await settled();
  hook.rerender(null);
  assertEquals([hook.result.history, server.asked.length], [[undefined, "gone", undefined], 0]);
});

Deno.test("what is thrown that is no error is the same error at each rendering", async () => {
  using cinema = start();
  const thrown = { code: 7 };
  cinema.controller.setError(cinema.get, { id: "1" }, thrown);
  await using hook = cinema.show(() => [useError(cinema.get, { id: "1" }), useDLE(cinema.get, { id: "1" }).error]);
  hook.rerender();
  await settled();
  const seen = hook.result.history.flat();
  assert(seen.length === 4 && seen.every((error) => error === seen[0]));
  assertStrictEquals((seen[0] as Error).cause, thrown);
});

Deno.test("useDLE of an inactive object schema has its literals, and refetch does nothing", async () => {
  using cinema = start();
  const { server } = cinema;
  const page = new Endpoint(server.handle<[params: { n: number }]>("page"), {
    name: "page",
    schema: new schema.Object({ films: [Film], total: 0 }),
  });
  await using hook = cinema.show(() => useDLE(page, null));
  const { data, loading, isFetching, refetch } = hook.result.current!;
  assertEquals([data, loading, isFetching], [{ films: [], total: 0 }, false, false]);
  assertEquals([await refetch(), server.asked.length], [undefined, 0]);
});
