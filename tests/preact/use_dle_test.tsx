import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, schema } from "@rejoin/data";
import { useDLE, useError, usePrevious } from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";
import { App, Film, press, Server } from "./_cinema.tsx";

type Policy = Parameters<Server["filmEndpoint"]>[0];

/** A server, a clock, and a page that shows one film with all that `useDLE` says of it. */
function start(policy: Policy = {}) {
  const clock = new FakeClock();
  const restore = clock.install();
  const server = new Server();
  const controller = new Controller({ strict: true });
  const get = server.filmEndpoint(policy);
  const runs = { plain: 0, busy: 0 };
  const refetches = new Set<unknown>();
  function Plain({ id }: { readonly id: string | null }) {
    runs.plain++;
    const { data, loading, error, refetch } = useDLE(get, id === null ? null : { id });
    refetches.add(refetch);
    return (
      <button type="button" onClick={refetch}>
        {loading ? "loading" : error ? `${error.name}: ${error.message} (${data?.title})` : data?.title ?? "nothing"}
      </button>
    );
  }
  function Busy({ id }: { readonly id: string }) {
    runs.busy++;
    const { isFetching, isStale, data } = useDLE(get, { id });
    return <i>{`${isFetching ? "busy" : "idle"} ${isStale ? "stale" : "fresh"} ${data?.title}`}</i>;
  }
  const page = (id: string | null, isBusyShown = false) => (
    <App controller={controller}>
      <Plain id={id} />
      {isBusyShown && id !== null && <Busy id={id} />}
    </App>
  );
  const end = () => {
    controller.cleanup();
    restore();
  };
  return { clock, server, controller, get, runs, refetches, page, [Symbol.dispose]: end };
}

Deno.test("useDLE tells what there is, what is on its way, and what has failed, without a boundary", async () => {
  using cinema = start();
  await using app = mount(cinema.page("1"));
  await settled();
  assertEquals([app.text, cinema.runs.plain], ["loading", 1]);
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals([app.text, cinema.runs.plain], ["Alien", 2]);
  app.render(cinema.page("2"));
  await settled();
  assertEquals(app.text, "loading");
  cinema.server.last.fail(new RangeError("no such film"));
  await settled();
  assertEquals([app.text, cinema.server.names], ["RangeError: no such film (undefined)", "getFilm,getFilm"]);
  app.render(cinema.page(null));
  await settled();
  assertEquals([app.text, cinema.server.asked.length], ["nothing", 2]);
});

Deno.test("useDLE shows what it has beside a hard error, and asks again by refetch, the same function throughout", async () => {
  using cinema = start({ errorPolicy: () => "hard" });
  cinema.controller.setResponse(cinema.get, { id: "1" }, { id: "1", title: "Alien" });
  await using app = mount(cinema.page("1"));
  await settled();
  assertEquals([app.text, cinema.server.asked.length], ["Alien", 0]);
  press(app.find("button"));
  await settled();
  assertEquals([app.text, cinema.server.asked.length, cinema.runs.plain], ["Alien", 1, 1]);
  cinema.server.last.fail({ status: 500 });
  await settled();
  assertEquals(app.text.startsWith("Error: "), true);
  assertEquals(app.text.endsWith("(Alien)"), true);
  press(app.find("button"));
  await settled();
  cinema.server.last.answer({ id: "1", title: "Aliens" });
  await settled();
  assertEquals([app.text, cinema.refetches.size], ["Aliens", 1]);
});

Deno.test("isFetching runs the component that looks at it, and no other", async () => {
  using cinema = start();
  await using app = mount(cinema.page("1", true));
  await settled();
  assertEquals([app.text, cinema.server.asked.length], ["loadingbusy stale undefined", 1]);
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals([app.text, cinema.runs], ["Alienidle fresh Alien", { plain: 2, busy: 2 }]);
  cinema.clock.tick(120_000);
  const again = cinema.controller.fetch(cinema.get, { id: "1" });
  await settled();
  assertEquals([app.text, cinema.runs], ["Alienbusy stale Alien", { plain: 2, busy: 3 }]);
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await again;
  await settled();
  // An equal answer is no news; that it has come, is.
  assertEquals([app.text, cinema.runs], ["Alienidle fresh Alien", { plain: 2, busy: 4 }]);
  app.render(cinema.page("2", true));
  await settled();
  const { plain, busy } = cinema.runs;
  const other = cinema.controller.fetch(cinema.get, { id: "1" });
  await settled();
  assertEquals(cinema.runs, { plain, busy }, "what it does not show any more is nothing to it");
  for (const asked of cinema.server.asked) asked.answer({ id: (asked.args[0] as { id: string }).id, title: "Any" });
  await other;
  await settled();
});

Deno.test("isFetching of a component that is gone runs nothing", async () => {
  using cinema = start();
  const app = mount(cinema.page("1", true));
  await settled();
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  const { plain, busy } = cinema.runs;
  const asked = cinema.controller.fetch(cinema.get, { id: "1" });
  app.unmount();
  cinema.server.last.answer({ id: "1", title: "Aliens" });
  await asked;
  await settled();
  assertEquals(cinema.runs, { plain, busy });
});

Deno.test("isFetching asked for in a handler, or after the component has gone, is told, and listens to nothing", async () => {
  using cinema = start();
  let runs = 0;
  const given: { readonly isFetching: boolean }[] = [];
  function Page() {
    runs++;
    given.push(useDLE(cinema.get, { id: "1" }));
    return null;
  }
  const app = mount(
    <App controller={cinema.controller}>
      <Page />
    </App>,
  );
  await settled();
  assertEquals(given[0]!.isFetching, true);
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals([given.at(-1)!.isFetching, runs], [false, 2]);
  const again = cinema.controller.fetch(cinema.get, { id: "1" });
  await settled();
  assertEquals([given.at(-1)!.isFetching, runs], [true, 2]);
  app.unmount();
  assertEquals(given.at(-1)!.isFetching, true);
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await again;
  await settled();
  assertEquals(runs, 2);
});

Deno.test("usePrevious shows nothing of what was there before the store was emptied", async () => {
  const server = new Server();
  const clock = new FakeClock();
  using _ = clock.install();
  using controller = new Controller({ strict: true });
  const search = new Endpoint(server.handle<[params: { q: string }]>("search"), { name: "search", schema: [Film] });
  const shown: string[] = [];
  function Results() {
    const films = usePrevious(useDLE(search, { q: "a" }).data);
    shown.push(films?.map(({ title }) => title).join() ?? "none");
    return null;
  }
  await using _app = mount(
    <App controller={controller}>
      <Results />
    </App>,
  );
  await settled();
  server.last.answer([{ id: "1", title: "Ann's" }]);
  await settled();
  controller.resetEntireStore();
  await settled();
  server.last.answer([{ id: "2", title: "Bo's" }]);
  await settled();
  assertEquals(shown, ["none", "Ann's", "none", "Bo's"]);
});

Deno.test("usePrevious keeps the old rows while the new ones are on their way", async () => {
  const server = new Server();
  using controller = new Controller({ strict: true });
  const search = new Endpoint(server.handle<[params: { q: string }]>("search"), { name: "search", schema: [Film] });
  const shown: string[] = [];
  function Results({ q }: { readonly q: string }) {
    const { data, loading } = useDLE(search, { q });
    const films = usePrevious(data);
    shown.push(`${q}: ${films?.map(({ title }) => title).join() ?? "none"}${loading ? " …" : ""}`);
    return null;
  }
  const page = (q: string) => (
    <App controller={controller}>
      <Results q={q} />
    </App>
  );
  await using app = mount(page("a"));
  await settled();
  server.last.answer([{ id: "1", title: "Alien" }]);
  await settled();
  app.render(page("al"));
  await settled();
  app.render(page("ali"));
  await settled();
  server.last.answer([]);
  await settled();
  assertEquals(shown, ["a: none …", "a: Alien", "al: Alien …", "ali: Alien …", "ali: "]);
});

Deno.test("useError shows what a read elsewhere has failed with, and never fetches", async () => {
  using cinema = start();
  function Trouble({ id }: { readonly id: string | null }) {
    return <p>{useError(cinema.get, id === null ? null : { id })?.message ?? "fine"}</p>;
  }
  const page = (id: string | null) => (
    <App controller={cinema.controller}>
      <Trouble id={id} />
    </App>
  );
  await using app = mount(page("1"));
  await settled();
  assertEquals([app.text, cinema.server.asked.length], ["fine", 0]);
  cinema.controller.setError(cinema.get, { id: "1" }, new Error("gone"));
  await settled();
  assertEquals(app.text, "gone");
  app.render(page(null));
  assertEquals([app.text, cinema.server.asked.length], ["fine", 0]);
});

Deno.test("what is thrown that is no error is the same error at each rendering", async () => {
  using cinema = start();
  const thrown = { code: 7 };
  cinema.controller.setError(cinema.get, { id: "1" }, thrown);
  const seen: unknown[] = [];
  function Trouble(_: { readonly run: number }) {
    seen.push(useError(cinema.get, { id: "1" }), useDLE(cinema.get, { id: "1" }).error);
    return null;
  }
  const page = (run: number) => (
    <App controller={cinema.controller}>
      <Trouble run={run} />
    </App>
  );
  await using app = mount(page(1));
  app.render(page(2));
  await settled();
  assert(seen.length === 4 && seen.every((error) => error === seen[0]));
  assertStrictEquals((seen[0] as Error).cause, thrown);
});

Deno.test("useDLE of an inactive object schema has its literals, and refetch does nothing", async () => {
  const server = new Server();
  using controller = new Controller();
  const page = new Endpoint(server.handle<[params: { n: number }]>("page"), {
    name: "page",
    schema: new schema.Object({ films: [Film], total: 0 }),
  });
  let seen: unknown;
  let refetched: unknown = 0;
  function Empty() {
    const { data, loading, isFetching, refetch } = useDLE(page, null);
    seen = [data, loading, isFetching];
    refetch().then((value) => refetched = value);
    return null;
  }
  await using _ = mount(<App controller={controller}>{<Empty />}</App>);
  await settled();
  assertEquals([seen, refetched, server.asked.length], [[{ films: [], total: 0 }, false, false], undefined, 0]);
});
