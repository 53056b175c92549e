import { mount, settled } from "../support/dom.ts";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { type ReadonlySignal, signal } from "@preact/signals";
import { Controller, memory, Query, schema } from "@rejoin/data";
import { useSelect, useSignalOf } from "@rejoin/data/preact";
import { FakeClock, renderDataHook } from "@rejoin/data/testing";
import { App, fill, Film, Server } from "./_cinema.tsx";

const films = new Query(new schema.All(Film));

Deno.test("useSelect runs a component only when what it selects is another value", async () => {
  using controller = new Controller({ strict: true });
  fill(controller, { id: "1", title: "Alien" }, { id: "2", title: "Brazil" });
  await using hook = renderDataHook(
    (length: number) => useSelect(films, [], (all) => all?.filter(({ title }) => title.length > length).length),
    { controller, initialProps: 5 },
  );
  controller.set(Film, { id: "1" }, { title: "Anger" });
  await settled();
  assertEquals(hook.result.history, [1]);
  controller.set(Film, { id: "1" }, { title: "Amadeus" });
  await settled();
  assertEquals(hook.result.history, [1, 2]);
  hook.rerender(6);
  assertEquals(hook.result.history, [1, 2, 1], "the function of this rendering counts");
  controller.set(Film, { id: "2" }, { title: "Blade Runner" });
  await settled();
  assertEquals([hook.result.history, hook.result.renders], [[1, 2, 1, 2], 4]);
});

Deno.test("useSelect reads endpoints, entities and nothing at all, and never fetches", async () => {
  const server = new Server();
  using controller = new Controller({ strict: true });
  await using hook = renderDataHook(({ id }: { id: string | null }) => {
    const one = useSelect(Film, id === null ? [null] : [{ id }], (film) => film?.title);
    return [one, useSelect(server.getFilm, id === null ? [null] : [{ id }], (film) => film?.title)];
  }, { controller, initialProps: { id: "1" } });
  assertEquals(hook.result.current, [undefined, undefined]);
  controller.set(Film, { id: "1" }, { title: "Alien" });
  await settled();
  assertEquals(hook.result.current, ["Alien", "Alien"]);
  hook.rerender({ id: null });
  assertEquals([hook.result.current, server.asked.length], [[undefined, undefined], 0]);
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

Deno.test("useSignalOf shows what came after it was forgotten, when nobody has looked at the signal for long", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const { getFilm } = new Server();
  using controller = new Controller({ strict: true, use: [memory()] });
  const answer = (title: string) => controller.setResponse(getFilm, { id: "1" }, { id: "1", title });
  const titles = new Query(new schema.All(Film), (all) => all.map(({ title }) => title).join());
  const opened = signal(true);
  function Details({ shown }: { readonly shown: readonly ReadonlySignal<string | undefined>[] }) {
    return opened.value ? <>{shown}</> : null;
  }
  function Page() {
    const read = useSignalOf(getFilm, [{ id: "1" }], (film) => film?.title);
    const record = useSignalOf(Film, [{ id: "1" }], (film) => film?.title);
    return <Details shown={[read, record, useSignalOf(titles, [])]} />;
  }
  answer("Alien ");
  await using app = mount(
    <App controller={controller}>
      <Page />
    </App>,
  );
  assertEquals(app.text, "Alien Alien Alien ");
  opened.value = false;
  await settled();
  await clock.tickAsync(3_600_000);
  assertEquals(controller.getResponse(getFilm, { id: "1" }).data, undefined, "it was forgotten");
  answer("Brazil ");
  opened.value = true;
  await settled();
  assertEquals(app.text, "Brazil Brazil Brazil ");
  answer("Clue ");
  await settled();
  assertEquals(app.text, "Clue Clue Clue ");
});
