import { mount, settled } from "@rejoin/data/testing";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as fc from "fast-check";
import { Window } from "happy-dom";
import { hydrate as hydrateDom } from "preact";
import { Controller, Endpoint, Entity, hydrate, type State } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useSuspense } from "@rejoin/data/preact";
import { readState, renderPage, stateScript } from "@rejoin/data/ssr";

Object.assign(globalThis, { document: new Window().document });

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
const getText = new Endpoint(async ({ text }: { text: unknown }) => await Promise.resolve({ text }), {
  name: "getText",
});

/** Puts an element into the document, as a browser would parse it. */
function put(script: string): Disposable & { readonly element: HTMLElement } {
  const place = document.createElement("div");
  place.innerHTML = script;
  document.body.append(place);
  return { element: place.firstElementChild as HTMLElement, [Symbol.dispose]: () => place.remove() };
}
const reading = () => new Controller({ use: [hydrate(readState()!)] });

Deno.test("what was fetched on the server is there in the browser, as fresh and as typed", async () => {
  const server = new Controller(), ever = getFilm.extend({ name: "ever", dataExpiryLength: Infinity });
  await server.fetch(getFilm, { id: "1" });
  await server.fetch(ever, { id: "2" });
  using _ = put(stateScript(server));
  const browser = reading(), { data, expiresAt } = browser.getResponse(getFilm, { id: "1" });
  assertEquals([data?.title, data?.at.getUTCFullYear()], ["Film 1", 2020]);
  assert(Math.abs(expiresAt - server.getResponse(getFilm, { id: "1" }).expiresAt) < 50);
  assertEquals(browser.getResponse(ever, { id: "2" }).expiresAt, Infinity);
});

Deno.test("a clock that is behind makes data fresh for no longer, and one that is ahead makes them stale", async () => {
  const server = new Controller();
  await server.fetch(getFilm, { id: "1" });
  const script = stateScript(server), now = performance.timeOrigin + performance.now();
  for (const ahead of [-36e5, 36e5]) {
    using _ = put(script.replace(/\d{13}(\.\d+)?/g, (time) => `${Number(time) - ahead}`));
    const left = reading().getResponse(getFilm, { id: "1" }).expiresAt - now;
    assert(ahead < 0 ? left > 55_000 && left < 65_000 : left < 0, `${left}`);
  }
});

Deno.test("nothing in the data ends the element, or comes out changed", async () => {
  const text = `</script><script>alert(1)</script><!-- <script> \u2028\u2029 \u0000 & " ' ]]> \ud83d\ude00 \ud800`;
  const controller = new Controller();
  await controller.fetch(getText, { text });
  controller.set(Film, { id: text }, { title: text });
  const script = stateScript(controller, { id: `a"<b`, nonce: `c"` });
  assertEquals(script.match(/</g)!.length, 2);
  assertStringIncludes(script, `id="a&quot;&lt;b" nonce="c&quot;">`);
  using _ = put(stateScript(controller));
  assertEquals(reading().getResponse(getText, { text }).data, { text });
  assertEquals(reading().get(Film, { id: text })?.title, text);
});

Deno.test("whatever JSON is in the data, it is read as it was", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (text) => {
      const controller = new Controller();
      await controller.fetch(getText, { text });
      const script = stateScript(controller);
      assertEquals(script.match(/</g)!.length, 2);
      using _ = put(script);
      assertEquals(JSON.stringify(reading().getResponse(getText, { text }).data), JSON.stringify({ text }));
    }),
    { numRuns: 50 },
  );
});

Deno.test("names of the prototype are names", () => {
  class Odd extends Entity {
    id = "";
    title = "";
    static override key = "__proto__";
  }
  const controller = new Controller();
  for (const id of ["__proto__", "constructor"]) {
    controller.set(Odd, { id }, { title: id });
    controller.set(Film, { id }, JSON.parse(`{ "title": "${id}", "__proto__": { "polluted": true } }`));
  }
  using _ = put(stateScript(controller));
  const browser = reading();
  for (const id of ["__proto__", "constructor"]) {
    assertEquals([browser.get(Odd, { id })?.title, browser.get(Film, { id })?.title], [id, id]);
    assertEquals((browser.get(Film, { id }) as unknown as { polluted?: true }).polluted, undefined);
  }
  assertEquals(({} as { polluted?: true }).polluted, undefined);
});

Deno.test("where an element was cut off there is no state, and a warning", async () => {
  const controller = new Controller(), said: string[] = [], { warn } = console;
  await controller.fetch(getFilm, { id: "1" });
  const whole = stateScript(controller);
  console.warn = (text: string) => void said.push(text);
  try {
    for (let length = whole.indexOf(">") + 2; length < whole.length - 9; length += 7) {
      using _ = put(`${whole.slice(0, length)}</script>`);
      assertEquals(readState(), undefined);
      assertStringIncludes(said.pop()!, "rejoin-state");
    }
  } finally {
    console.warn = warn;
  }
  assertEquals(readState(), undefined);
});

Deno.test("what a visitor wrote into the page under the id of the data is none", async () => {
  const controller = new Controller();
  await controller.fetch(getFilm, { id: "1" });
  const script = stateScript(controller);
  using _ = put(script.replaceAll("script", "div").replace("Film 1", "mine"));
  assertEquals(readState(), undefined);
  using _own = put(script);
  assertEquals(reading().get(Film, { id: "1" })?.title, "Film 1");
});

Deno.test("hydration asks for nothing, and changes nothing in the document", async () => {
  const Title = ({ id }: { id: string }) => <p>{useSuspense(getFilm, { id }).title}</p>;
  const App = ({ controller, state }: { controller?: Controller; state?: State | undefined }) => (
    <DataProvider controller={controller} use={state ? [hydrate(state)] : []}>
      <main>
        <AsyncBoundary fallback={<i>…</i>}>
          <Title id="1" />
          <AsyncBoundary fallback={<i>…</i>}>
            <Title id="2" />
          </AsyncBoundary>
        </AsyncBoundary>
      </main>
    </DataProvider>
  );
  const page = await renderPage((controller) => <App controller={controller} />);
  using _ = put(page.script);
  const place = document.createElement("div"), before = asked;
  place.innerHTML = page.html;
  document.body.append(place);
  const nodes = [...place.querySelectorAll("*")];
  hydrateDom(<App state={readState()} />, place);
  await settled();
  assertEquals([place.innerHTML, asked], [page.html, before]);
  assert([...place.querySelectorAll("*")].every((node, at) => node === nodes[at]));
  hydrateDom(null, place);
});

Deno.test("what was not there in time is shown by its fallback, and comes in the browser", async () => {
  let isSlow = true;
  const getSlow = new Endpoint(async () => await (isSlow ? new Promise<string>(() => {}) : Promise.resolve("there")), {
    name: "getSlow",
  });
  const Slow = () => <b>{useSuspense(getSlow)}</b>;
  const App = ({ controller, state }: { controller?: Controller; state?: State | undefined }) => (
    <DataProvider controller={controller} use={state ? [hydrate(state)] : []}>
      <main>
        <AsyncBoundary fallback={<i>…</i>}>
          <Slow />
        </AsyncBoundary>
        <em>after</em>
      </main>
    </DataProvider>
  );
  const page = await renderPage((controller) => <App controller={controller} />, { deadline: 20 });
  assertEquals(page.html, "<main><i>…</i><em>after</em></main>");
  isSlow = false;
  using _ = put(page.script);
  const place = document.createElement("div");
  place.innerHTML = page.html;
  document.body.append(place);
  hydrateDom(<App state={readState()} />, place);
  await settled();
  await settled();
  assertEquals(place.innerHTML, "<main><b>there</b><em>after</em></main>");
  hydrateDom(null, place);
  void mount;
});
