import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { Controller } from "@rejoin/data";
import { type FetchedPromise, useFetch } from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";
import { App, Film, Server } from "./_cinema.tsx";

/** A page that gives away what `useFetch` gave it at each rendering. */
function start(policy: Parameters<Server["filmEndpoint"]>[0] = {}) {
  const clock = new FakeClock();
  const restore = clock.install();
  const server = new Server();
  const controller = new Controller({ strict: true });
  const get = server.filmEndpoint(policy);
  const seen: (FetchedPromise<Film> | undefined)[] = [];
  function Page({ id }: { readonly id: string | null }) {
    const read = useFetch(get, id === null ? null : { id });
    seen.push(read);
    return <p>{read === undefined ? "none" : `${read.status} ${read.resolved} ${read.value?.title} ${read.reason}`}</p>;
  }
  const page = (id: string | null) => (
    <App controller={controller}>
      <Page id={id} />
    </App>
  );
  return {
    clock,
    server,
    controller,
    get,
    seen,
    page,
    [Symbol.dispose]: () => {
      controller.cleanup();
      restore();
    },
  };
}

Deno.test("useFetch gives a pending promise at once, and a fulfilled one when the data is there", async () => {
  using cinema = start();
  await using app = mount(cinema.page("1"));
  assertEquals(app.text, "pending false undefined undefined");
  const [pending] = cinema.seen;
  await settled();
  assertEquals([cinema.seen.length, cinema.server.names], [1, "getFilm"]);
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals([app.text, cinema.seen.length], ["fulfilled true Alien undefined", 2]);
  assertStrictEquals(await pending!, cinema.controller.get(Film, { id: "1" })!);
  assertStrictEquals(await cinema.seen[1]!, cinema.controller.get(Film, { id: "1" })!);
});

Deno.test("useFetch gives the same promise as long as it tells the same", async () => {
  using cinema = start();
  await using app = mount(cinema.page("1"));
  app.render(cinema.page("1"));
  app.render(cinema.page("1"));
  await settled();
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  app.render(cinema.page("1"));
  await settled();
  assertEquals(new Set(cinema.seen).size, 2);
  cinema.controller.set(Film, { id: "1" }, { title: "Aliens" });
  await settled();
  assertEquals([app.text, new Set(cinema.seen).size], ["fulfilled true Aliens undefined", 3]);
});

Deno.test("useFetch gives a rejected promise that nobody needs to look at when the read fails without data", async () => {
  using cinema = start();
  await using app = mount(cinema.page("1"));
  await settled();
  cinema.server.last.fail(new Error("no luck"));
  for (let tick = 0; tick < 20; tick++) await settled();
  assertEquals([app.text, cinema.server.names], ["rejected true undefined Error: no luck", "getFilm"]);
  await assertRejects(() => Promise.resolve(cinema.seen.at(-1)!), Error, "no luck");
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
    await using app = mount(cinema.page("1"));
    assertEquals(app.text, "fulfilled true Alien undefined");
    await settled();
    cinema.server.last.fail(new Error("no luck"));
    for (let tick = 0; tick < 20; tick++) await settled();
    assertEquals([app.text, cinema.server.names], [text, "getFilm"]);
  });
}

Deno.test("useFetch is pending while it asks for what is stale when stale data must not be shown", async () => {
  using cinema = start({ invalidIfStale: true });
  cinema.controller.setResponse(cinema.get, { id: "1" }, { id: "1", title: "Alien" });
  cinema.clock.tick(60_000);
  await using app = mount(cinema.page("1"));
  assertEquals(app.text, "pending false undefined undefined");
  await settled();
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals(app.text, "fulfilled true Alien undefined");
});

Deno.test("useFetch gives nothing and asks for nothing when its first argument is null", async () => {
  using cinema = start();
  await using app = mount(cinema.page(null));
  await settled();
  assertEquals([app.text, cinema.server.names], ["none", ""]);
  app.render(cinema.page("1"));
  await settled();
  assertEquals(cinema.server.names, "getFilm");
  app.render(cinema.page(null));
  await settled();
  assertEquals([app.text, cinema.server.last.isAborted], ["none", true]);
});

Deno.test("useFetch asks again when the store is reset, whether it waits or shows", async () => {
  using cinema = start();
  await using app = mount(cinema.page("1"));
  await settled();
  cinema.controller.resetEntireStore();
  await settled();
  assertEquals([app.text, cinema.server.names], ["pending false undefined undefined", "getFilm,getFilm"]);
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals(app.text, "fulfilled true Alien undefined");
  cinema.controller.resetEntireStore();
  await settled();
  assertEquals([app.text, cinema.server.names], ["pending false undefined undefined", "getFilm,getFilm,getFilm"]);
});

Deno.test("useFetch is rejected, and does not ask again and again, when its request was aborted from outside", async () => {
  const abort = new AbortController();
  using cinema = start({ signal: abort.signal });
  await using app = mount(cinema.page("1"));
  await settled();
  abort.abort(new Error("not allowed"));
  for (let tick = 0; tick < 20; tick++) await settled();
  assertEquals([app.text, cinema.server.names], ["rejected true undefined Error: not allowed", "getFilm"]);
});

Deno.test("useFetch goes from one promise to another when its arguments change, and gives the old request up", async () => {
  using cinema = start();
  await using app = mount(cinema.page("1"));
  await settled();
  app.render(cinema.page("2"));
  await settled();
  assert(cinema.server.asked[0]!.isAborted);
  assert(!cinema.server.asked[1]!.isAborted);
  assertEquals(new Set(cinema.seen).size, 2);
  cinema.server.last.answer({ id: "2", title: "Brazil" });
  await settled();
  assertEquals(app.text, "fulfilled true Brazil undefined");
});

Deno.test("useFetch takes undefined for data when it has no schema", async () => {
  const server = new Server();
  const read = server.valueEndpoint("read");
  const seen = new Set<unknown>();
  function Page() {
    const fetched = useFetch(read)!;
    seen.add(fetched);
    return <p>{fetched.status}</p>;
  }
  await using app = mount(
    <App>
      <Page />
    </App>,
  );
  await settled();
  server.last.answer(undefined);
  await settled();
  assertEquals([app.text, server.names, seen.size], ["fulfilled", "read", 2]);
});

Deno.test("13.D3 what useFetch gives is a promise: catch and finally are there in every state", async () => {
  using cinema = start();
  await using app = mount(cinema.page("1"));
  const [pending] = cinema.seen;
  const ends: string[] = [];
  const watched = pending!.catch((error) => ends.push(`caught ${error.message}`)).finally(() => ends.push("ended"));
  await settled();
  cinema.server.last.fail(new Error("no luck"));
  await watched;
  for (let tick = 0; tick < 20; tick++) await settled();
  const failed = cinema.seen.at(-1)!;
  assert(failed instanceof Promise && failed.status === "rejected");
  await failed.catch((error) => ends.push(`caught ${error.message}`));
  assertEquals([ends, app.text], [
    ["caught no luck", "ended", "caught no luck"],
    "rejected true undefined Error: no luck",
  ]);
});
