import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import * as fc from "fast-check";
import { Window } from "happy-dom";
import { hydrate as hydrateDom } from "preact";
import { Controller, Endpoint, Entity, hydrate, schema, stateOf } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useSuspense } from "@rejoin/data/preact";
import { readState, renderPage, stateScript } from "@rejoin/data/ssr";
import { FakeClock } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";

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

Deno.test("deleted records, errors and what lasts for ever survive", async () => {
  const server = new Controller();
  const getEver = getFilm.extend({ dataExpiryLength: Infinity });
  await server.fetch(getEver, { id: "1" });
  server.set(new schema.Invalidate(Film), { id: "2" });
  server.setError(getFilm, { id: "3" }, Object.assign(new Error("none"), { status: 404 }));
  using _ = put(stateScript(server));
  const state = readState()!;
  assertEquals(state, stateOf(new Controller({ use: [hydrate(state)] })));
  using browser = new Controller({ use: [hydrate(state)] });
  assertEquals(browser.getResponse(getEver, { id: "1" }).expiresAt, Infinity);
  assertEquals((browser.getError(getFilm, { id: "3" }) as { status?: number }).status, 404);
  assert(Object.hasOwn(state.entitiesMeta!.Film!, "2"));
});

/** Of what was written nobody knows when, nothing is fresh for ever. */
const NO_TIME = '{"version":1,"at":"x","state":{"entities":{},"endpoints":{},"meta":{},"entitiesMeta":{}}}';

Deno.test("what cannot be read is no state, and a warning", () => {
  assertStrictEquals(readState("nowhere"), undefined);
  const said: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void said.push(text);
  try {
    for (const text of ["{", '{"version":2,"at":0,"state":{}}', "null", NO_TIME]) {
      using _ = put(`<script type="application/json" id="rejoin-state">${text}</script>`);
      assertStrictEquals(readState(), undefined);
    }
  } finally {
    console.warn = warn;
  }
  assertEquals(said.length, 4);
  assert(said.every((text) => text.startsWith("The data in #rejoin-state is not used: ")), said.join("\n"));
});

Deno.test("nothing in the data ends the element, or comes out changed", async () => {
  const window = new Window();
  const text = fc.string({
    unit: fc.constantFrom("<", ">", "/", "!", "-", "script", "</script>", "<!--", "]]>", '"', "&", "\u2028", "a", "\\"),
  });
  const property = fc.property(text, text, (title, id) => {
    const controller = new Controller();
    controller.set(Film, { id: `i${id}` }, { id: `i${id}`, title });
    const page = new window.DOMParser().parseFromString(
      `<!doctype html><body>${stateScript(controller, { nonce: title })}<b>after</b></body>`,
      "text/html",
    );
    const elements = [...page.body.children];
    assertEquals(elements.map(({ tagName }) => tagName), ["SCRIPT", "B"]);
    const { state } = JSON.parse(elements[0]!.textContent!) as { state: { entities: unknown } };
    assertEquals(state.entities, { Film: { [`i${id}`]: { id: `i${id}`, title } } });
  });
  await check(property, { name: "state_script", runs: runs(1_000, 1_000_000) });
  await window.happyDOM.close();
});

Deno.test("hydration asks for nothing, and changes nothing in the document", async () => {
  asked = 0;
  function FilmPage({ id }: { readonly id: string }) {
    const { title, at } = useSuspense(getFilm, { id });
    // One text: of several next to each other Preact makes as many when it hydrates.
    return <h1 class="title">{`${title} (${at.getUTCFullYear()})`}</h1>;
  }
  function App(props: { controller?: Controller; initialState?: ReturnType<typeof readState> }) {
    return (
      <DataProvider controller={props.controller} initialState={props.initialState}>
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
  hydrateDom(<App initialState={readState()} />, host);
  await settled();
  observer.disconnect();
  assertEquals([host.innerHTML, changes.length, asked], [before, 0, 3]);
  await using app = mount(<p />);
  assertEquals(app.text, "");
  host.remove();
});
