import { mount, settled } from "../support/dom.ts";
import { assertEquals, assertStrictEquals } from "@std/assert";
import type { ReadonlySignal } from "@preact/signals-core";
import { Controller, Query, schema } from "@rejoin/data";
import { useSelect, useSignalOf } from "@rejoin/data/preact";
import { App, fill, Film, Server } from "./_cinema.tsx";

const films = new Query(new schema.All(Film));

Deno.test("useSelect runs a component only when what it selects is another value", async () => {
  using controller = new Controller({ strict: true });
  fill(controller, { id: "1", title: "Alien" }, { id: "2", title: "Brazil" });
  let runs = 0;
  function Long({ length }: { readonly length: number }) {
    runs++;
    return <p>{useSelect(films, [], (all) => all?.filter(({ title }) => title.length > length).length)}</p>;
  }
  const page = (length: number) => (
    <App controller={controller}>
      <Long length={length} />
    </App>
  );
  await using app = mount(page(5));
  assertEquals([app.text, runs], ["1", 1]);
  controller.set(Film, { id: "1" }, { title: "Anger" });
  await settled();
  assertEquals([app.text, runs], ["1", 1]);
  controller.set(Film, { id: "1" }, { title: "Amadeus" });
  await settled();
  assertEquals([app.text, runs], ["2", 2]);
  app.render(page(6));
  assertEquals([app.text, runs], ["1", 3], "the function of this rendering counts");
  controller.set(Film, { id: "2" }, { title: "Blade Runner" });
  await settled();
  assertEquals([app.text, runs], ["2", 4]);
});

Deno.test("useSelect reads endpoints, entities and nothing at all, and never fetches", async () => {
  const server = new Server();
  using controller = new Controller({ strict: true });
  function Titles({ id }: { readonly id: string | null }) {
    const one = useSelect(Film, id === null ? [null] : [{ id }], (film) => film?.title);
    const same = useSelect(server.getFilm, id === null ? [null] : [{ id }], (film) => film?.title);
    return <p>{`${one} ${same}`}</p>;
  }
  const page = (id: string | null) => (
    <App controller={controller}>
      <Titles id={id} />
    </App>
  );
  await using app = mount(page("1"));
  assertEquals(app.text, "undefined undefined");
  controller.set(Film, { id: "1" }, { title: "Alien" });
  await settled();
  assertEquals(app.text, "Alien Alien");
  app.render(page(null));
  assertEquals([app.text, server.asked.length], ["undefined undefined", 0]);
});

Deno.test("useSignalOf changes the text on the page, and runs no component", async () => {
  using controller = new Controller({ strict: true });
  fill(controller, { id: "1", title: "Alien" }, { id: "2", title: "Brazil" });
  let runs = 0;
  const signals: ReadonlySignal<string | undefined>[] = [];
  function Title({ id }: { readonly id: string; readonly run: number }) {
    runs++;
    const title = useSignalOf(Film, [{ id }], (film) => film?.title);
    signals.push(title);
    return <p>{title}</p>;
  }
  const page = (id: string, run: number) => (
    <App controller={controller}>
      <Title id={id} run={run} />
    </App>
  );
  await using app = mount(page("1", 1));
  assertEquals([app.text, runs], ["Alien", 1]);
  controller.set(Film, { id: "1" }, { title: "Aliens" });
  await settled();
  assertEquals([app.text, runs], ["Aliens", 1]);
  app.render(page("1", 2));
  assertStrictEquals(signals[0], signals[1]);
  app.render(page("2", 3));
  await settled();
  assertEquals([app.text, runs], ["Brazil", 3]);
  controller.set(Film, { id: "1" }, { title: "Alien 3" });
  controller.set(Film, { id: "2" }, { title: "Brazil!" });
  await settled();
  assertEquals([app.text, runs], ["Brazil!", 3]);
});
