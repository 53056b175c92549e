import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertRejects, assertStrictEquals, assertStringIncludes } from "@std/assert";
import * as fc from "fast-check";
import { Window } from "happy-dom";
import { hydrate as hydrateDom } from "preact";
import { Controller, Endpoint, Entity, hydrate, schema, type State, stateOf } from "@rejoin/data";
import { AsyncBoundary, DataProvider, ErrorBoundary, useSuspense } from "@rejoin/data/preact";
import { readState, renderPage, stateScript } from "@rejoin/data/ssr";
import { FakeClock } from "../support/clock.ts";
import { hostileController, hostileState, hostileText } from "../support/hostile_state.ts";
import { check, runs } from "../support/property.ts";
import { replaceGlobals } from "../support/replace_globals.ts";

class Film extends Entity {
  id = "";
  title = "";
  at = new Date(0);
  static key = "Film";
  static schema = { at: Date };
}
let asked = 0;
const getFilm = new Endpoint(async ({ id }: { id: string }) => {
  asked++;
  return await Promise.resolve({ id, title: `Film ${id}`, at: "2020-02-03T00:00:00Z" });
}, { name: "getFilm", schema: Film });

/** Puts an element into the document, as a browser would parse it. */
function put(script: string): Disposable & { readonly element: HTMLElement } {
  const place = document.createElement("div");
  place.innerHTML = script;
  document.body.append(place);
  return { element: place.firstElementChild as HTMLElement, [Symbol.dispose]: () => place.remove() };
}

Deno.test("what was fetched on the server is as fresh in the browser, whatever the clocks say", async () => {
  for (const ahead of [-86_400_000, 0, 7 * 86_400_000]) {
    const clock = new FakeClock();
    using _ = clock.install();
    const server = new Controller();
    await server.fetch(getFilm, { id: "1" });
    clock.tick(20_000);
    const script = stateScript(server);
    clock.jump(ahead);
    using _script = put(script);
    using browser = new Controller({ use: [hydrate(readState()!)] });
    const { data, expiresAt, fetchedAt } = browser.getResponseMeta(getFilm, { id: "1" });
    assertEquals([data?.title, data?.at.getUTCFullYear()], ["Film 1", 2020]);
    assertEquals([expiresAt - clock.now(), clock.now() - fetchedAt!], [40_000, 20_000]);
    clock.tick(40_001);
    assert(browser.getResponse(getFilm, { id: "1" }).expiresAt <= clock.now());
  }
});

Deno.test("a page that comes out of the browser's cache is as old as its data says", async () => {
  for (const [transferSize, left] of [[0, 20_000], [742, 60_000]] as const) {
    const clock = new FakeClock();
    using _ = clock.install();
    const server = new Controller();
    await server.fetch(getFilm, { id: "1" });
    using _script = put(stateScript(server));
    clock.tick(40_000);
    const arrival = { responseStart: clock.monotonic(), transferSize };
    using _page = replaceGlobals({ performance: { getEntriesByType: () => [arrival] } });
    using browser = new Controller({ use: [hydrate(readState()!)] });
    assertEquals(browser.getResponse(getFilm, { id: "1" }).expiresAt - clock.now(), left);
  }
});

Deno.test("deleted records, errors and what lasts for ever survive", async () => {
  const server = new Controller();
  const getEver = getFilm.extend({ dataExpiryLength: Infinity });
  await server.fetch(getEver, { id: "1" });
  server.set(new schema.Invalidate(Film), { id: "2" });
  server.setError(getFilm, { id: "3" }, Object.assign(new Error("none"), { status: 404 }));
  using _ = put(stateScript(server));
  const state = readState()!;
  assertEquals<unknown>({ ...state, optimistic: [], lastReset: 0 }, stateOf(new Controller({ use: [hydrate(state)] })));
  using browser = new Controller({ use: [hydrate(state)] });
  assertEquals(browser.getResponse(getEver, { id: "1" }).expiresAt, Infinity);
  assertEquals((browser.getError(getFilm, { id: "3" }) as { status?: number }).status, 404);
  assert(Object.hasOwn(state.entitiesMeta!.Film!, "2"));
});

/** What is said while a function runs. */
function warningsOf(run: () => void): string[] {
  const said: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void said.push(text);
  try {
    run();
  } finally {
    console.warn = warn;
  }
  return said;
}

Deno.test("15. with clocks an hour apart what was fresh on the server is as fresh in the browser", async () => {
  for (const ahead of [-3_600_000, 3_600_000]) {
    const clock = new FakeClock();
    using _ = clock.install();
    const server = new Controller();
    await server.fetch(getFilm, { id: "1" });
    server.setError(getFilm, { id: "3" }, Object.assign(new Error("none"), { status: 404 }));
    clock.tick(50_000);
    const script = stateScript(server);
    clock.jump(ahead);
    using _script = put(script);
    using browser = new Controller({ use: [hydrate(readState()!)] });
    asked = 0;
    assertEquals(browser.fetchIfStale(getFilm, { id: "1" }), browser.get(Film, { id: "1" }));
    // What has failed there is not asked for by the page that says so, however long that took to come.
    await assertRejects(async () => await browser.fetchIfStale(getFilm, { id: "3" }), Error, "none");
    assertEquals(asked, 0);
    // Nor where a slow device takes its time to hydrate the page.
    clock.tick(9_000);
    await assertRejects(async () => await browser.fetchIfStale(getFilm, { id: "3" }), Error, "none");
    assertEquals(asked, 0);
    clock.tick(1_001);
    await browser.fetchIfStale(getFilm, { id: "1" });
    await browser.fetchIfStale(getFilm, { id: "3" });
    assertEquals(asked, 2);
  }
});

Deno.test("15. what is no record, answer or time is left out by itself, and named", async () => {
  const server = new Controller();
  for (const id of ["1", "2", "3", "4", "5"]) await server.fetch(getFilm, { id });
  server.set(new schema.Invalidate(Film), { id: "6" });
  server.setError(getFilm, { id: "7" }, new Error("none"));
  const [start, text, end] = stateScript(server).split(/(?<=^<[^>]*>)|(?=<)/) as [string, string, string];
  const written = JSON.parse(text) as { state: { [part: string]: { [name: string]: unknown } } };
  const { entities, entitiesMeta, endpoints, meta } = written.state as {
    [part: string]: { [name: string]: { [name: string]: unknown } };
  };
  entities!.Film!["1"] = "a text";
  entities!.Film!["2"] = { title: { "~rejoin": ["bigint", "no number"] } };
  entitiesMeta!.Film!["3"] = { fetchedAt: "yesterday", expiresAt: 0 };
  entitiesMeta!.Film!["6"] = 5 as never;
  entities!.Other = 5 as never;
  entities!.Alien = { "1": { id: "1" } };
  endpoints!['getFilm [{"id":"4"}]'] = { "~rejoin": ["url", "::"] };
  meta!['getFilm [{"id":"7"}]'] = [] as never;
  written.state.order = { Film: 7 };
  using _ = put(start + JSON.stringify(written) + end);
  let browser!: Controller;
  const said = warningsOf(() => browser = new Controller({ use: [hydrate(readState()!)] }));
  assertEquals(said.length, 1);
  for (
    const name of [
      "entities.Film.1,",
      "entities.Film.2,",
      "entities.Other,",
      "entitiesMeta.Film.3,",
      "entitiesMeta.Film.6,",
      'endpoints.getFilm [{"id":"4"}],',
      'meta.getFilm [{"id":"7"}].',
      "order.Film,",
    ]
  ) assertStringIncludes(said[0]!, name);
  // The rest is shown at once. Nobody knows what it lacks, so it is asked for again.
  assertEquals(browser.getResponse(getFilm, { id: "5" }).data?.title, "Film 5");
  assertEquals(browser.getResponse(getFilm, { id: "4" }).data?.title, "Film 4");
  // What was left out is not taken for something that was deleted.
  for (const id of ["1", "2", "6"]) assertStrictEquals(browser.get(Film, { id }), undefined);
  asked = 0;
  for (const id of ["1", "2", "3", "4", "5", "6", "7"]) await browser.fetchIfStale(getFilm, { id });
  assertEquals(asked, 7);
});

Deno.test("15. names of the prototype are names, and numbers keep their order", async () => {
  const getAll = new Endpoint(
    async () =>
      await Promise.resolve(["__proto__", "10", "constructor", "2", "toString"].map((id) => ({ id, title: id }))),
    { name: "getAll", schema: new schema.All(Film) },
  );
  const server = new Controller();
  await server.fetch(getAll);
  using _ = put(stateScript(server));
  using browser = new Controller({ use: [hydrate(readState()!)] });
  const titles = browser.getResponse(getAll).data?.map(({ title }) => title);
  assertEquals(titles, ["__proto__", "10", "constructor", "2", "toString"]);
});

Deno.test("15. data that is nested a hundred thousand levels deep comes through", async () => {
  const depth = 100_000;
  const getDeep = new Endpoint(
    async () => await Promise.resolve(JSON.parse('{"in":['.repeat(depth) + "1" + "]}".repeat(depth)) as unknown),
    { name: "getDeep" },
  );
  const server = new Controller();
  await server.fetch(getDeep);
  const element = document.createElement("script");
  element.id = "deep";
  element.textContent = stateScript(server).replace(/^<[^>]*>|<.*$/g, "");
  document.body.append(element);
  using browser = new Controller({ use: [hydrate(readState("deep")!)] });
  let value = browser.getResponse(getDeep).data as { in: unknown[] } | number;
  let found = 0;
  for (; typeof value === "object"; value = value.in[0] as typeof value) found++;
  assertEquals([found, value], [depth, 1]);
  element.remove();
});

Deno.test("what cannot be read is no state, and a warning", () => {
  assertStrictEquals(readState("nowhere"), undefined);
  const said = warningsOf(() => {
    for (const text of ["{", '{"version":1,"at":0,"state":{}}', "null"]) {
      using _ = put(`<script type="application/json" id="rejoin-state">${text}</script>`);
      assertStrictEquals(readState(), undefined);
    }
  });
  assertEquals(said.length, 3);
  assert(said.every((text) => text.startsWith("The data in #rejoin-state is not used: ")), said.join("\n"));
});

Deno.test("what a user wrote into the page under the id of the data is none", async () => {
  const server = new Controller();
  await server.fetch(getFilm, { id: "1" });
  const script = stateScript(server);
  const forged = (id: string) =>
    script.replace("Film 1", "forged").replaceAll("script", "p").replace("rejoin-state", id);
  // A sanitizer leaves ids, and texts, but no scripts.
  for (const id of ["rejoin-state", "rejoin-state-2"]) {
    using _forged = put(forged(id));
    using _ = put(script);
    assertEquals(Object.values(readState()!.entities!.Film!).map(({ title }) => title), ["Film 1"]);
  }
  using _ = put(script.replace("rejoin-state", 'a"b\\c'.replace('"', "&quot;")));
  assert(readState('a"b\\c') !== undefined);
});

Deno.test("of what was written nobody knows when, nothing is fresh", async () => {
  const server = new Controller();
  await server.fetch(getFilm.extend({ dataExpiryLength: Infinity }), { id: "1" });
  await server.fetch(getFilm, { id: "2" });
  server.setError(getFilm, { id: "3" }, new Error("none"));
  for (const at of ['"x"', "{}", "1e999"]) {
    using _ = put(stateScript(server).replace(/"at":\d+/, `"at":${at}`));
    let browser!: Controller;
    assertEquals(warningsOf(() => browser = new Controller({ use: [hydrate(readState())] })).length, 1);
    for (const id of ["1", "2", "3"]) assertEquals(browser.getResponse(getFilm, { id }).expiresAt, 0);
    assertEquals(browser.getResponse(getFilm, { id: "1" }).data?.title, "Film 1");
  }
});

/** How many states stand in one document: to make one takes longer than to read it. */
const STATES = 20;

Deno.test("nothing in the data ends the element, or comes out changed", async () => {
  let window = new Window();
  let parsed = 0;
  const parse = async (body: string) => {
    // A window keeps every document that it has parsed.
    if (++parsed % 100 === 0) {
      await window.happyDOM.close();
      window = new Window();
    }
    return [...new window.DOMParser().parseFromString(`<!doctype html><body>${body}`, "text/html").body.children];
  };
  const namesIn = async (body: string) => (await parse(body)).map(({ tagName }) => tagName).join();
  // The parser is one that sees it when something breaks out.
  for (const text of ["</script><i>", "</SCRIPT ><i>", "</script\n><i>"]) {
    assert(await namesIn(`<script type="application/json">${text}</script><b></b>`) !== "SCRIPT,B", text);
  }
  const property = fc.asyncProperty(
    fc.array(hostileState, { minLength: STATES, maxLength: STATES }),
    hostileText,
    async (states, id) => {
      const controllers = states.map(hostileController);
      const scripts = controllers.map((controller) => `${stateScript(controller, { id, nonce: id })}<b></b>`);
      const elements = await parse(scripts.join(""));
      assertEquals(elements.map(({ tagName }) => tagName).join(), "SCRIPT,B,".repeat(STATES).slice(0, -1));
      for (const [at, controller] of controllers.entries()) {
        const element = elements[at * 2]!;
        assertEquals([element.attributes.length, element.getAttribute("type")], [3, "application/json"]);
        const { state } = JSON.parse(element.textContent) as { state: State };
        const { entities, meta } = stateOf(controller);
        // As JSON has them: what is in the results may have been put into another form, which the reading takes back.
        assertEquals(JSON.stringify([state.entities, state.meta]), JSON.stringify([entities, meta]));
        assertEquals(Object.keys(state.endpoints), [`getText [{"arg":${JSON.stringify(states[at]!.arg)}}]`]);
      }
    },
  );
  await check(property, { name: "state_script", runs: runs(50, 1_000_000 / STATES) });
  await window.happyDOM.close();
});

Deno.test("15. whatever is in the data, it is read as it was", async () => {
  const property = fc.property(hostileState, (state) => {
    const controller = hostileController(state);
    const text = /^<[^>]*>(.*)<\/script>$/s.exec(stateScript(controller, { id: "data" }))![1]!;
    const element = document.createElement("script");
    element.id = "data";
    element.textContent = text;
    document.body.append(element);
    const { entities, endpoints } = readState("data")!;
    element.remove();
    const before = stateOf(controller);
    assertEquals(JSON.stringify([entities, endpoints]), JSON.stringify([before.entities, before.endpoints]));
  });
  await check(property, { name: "state_round_trip", runs: runs(1_000, 100_000) });
});

Deno.test("hydration asks for nothing, and changes nothing in the document", async () => {
  asked = 0;
  function FilmPage({ id }: { readonly id: string }) {
    const { title, at } = useSuspense(getFilm, { id });
    // One text: of several next to each other Preact makes as many when it hydrates.
    return <h1 class="title">{`${title} (${at.getUTCFullYear()})`}</h1>;
  }
  function App(props: { controller?: Controller; state?: ReturnType<typeof readState> }) {
    return (
      <DataProvider controller={props.controller} use={[hydrate(props.state)]}>
        <AsyncBoundary fallback="…">
          <FilmPage id="1" />
          <ul>
            {["2", "3"].map((id) => (
              <li key={id}>
                <FilmPage id={id} />
              </li>
            ))}
          </ul>
        </AsyncBoundary>
      </DataProvider>
    );
  }
  const page = await renderPage((controller) => <App controller={controller} />);
  assertEquals(asked, 3);
  using _ = put(page.script);
  const host = document.createElement("div");
  host.innerHTML = page.html;
  document.body.append(host);
  const changes: unknown[] = [];
  const observer = new (host.ownerDocument.defaultView as unknown as typeof globalThis).MutationObserver((records) =>
    changes.push(...records)
  );
  observer.observe(host, { subtree: true, childList: true, attributes: true, characterData: true });
  const before = host.innerHTML;
  hydrateDom(<App state={readState()} />, host);
  await settled();
  observer.disconnect();
  assertEquals([host.innerHTML, changes.length, asked], [before, 0, 3]);
  await using app = mount(<p />);
  assertEquals(app.text, "");
  host.remove();
});

for (const Boundary of [AsyncBoundary, ErrorBoundary]) {
  Deno.test(`what waits on a page is hydrated as it is also behind what has failed in an ${Boundary.name}`, async () => {
    const get = new Endpoint(({ id }: { readonly id: string }) => {
      if (id === "none") return Promise.reject(new Error("none"));
      return id === "late" ? new Promise<string>(() => {}) : Promise.resolve(id);
    }, { name: "get" });
    const Value = ({ id }: { readonly id: string }) => <p>{useSuspense(get, { id })}</p>;
    const Waits = ({ children }: { readonly children: preact.ComponentChildren }) => (
      <AsyncBoundary fallback={<u>…</u>}>{children}</AsyncBoundary>
    );
    const InPlace = () => <Waits>in place</Waits>;
    function App(props: { controller?: Controller; state?: ReturnType<typeof readState> }) {
      return (
        <DataProvider controller={props.controller} use={[hydrate(props.state)]}>
          <Boundary errorComponent={InPlace}>
            <Waits>before</Waits>
            <Value id="none" />
            <Waits>beside</Waits>
            <Waits>beside</Waits>
          </Boundary>
          <Waits>
            <h2>after</h2>
            <Waits>
              <Value id="late" />
            </Waits>
          </Waits>
        </DataProvider>
      );
    }
    const page = await renderPage((controller) => <App controller={controller} />, { deadline: 0 });
    assertEquals(page.html, "in place<h2>after</h2><u>…</u>");
    using _ = put(page.script);
    const host = document.createElement("div");
    host.innerHTML = page.html;
    document.body.append(host);
    const [heading, fallback] = host.children;
    hydrateDom(<App state={readState()} />, host);
    assert(host.children[0] === heading && host.children[1] === fallback && host.children.length === 2, host.innerHTML);
    await settled();
    assertEquals(host.textContent, "in placeafter…");
    host.remove();
  });
}

Deno.test("what waits on a page is hydrated as it is also where a state of the last visit comes after that of the page", async () => {
  const never = new Endpoint(() => new Promise<string>(() => {}), { name: "never" });
  const Value = () => <p>{useSuspense(never)}</p>;
  const visited = new Controller();
  function App(props: { controller?: Controller; state?: ReturnType<typeof readState> }) {
    return (
      <DataProvider
        controller={props.controller}
        use={[props.state, null, stateOf(visited)].map((state) => hydrate(state))}
      >
        <AsyncBoundary fallback={<u>…</u>}>
          <Value />
        </AsyncBoundary>
      </DataProvider>
    );
  }
  const page = await renderPage((controller) => <App controller={controller} />, { deadline: 0 });
  using _ = put(page.script);
  const host = document.createElement("div");
  host.innerHTML = page.html;
  document.body.append(host);
  const fallback = host.firstElementChild;
  hydrateDom(<App state={readState()} />, host);
  assertEquals([host.innerHTML, host.firstElementChild === fallback], ["<u>…</u>", true]);
  await settled();
  assertEquals(host.textContent, "…");
  host.remove();
});

Deno.test("what a page cannot carry is said, and is stale in the browser with all that holds it; the rest is not", async () => {
  class Shelf extends Entity {
    id = "";
    labels: unknown = undefined;
    static key = "Shelf";
  }
  class Point {
    x = 1;
  }
  class Money {
    toJSON() {
      return "5 €";
    }
  }
  const kinds: Record<string, unknown> = {
    Point: new Point(),
    Money: new Money(),
    Map: new Map([["a", 1]]),
    Set: new Set([1]),
    symbol: Symbol("x"),
    function: () => 1,
    Uint8Array: new Uint8Array(1),
  };
  const bare = Object.assign(Object.create(null), { a: 1 });
  // deno-lint-ignore no-sparse-arrays
  const holes = [1, , null, undefined];
  const carried = [-0, NaN, -Infinity, 10n, undefined, new Date(0), new URL("https://a.test"), "", null, bare, holes];
  for (const [what, labels] of [...Object.entries(kinds), ...carried.map((value) => ["", value] as const)]) {
    const ask = (data: unknown) => async () => await Promise.resolve(data);
    const getShelf = new Endpoint(ask({ id: "1", labels }), { name: "getShelf", schema: Shelf });
    const getShelves = new Endpoint(ask([{ id: "2", labels: "" }, { id: "1", labels }]), {
      name: "getShelves",
      schema: [Shelf],
    });
    const getOther = new Endpoint(ask({ id: "3", labels: "" }), { name: "getOther", schema: Shelf });
    const getPlain = new Endpoint(ask({ inner: { labels } }), { name: "getPlain" });
    const all = [getShelf, getShelves, getPlain, getOther];
    const server = new Controller({ strict: true });
    for (const one of all) await server.fetch(one);
    const said: unknown[] = [];
    const { warn } = console;
    console.warn = (text) => said.push(text);
    try {
      using _ = put(stateScript(server));
      using browser = new Controller({ use: [hydrate(readState()!)] });
      const fresh = all.map((one) => browser.getResponse(one).expiresAt > Date.now());
      const isCarried = what === "";
      assertEquals(fresh, [isCarried, isCarried, isCarried, true], what);
      assertEquals(said.length, isCarried ? 0 : 1);
      if (!isCarried) assertStringIncludes(String(said[0]), `a ${what} does not arrive as one`);
      else {
        const read = browser.getResponse(getPlain).data as { inner: { labels: unknown } };
        // A hole reads as an item without a value.
        assertEquals(read.inner.labels, Array.isArray(labels) ? [...labels] : labels);
        assert(typeof labels === "object" || Object.is(read.inner.labels, labels));
      }
    } finally {
      console.warn = warn;
    }
  }
});
