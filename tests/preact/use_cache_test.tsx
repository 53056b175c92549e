import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import { Controller, Endpoint, Query, schema } from "@rejoin/data";
import { useCache } from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";
import { App, fill, Film, Server } from "./_cinema.tsx";

function start(policy: Parameters<Server["filmEndpoint"]>[0] = {}) {
  const clock = new FakeClock();
  const restore = clock.install();
  const server = new Server();
  const controller = new Controller({ strict: true });
  const get = server.filmEndpoint(policy);
  const renders = { count: 0 };
  function Page({ id }: { readonly id: string | null }) {
    renders.count++;
    return <p>{useCache(get, id === null ? null : { id })?.title ?? "none"}</p>;
  }
  const page = (id: string | null) => (
    <App controller={controller}>
      <Page id={id} />
    </App>
  );
  return { clock, server, controller, get, renders, page, [Symbol.dispose]: restore };
}

Deno.test("useCache never fetches, and shows what comes", async () => {
  using cinema = start();
  await using app = mount(cinema.page("1"));
  await settled();
  assertEquals([app.text, cinema.server.names], ["none", ""]);
  const answer = cinema.controller.fetch(cinema.get, { id: "1" });
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await answer;
  await settled();
  assertEquals([app.text, cinema.renders.count], ["Alien", 2]);
});

Deno.test("useCache shows a detail out of a list", async () => {
  using cinema = start();
  fill(cinema.controller, { id: "1", title: "Alien" });
  await using app = mount(cinema.page("1"));
  assertEquals(app.text, "Alien");
});

Deno.test("useCache shows what is stale, unless the endpoint does not", async () => {
  for (const invalidIfStale of [false, true]) {
    using cinema = start({ invalidIfStale });
    cinema.controller.setResponse(cinema.get, { id: "1" }, { id: "1", title: "Alien" });
    cinema.clock.tick(60_000);
    await using app = mount(cinema.page("1"));
    assertEquals(app.text, invalidIfStale ? "none" : "Alien");
  }
});

Deno.test("useCache shows nothing when its read is invalidated, and nothing of an error", async () => {
  using cinema = start();
  cinema.controller.setResponse(cinema.get, { id: "1" }, { id: "1", title: "Alien" });
  await using app = mount(cinema.page("1"));
  cinema.controller.invalidate(cinema.get, { id: "1" });
  await settled();
  assertEquals(app.text, "none");
  cinema.controller.setError(cinema.get, { id: "1" }, new Error("no luck"));
  await settled();
  assertEquals([app.text, cinema.server.names], ["none", ""]);
});

Deno.test("useCache goes on showing its data when a refetch fails hard", async () => {
  using cinema = start({ errorPolicy: () => "hard" });
  cinema.controller.setResponse(cinema.get, { id: "1" }, { id: "1", title: "Alien" });
  await using app = mount(cinema.page("1"));
  cinema.controller.setError(cinema.get, { id: "1" }, new Error("no luck"));
  await settled();
  assertEquals(app.text, "Alien");
});

Deno.test("useCache gives the skeleton of an object schema when its first argument is null, and forgets what it read", async () => {
  const server = new Server();
  const controller = new Controller();
  const page = new Endpoint(server.handle<[id: string]>("page"), { name: "page", schema: { film: Film, next: 0 } });
  controller.setResponse(page, "1", { film: { id: "1", title: "Alien" }, next: 2 });
  const seen: unknown[] = [];
  function Page({ id }: { readonly id: string | null }) {
    seen.push(useCache(page, id));
    return null;
  }
  const at = (id: string | null) => (
    <App controller={controller}>
      <Page id={id} />
    </App>
  );
  await using app = mount(at("1"));
  app.render(at(null));
  await settled();
  assertEquals(seen.at(-1), { film: undefined, next: 0 });
  controller.set(Film, { id: "1" }, { title: "Aliens" });
  await settled();
  assertEquals(seen.length, 2);
});

Deno.test("useCache reads a Query, and renders again only when what it makes is different", async () => {
  const controller = new Controller();
  const titles = new Query(
    new schema.All(Film),
    (films, { max }: { max: number }) => films.map(({ title }) => title).sort().slice(0, max),
  );
  let renders = 0;
  function Page({ max }: { readonly max: number }) {
    renders++;
    return <p>{useCache(titles, { max })?.join() ?? "none"}</p>;
  }
  const at = (max: number) => (
    <App controller={controller}>
      <Page max={max} />
    </App>
  );
  await using app = mount(at(2));
  assertEquals(app.text, "none");
  fill(controller, { id: "1", title: "C" }, { id: "2", title: "A" }, { id: "3", title: "B" });
  await settled();
  assertEquals([app.text, renders], ["A,B", 2]);
  controller.set(Film, { id: "1" }, { title: "D" });
  await settled();
  assertEquals([app.text, renders], ["A,B", 2]);
  app.render(at(3));
  await settled();
  assertEquals([app.text, renders], ["A,B,D", 3]);
});

Deno.test("15.4 useCache refuses a mutation, of which nothing is stored", async () => {
  const server = new Server();
  function Page() {
    return <p>{String(useCache(server.removeFilm as never, ...[{ id: "1" }] as never))}</p>;
  }
  await using app = mount(
    <App>
      <Page />
    </App>,
  );
  await settled();
  assert(
    app.text.startsWith('SchemaError: useCache() takes an endpoint or a Query, and was given "removeFilm"'),
    app.text,
  );
  assertEquals(server.names, "");
});
