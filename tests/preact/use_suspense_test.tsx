import { mount, rendered, settled } from "../support/dom.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { signal } from "@preact/signals-core";
import { Controller, Endpoint, Entity, schema } from "@rejoin/data";
import { useSuspense } from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";
import { App, fill, Film, press, Server } from "./_cinema.tsx";

type FilmEndpoint = Server["getFilm"];

let renders = 0;

/** One film; counts its renderings, those that suspend included. */
function FilmPage({ get, id }: { readonly get: FilmEndpoint; readonly id: string }) {
  renders++;
  return <p>{useSuspense(get, { id }).title}</p>;
}

/** A server, a controller and a clock, and an app with one film on its page. */
function start({ policy = {}, id = "1" }: { policy?: Parameters<Server["filmEndpoint"]>[0]; id?: string } = {}) {
  const clock = new FakeClock();
  const restore = clock.install();
  const server = new Server();
  const controller = new Controller({ strict: true });
  const get = server.filmEndpoint(policy);
  const page = (shown: string) => (
    <App controller={controller}>
      <FilmPage get={get} id={shown} />
    </App>
  );
  renders = 0;
  return {
    clock,
    server,
    controller,
    get,
    page,
    mount: () => mount(page(id)),
    [Symbol.dispose]: () => {
      controller.cleanup();
      restore();
    },
  };
}

Deno.test("useSuspense fetches and waits when it mounts", async () => {
  using cinema = start();
  await using app = cinema.mount();
  await settled();
  assertEquals(app.text, "…");
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals(app.text, "Alien");
  assertEquals(cinema.server.names, "getFilm");
  assertEquals(renders, 2);
});

Deno.test("useSuspense shows at once, and fetches nothing, when the cache is fresh", async () => {
  using cinema = start();
  cinema.controller.setResponse(cinema.get, { id: "1" }, { id: "1", title: "Alien" });
  await using app = cinema.mount();
  assertEquals(app.text, "Alien");
  await settled();
  assertEquals(cinema.server.names, "");
  assertEquals(renders, 1);
});

Deno.test("useSuspense shows a detail out of a list when nobody asked for the detail", async () => {
  using cinema = start();
  cinema.controller.setResponse(cinema.server.getList, {}, [{ id: "1", title: "Alien" }]);
  await using app = cinema.mount();
  assertEquals(app.text, "Alien");
  await settled();
  assertEquals(cinema.server.names, "");
});

Deno.test("useSuspense has the freshness of the list when it shows a detail out of it", async () => {
  using cinema = start();
  cinema.controller.setResponse(cinema.server.getList, {}, [{ id: "1", title: "Alien" }]);
  cinema.clock.tick(60_000);
  await using app = cinema.mount();
  await settled();
  assertEquals(app.text, "Alien");
  assertEquals(cinema.server.names, "getFilm");
});

Deno.test("useSuspense shows stale data while it fetches when it mounts", async () => {
  using cinema = start();
  cinema.controller.setResponse(cinema.get, { id: "1" }, { id: "1", title: "Alien" });
  cinema.clock.tick(60_000);
  await using app = cinema.mount();
  await settled();
  assertEquals([app.text, cinema.server.names], ["Alien", "getFilm"]);
  cinema.server.last.answer({ id: "1", title: "Aliens" });
  await settled();
  assertEquals([app.text, cinema.server.names], ["Aliens", "getFilm"]);
});

Deno.test("useSuspense waits for new data when stale data must not be shown", async () => {
  using cinema = start({ policy: { invalidIfStale: true } });
  cinema.controller.setResponse(cinema.get, { id: "1" }, { id: "1", title: "Alien" });
  cinema.clock.tick(60_000);
  await using app = cinema.mount();
  await settled();
  assertEquals([app.text, cinema.server.names], ["…", "getFilm"]);
  cinema.server.last.answer({ id: "1", title: "Aliens" });
  await settled();
  assertEquals([app.text, cinema.server.names], ["Aliens", "getFilm"]);
});

for (const dataExpiryLength of [0, 60_000]) {
  Deno.test(`useSuspense keeps showing what was fetched when it expires after ${dataExpiryLength} ms under invalidIfStale`, async () => {
    using cinema = start({ policy: { invalidIfStale: true, dataExpiryLength } });
    await using app = cinema.mount();
    await settled();
    cinema.server.last.answer({ id: "1", title: "Alien" });
    await settled();
    cinema.clock.tick(100_000);
    cinema.controller.set(Film, { id: "1" }, { title: "Aliens" });
    await settled();
    assertEquals([app.text, cinema.server.names], ["Aliens", "getFilm"]);
  });
}

Deno.test("useSuspense hides and fetches again when its read is invalidated", async () => {
  using cinema = start();
  await using app = cinema.mount();
  await settled();
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  cinema.controller.invalidate(cinema.get, { id: "1" });
  await settled();
  assertEquals([app.text, cinema.server.names], ["…", "getFilm,getFilm"]);
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals([app.text, cinema.server.names], ["Alien", "getFilm,getFilm"]);
});

Deno.test("useSuspense hides and fetches when an inferred read is invalidated", async () => {
  using cinema = start();
  fill(cinema.controller, { id: "1", title: "Alien" });
  await using app = cinema.mount();
  await settled();
  cinema.controller.invalidateAll(cinema.get);
  await settled();
  assertEquals([app.text, cinema.server.names], ["…", "getFilm"]);
});

Deno.test("useSuspense fetches again without hiding when its read is expired", async () => {
  using cinema = start();
  await using app = cinema.mount();
  await settled();
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  cinema.controller.expireAll(cinema.get);
  await settled();
  assertEquals([app.text, cinema.server.names], ["Alien", "getFilm,getFilm"]);
  cinema.server.last.answer({ id: "1", title: "Aliens" });
  await settled();
  assertEquals([app.text, cinema.server.names], ["Aliens", "getFilm,getFilm"]);
});

Deno.test("useSuspense fetches again when the store is reset while it shows data", async () => {
  using cinema = start();
  await using app = cinema.mount();
  await settled();
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  cinema.controller.resetEntireStore();
  await settled();
  assertEquals([app.text, cinema.server.names], ["…", "getFilm,getFilm"]);
  cinema.server.last.answer({ id: "1", title: "Brazil" });
  await settled();
  assertEquals(app.text, "Brazil");
});

Deno.test("useSuspense asks again when the store is reset while it waits", async () => {
  using cinema = start();
  await using app = cinema.mount();
  await settled();
  cinema.controller.resetEntireStore();
  await settled();
  assertEquals([app.text, cinema.server.names], ["…", "getFilm,getFilm"]);
  cinema.server.asked[0]!.answer({ id: "1", title: "Old" });
  await settled();
  assertEquals(app.text, "…");
  cinema.server.last.answer({ id: "1", title: "New" });
  await settled();
  assertEquals([app.text, cinema.server.names], ["New", "getFilm,getFilm"]);
});

Deno.test("useSuspense gives the new answer when its read is invalidated while it waits", async () => {
  using cinema = start();
  await using app = cinema.mount();
  await settled();
  cinema.controller.invalidate(cinema.get, { id: "1" });
  await settled();
  assertEquals(cinema.server.names, "getFilm,getFilm");
  assert(cinema.server.asked[0]!.isAborted);
  cinema.server.last.answer({ id: "1", title: "New" });
  await settled();
  assertEquals(app.text, "New");
});

Deno.test("useSuspense fetches nothing when its first argument is null", async () => {
  const server = new Server();
  const page = new Endpoint(server.handle<[id: string]>("page"), {
    name: "page",
    schema: { film: Film, films: [Film], next: "none", deep: { more: [Film] } },
  });
  let seen: unknown;
  function Page() {
    seen = useSuspense(page, null);
    return <p>{String(useSuspense(server.getFilm, null))}</p>;
  }
  await using app = mount(
    <App>
      <Page />
    </App>,
  );
  await settled();
  assertEquals(app.text, "undefined");
  assertEquals(seen, { film: undefined, films: [], next: "none", deep: { more: [] } });
  assertEquals(server.names, "");
});

Deno.test("useSuspense starts and gives up its request when the first argument comes and goes", async () => {
  const server = new Server();
  const id = signal<string | undefined>(undefined);
  function Page() {
    const film = useSuspense(server.getFilm, id.value === undefined ? null : { id: id.value });
    return <p>{film?.title ?? "none"}</p>;
  }
  await using app = mount(
    <App>
      <Page />
    </App>,
  );
  await settled();
  id.value = "1";
  await settled();
  assertEquals([app.text, server.names], ["…", "getFilm"]);
  id.value = undefined;
  await settled();
  assertEquals([app.text, server.last.isAborted], ["none", true]);
});

Deno.test("useSuspense follows its arguments, and the old record renders it no more", async () => {
  using cinema = start();
  fill(cinema.controller, { id: "1", title: "Alien" }, { id: "2", title: "Brazil" });
  await using app = cinema.mount();
  app.render(cinema.page("2"));
  await settled();
  assertEquals([app.text, renders], ["Brazil", 2]);
  cinema.controller.set(Film, { id: "1" }, { title: "Aliens" });
  await settled();
  assertEquals(renders, 2);
  cinema.controller.set(Film, { id: "2" }, { title: "Brasil" });
  await settled();
  assertEquals([app.text, renders], ["Brasil", 3]);
});

Deno.test("useSuspense waits for what is missing when its arguments change, and goes on where it was", async () => {
  using cinema = start();
  fill(cinema.controller, { id: "1", title: "Alien" });
  await using app = cinema.mount();
  await settled();
  const paragraph = app.find("p");
  app.render(cinema.page("2"));
  await settled();
  assertEquals(app.text, "…");
  cinema.controller.set(Film, { id: "1" }, { title: "Aliens" });
  await settled();
  assertEquals([app.text, renders], ["…", 2]);
  cinema.server.last.answer({ id: "2", title: "Brazil" });
  await settled();
  assertEquals([app.text, app.find("p") === paragraph], ["Brazil", true]);
});

Deno.test("useSuspense never fetches when time passes, however often it is rendered", async () => {
  using cinema = start();
  await using app = cinema.mount();
  await settled();
  cinema.server.last.answer({ id: "1", title: "Alien" });
  await settled();
  for (let i = 0; i < 5; i++) {
    await cinema.clock.tickAsync(60_000);
    cinema.controller.set(Film, { id: "1" }, { title: `Alien ${i}` });
    app.render(cinema.page("1"));
    await settled();
  }
  assertEquals([app.text, cinema.server.names], ["Alien 4", "getFilm"]);
});

Deno.test("useSuspense throws what a read failed with when there is no data, hard or soft", async () => {
  for (const errorPolicy of [() => "soft" as const, () => "hard" as const, () => undefined]) {
    using cinema = start({ policy: { errorPolicy } });
    await using app = cinema.mount();
    await settled();
    cinema.server.last.fail(new Error("no luck"));
    await settled();
    assertEquals([app.text, cinema.server.names], ["Error: no luck", "getFilm"]);
  }
});

Deno.test("useSuspense goes on showing its data when a refetch fails softly", async () => {
  using cinema = start({ policy: { errorPolicy: () => "soft" } });
  cinema.controller.setResponse(cinema.get, { id: "1" }, { id: "1", title: "Alien" });
  await using app = cinema.mount();
  cinema.controller.expireAll(cinema.get);
  await settled();
  cinema.server.last.fail(new Error("no luck"));
  await settled();
  assertEquals([app.text, cinema.server.names], ["Alien", "getFilm"]);
  cinema.clock.tick(100_000);
  cinema.controller.set(Film, { id: "1" }, { title: "Aliens" });
  await settled();
  assertEquals([app.text, cinema.server.names], ["Aliens", "getFilm"]);
});

Deno.test("useSuspense throws although it has data when a refetch fails hard", async () => {
  using cinema = start({ policy: { errorPolicy: () => "hard" } });
  cinema.controller.setResponse(cinema.get, { id: "1" }, { id: "1", title: "Alien" });
  await using app = cinema.mount();
  cinema.controller.expireAll(cinema.get);
  await settled();
  cinema.server.last.fail(new Error("no luck"));
  await settled();
  assertEquals([app.text, cinema.server.names], ["Error: no luck", "getFilm"]);
});

Deno.test("useSuspense shows the error without a request when it mounts soon after a failure, and asks when that is past", async () => {
  using cinema = start();
  cinema.controller.setError(cinema.get, { id: "1" }, new Error("no luck"));
  await using first = cinema.mount();
  await settled();
  assertEquals([first.text, cinema.server.names], ["Error: no luck", ""]);
  cinema.clock.tick(1_000);
  await using second = cinema.mount();
  await settled();
  assertEquals([second.text, cinema.server.names], ["…", "getFilm"]);
});

Deno.test("useSuspense asks again at once when the boundary is told to try again", async () => {
  for (const value of [new Error("no luck"), "a text"]) {
    using cinema = start();
    await using app = cinema.mount();
    await settled();
    cinema.server.last.fail(value);
    await settled();
    assertStringIncludes(app.text, value instanceof Error ? value.message : value);
    press(app.find("button"));
    await settled();
    assertEquals([app.text, cinema.server.names], ["…", "getFilm,getFilm"]);
    cinema.server.last.answer({ id: "1", title: "Alien" });
    await settled();
    assertEquals(app.text, "Alien");
  }
});

Deno.test("useSuspense asks again for everything that failed when the boundary is told to try again", async () => {
  using cinema = start();
  const { controller, get, server } = cinema;
  controller.setError(get, { id: "1" }, new Error("no luck"));
  controller.setError(get, { id: "2" }, new Error("no way"));
  await using app = mount(
    <App controller={controller}>
      <FilmPage get={get} id="1" />
      <FilmPage get={get} id="2" />
    </App>,
  );
  await settled();
  press(app.find("button"));
  await settled();
  assertEquals([app.text, server.names], ["…", "getFilm,getFilm"]);
});

for (const errorExpiryLength of [1_000, 0, Infinity]) {
  for (const before of ["nothing", "data", "invalid"]) {
    Deno.test(`useSuspense asks once when reads fail after ${before}, and an error lasts ${errorExpiryLength} ms`, async () => {
      using cinema = start({ policy: { errorExpiryLength } });
      const { controller, get, server } = cinema;
      if (before !== "nothing") controller.setResponse(get, { id: "1" }, { id: "1", title: "Alien" });
      await using app = cinema.mount();
      await settled();
      if (before === "data") controller.expireAll(get);
      if (before === "invalid") controller.invalidate(get, { id: "1" });
      for (let tick = 0; tick < 20; tick++) {
        server.asked.forEach(({ fail }) => fail(new Error("no luck")));
        await settled();
        cinema.clock.tick(100);
      }
      assertEquals([app.text, server.names], ["Error: no luck", "getFilm"]);
    });
  }
}

Deno.test("useSuspense asks once, and says why, when its requests end without an answer or an error in the store", async () => {
  const abort = new AbortController();
  abort.abort(new Error("not allowed"));
  const policies = [
    { signal: abort.signal },
    {
      errorPolicy() {
        throw new Error("not allowed");
      },
    },
  ];
  for (const policy of policies) {
    using cinema = start({ policy });
    await using app = cinema.mount();
    for (let tick = 0; tick < 20; tick++) {
      await settled();
      cinema.server.asked.forEach(({ fail }) => fail(new Error("not allowed")));
    }
    assertEquals(app.text, "Error: not allowed");
    assert(renders < 5, `${renders} renderings`);
    assert(cinema.server.asked.length < 2);
  }
});

class Director extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static key = "Director";
}

class Credited extends Entity {
  id = "";
  title = "";
  director = Director.fromJS();
  pk() {
    return this.id;
  }
  static key = "Credited";
  static schema = { director: Director };
  static validate(record: Partial<Credited>) {
    return record.title === undefined ? "title is missing" : undefined;
  }
}

for (
  const [what, shape, answer] of [
    ["a refused record", Credited, { id: "1", director: { id: "1", name: "Scott" } }],
    ["an object with a refused record", { film: Credited }, { film: { id: "1" } }],
    ["undefined", Film, undefined],
    ["an object of undefined", { film: Film }, undefined],
    ["a list of undefined", [Film], undefined],
  ] as const
) {
  Deno.test(`useSuspense asks once and shows an error when a read brings ${what}`, async () => {
    const server = new Server();
    // deno-lint-ignore no-explicit-any -- any schema
    const read: any = new Endpoint(server.handle<[]>("read"), { name: "read", schema: shape as any });
    function Page() {
      return <p>{JSON.stringify(useSuspense(read))}</p>;
    }
    await using app = mount(
      <App>
        <Page />
      </App>,
    );
    for (let tick = 0; tick < 20; tick++) {
      await settled();
      server.asked.forEach(({ answer: send }) => send(answer));
    }
    assertEquals(server.names, "read");
    assertStringIncludes(app.text, "Error: ");
  });
}

for (
  const [what, shape, answer, shown] of [
    ["a record", Credited, { id: "1", title: "Alien", director: "7" }, '{"id":"1","title":"Alien"}'],
    ["an object", { film: Film }, { film: "7" }, "{}"],
  ] as const
) {
  Deno.test(`useSuspense shows ${what} with a reference to what was never here`, async () => {
    const server = new Server();
    // deno-lint-ignore no-explicit-any -- any schema
    const read: any = new Endpoint(server.handle<[]>("read"), { name: "read", schema: shape as any });
    const Page = () => <p>{JSON.stringify(useSuspense(read))}</p>;
    await using app = mount(
      <App>
        <Page />
      </App>,
    );
    for (let tick = 0; tick < 5; tick++) {
      await settled();
      server.asked.forEach(({ answer: send }) => send(answer));
    }
    assertEquals([app.text, server.names], [shown, "read"]);
  });
}

Deno.test("useSuspense sends one request when two components ask for the same", async () => {
  using cinema = start();
  const { controller, get, server } = cinema;
  await using app = mount(
    <App controller={controller}>
      <FilmPage get={get} id="1" />
      <FilmPage get={get} id="1" />
    </App>,
  );
  await settled();
  assertEquals(server.names, "getFilm");
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals([app.text, renders], ["AlienAlien", 4]);
});

Deno.test("useSuspense has every request on its way when components beside each other wait", async () => {
  using cinema = start();
  const { controller, get, server } = cinema;
  await using app = mount(
    <App controller={controller}>
      <FilmPage get={get} id="1" />
      <div>
        <FilmPage get={get} id="2" />
      </div>
      <FilmPage get={get} id="3" />
    </App>,
  );
  await rendered();
  assertEquals(server.names, "getFilm,getFilm,getFilm");
  server.answerFilms();
  await settled();
  assertEquals([app.text, renders], ["Film 1Film 2Film 3", 6]);
});

for (const value of [null, 0, "", false, undefined, [], "text"]) {
  Deno.test(`useSuspense takes ${JSON.stringify(value)} for data when it has no schema`, async () => {
    const server = new Server();
    const read = server.valueEndpoint("read");
    const seen: unknown[] = [];
    function Page() {
      const data = useSuspense(read);
      seen.push(data);
      return <p>shown</p>;
    }
    await using app = mount(
      <App>
        <Page />
      </App>,
    );
    await settled();
    server.last.answer(value);
    for (let tick = 0; tick < 20; tick++) await settled();
    assertEquals([app.text, server.names, seen], ["shown", "read", [value]]);
  });
}

Deno.test("useSuspense takes null for data when it has a schema", async () => {
  const server = new Server();
  const seen: unknown[] = [];
  function Page() {
    seen.push(useSuspense(server.getFilm, { id: "1" }));
    return <p>shown</p>;
  }
  await using app = mount(
    <App>
      <Page />
    </App>,
  );
  await settled();
  server.last.answer(null);
  for (let tick = 0; tick < 20; tick++) await settled();
  assertEquals([app.text, server.names, seen], ["shown", "getFilm", [null]]);
});

Deno.test("useSuspense fetches again when what it shows is deleted, once who has deleted it could leave", async () => {
  using cinema = start();
  const { controller, get, server } = cinema;
  controller.setResponse(get, { id: "1" }, { id: "1", title: "Alien" });
  await using app = cinema.mount();
  const removal = controller.fetch(server.removeFilm, { id: "1" });
  server.last.answer({ id: "1" });
  await removal;
  await settled();
  assertEquals([app.text, server.names], ["…", "removeFilm"]);
  await cinema.clock.tickAsync();
  await settled();
  assertEquals([app.text, server.names], ["…", "removeFilm,getFilm"]);
  server.last.fail(new Error("gone"));
  await settled();
  assertEquals([app.text, server.names], ["Error: gone", "removeFilm,getFilm"]);
});

Deno.test("useSuspense refuses a mutation, which each rendering would send again", async () => {
  const server = new Server();
  function Page() {
    return <p>{JSON.stringify(useSuspense(server.removeFilm as never, ...[{ id: "1" }] as never))}</p>;
  }
  await using app = mount(
    <App>
      <Page />
    </App>,
  );
  await settled();
  assertStringIncludes(app.text, 'SchemaError: "removeFilm" is a mutation');
  assertEquals(server.names, "");
});

Deno.test("useSuspense shows an error when its arguments make no key, and goes on when they do", async () => {
  using cinema = start();
  fill(cinema.controller, { id: "1", title: "Alien" });
  await using app = mount(cinema.page((() => {}) as never));
  await settled();
  assertStringIncludes(app.text, "EndpointError: Cannot make a key of a function");
  app.render(cinema.page("1"));
  press(app.find("button"));
  await settled();
  assertEquals(app.text, "Alien");
});

Deno.test("useSuspense does not render again when a signal changes that only the request read", async () => {
  const server = new Server();
  const token = signal("a");
  const tokens: string[] = [];
  const ask = server.handle<[params: { id: string }]>("getFilm");
  const get = new Endpoint(function (params: { id: string }) {
    tokens.push(token.value);
    return ask.call(this, params);
  }, { name: "getFilm", schema: Film });
  renders = 0;
  await using app = mount(
    <App>
      <FilmPage get={get} id="1" />
    </App>,
  );
  await settled();
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  token.value = "b";
  await settled();
  assertEquals([app.text, tokens, renders], ["Alien", ["a"], 2]);
});

Deno.test("useSuspense reads the new endpoint when it is given another one, and nothing more when it is the same in all", async () => {
  using cinema = start();
  const { controller, server } = cinema;
  fill(controller, { id: "1", title: "Alien" });
  const page = (get: FilmEndpoint) => (
    <App controller={controller}>
      <FilmPage get={get} id="1" />
    </App>
  );
  await using app = mount(page(server.getFilm));
  app.render(page(server.getFilm.extend({ dataExpiryLength: 5 })));
  await settled();
  assertEquals([app.text, server.names], ["Alien", ""]);
  const other = server.filmEndpoint().extend({ name: "getFilm2" });
  controller.setResponse(other, { id: "1" }, { id: "2", title: "Brazil" });
  app.render(page(other));
  await settled();
  assertEquals([app.text, server.names], ["Brazil", ""]);
});

Deno.test("useSuspense waits for the store when a middleware keeps the request for itself", async () => {
  const server = new Server();
  let let_go = () => {};
  const controller = new Controller({
    managers: [{
      middleware: () => (next) => (action) => {
        if (action.type !== "fetch") return next(action);
        return new Promise((resolve) => let_go = () => resolve(next(action)));
      },
    }],
  });
  renders = 0;
  await using app = mount(
    <App controller={controller}>
      <FilmPage get={server.getFilm} id="1" />
    </App>,
  );
  for (let tick = 0; tick < 20; tick++) await settled();
  assertEquals([app.text, server.names, renders], ["…", "", 1]);
  let_go();
  await settled();
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals([app.text, server.names], ["Alien", "getFilm"]);
  controller.cleanup();
});

Deno.test("useSuspense shows an array of entities and one rendering a change", async () => {
  using cinema = start();
  const { controller } = cinema;
  const all = new Endpoint(cinema.server.handle<[]>("all"), { name: "all", schema: new schema.All(Film) });
  let count = 0;
  function List() {
    count++;
    return <p>{useSuspense(all).map(({ title }) => title).join()}</p>;
  }
  await using app = mount(
    <App controller={controller}>
      <List />
    </App>,
  );
  await settled();
  cinema.server.last.answer([]);
  await settled();
  assertEquals([app.text, count], ["", 2]);
  controller.set(Film, { id: "2" }, { title: "Brazil" });
  await settled();
  assertEquals([app.text, count], ["Brazil", 3]);
});
