import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import { useState } from "preact/hooks";
import { Controller } from "@rejoin/data";
import { AsyncBoundary, ControllerProvider, useController, useQuery, useSuspense } from "@rejoin/data/preact";
import { Film, press, Server } from "./_cinema.tsx";

Deno.test("15.1 ControllerProvider gives islands one store, asks once for all of them, and stops nothing", async () => {
  const server = new Server();
  using controller = new Controller();
  function Title() {
    return <p>{useSuspense(server.getFilm, { id: "1" }).title}</p>;
  }
  const island = (
    <ControllerProvider controller={controller}>
      <AsyncBoundary fallback="…">
        <Title />
      </AsyncBoundary>
    </ControllerProvider>
  );
  const islands = [mount(island), mount(island), mount(island)];
  await settled();
  assertEquals([islands.map(({ text }) => text), server.names], [["…", "…", "…"], "getFilm"]);
  islands[0]!.unmount();
  await settled();
  assert(!server.last.isAborted);
  server.answerFilms();
  await settled();
  assertEquals(islands.slice(1).map(({ text }) => text), ["Film 1", "Film 1"]);
  controller.set(Film, { id: "1" }, { title: "Alien" });
  await settled();
  assertEquals(islands.slice(1).map(({ text }) => text), ["Alien", "Alien"]);
  for (const one of islands.slice(1)) one.unmount();
  await settled();
  assertEquals(await Promise.resolve(controller.get(Film, { id: "1" })?.title), "Alien");
  const fetched = controller.fetch(server.getFilm, { id: "2" });
  server.last.answer({ id: "2", title: "it still works" });
  assertEquals((await fetched).title, "it still works");
});

Deno.test("15.1 ControllerProvider takes another controller: what is below is mounted anew, and not when it is the same", async () => {
  const [first, second] = ["one", "two"].map((title) => {
    const controller = new Controller();
    controller.set(Film, { id: "1" }, { title });
    return controller;
  }) as [Controller, Controller];
  const seen = new Set<Controller>();
  function Shown() {
    const [count, setCount] = useState(0);
    seen.add(useController());
    return <button type="button" onClick={() => setCount(count + 1)}>{`${useQuery(Film, "1")?.title} ${count}`}
    </button>;
  }
  const at = (controller: Controller) => (
    <ControllerProvider controller={controller}>
      <Shown />
    </ControllerProvider>
  );
  await using app = mount(at(first));
  press(app.find("button"));
  await app.shows("one 1");
  app.render(at(first));
  await app.shows("one 1");
  app.render(at(second));
  assertEquals([await app.settledText(), seen.size], ["two 0", 2]);
  first.set(Film, { id: "1" }, { title: "elsewhere" });
  await app.shows("two 0");
  first.cleanup();
  second.cleanup();
});
