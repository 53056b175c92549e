import { countWatchers } from "../../src/store/watch.ts";
import { mount, rendered, settled } from "../support/dom.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import { Controller, FocusManager, hydrate, type Manager, OvertakenError, SchemaError, stateOf } from "@rejoin/data";
import { AsyncBoundary, DataProvider, ErrorBoundary, useController, useQuery, useSuspense } from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";
import { App, fill, Film, Server } from "./_cinema.tsx";
import { replaceGlobals } from "../support/replace_globals.ts";

/** Everything in a store that is watched. */
function watchedIn({ store }: Controller, ...ids: readonly string[]): number {
  const views = [...store.responses(() => true), ...ids.map((id) => store.graph.query(Film, [id]))];
  return views.reduce((count, view) => count + countWatchers(view), 0);
}

Deno.test("DataProvider stops everything when it unmounts: requests, watchers, timers, managers", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const server = new Server();
  const log: string[] = [];
  const manager: Manager = { init: () => void log.push("init"), cleanup: () => void log.push("cleanup") };
  let controller: Controller | undefined;
  function Shown() {
    controller = useController();
    return <p>{useQuery(Film, "1")?.title}</p>;
  }
  function Waiting() {
    return <p>{useSuspense(server.getFilm, { id: "2" }).title}</p>;
  }
  const app = mount(
    <DataProvider managers={[manager]}>
      <Shown />
      <AsyncBoundary>
        <Waiting />
      </AsyncBoundary>
    </DataProvider>,
  );
  await settled();
  assertEquals([clock.pending, controller!.store.sequence.size, watchedIn(controller!, "1")], [1, 1, 2]);
  const answer = controller!.fetch(server.getFilm, { id: "3" });
  app.unmount();
  await assertRejects(() => answer, OvertakenError, "stopped");
  await settled();
  assertEquals([clock.pending, controller!.store.sequence.size, watchedIn(controller!, "1")], [0, 0, 0]);
  assertEquals(server.asked.map(({ isAborted }) => isAborted), [true, true]);
  assertEquals(log, ["init", "cleanup"]);
});

Deno.test("DataProvider stops what it started when it is gone before the first frame", async () => {
  const server = new Server();
  const log: string[] = [];
  function Waiting() {
    return <p>{useSuspense(server.getFilm, { id: "1" }).title}</p>;
  }
  const app = mount(
    <DataProvider managers={[{ cleanup: () => void log.push("cleanup") }]}>
      <AsyncBoundary>
        <Waiting />
      </AsyncBoundary>
    </DataProvider>,
  );
  app.unmount();
  await rendered();
  assertEquals([server.last.isAborted, log], [true, ["cleanup"]]);
});

Deno.test("DataProvider begins with a new store when it is mounted again", async () => {
  const seen: (string | undefined)[] = [];
  let controller: Controller | undefined;
  function Page() {
    controller = useController();
    seen.push(useQuery(Film, "1")?.title);
    return null;
  }
  for (let round = 0; round < 3; round++) {
    await using _ = mount(
      <DataProvider>
        <Page />
      </DataProvider>,
    );
    fill(controller!, { id: "1", title: "Alien" });
    await settled();
  }
  assertEquals(seen, [undefined, "Alien", undefined, "Alien", undefined, "Alien"]);
});

Deno.test("DataProvider shares a controller between roots, and leaves it running", async () => {
  const server = new Server();
  const controller = new Controller();
  function Title() {
    return <p>{useSuspense(server.getFilm, { id: "1" }).title}</p>;
  }
  const page = (
    <App controller={controller}>
      <Title />
    </App>
  );
  const first = mount(page);
  await using second = mount(page);
  await settled();
  assertEquals(server.names, "getFilm");
  first.unmount();
  await settled();
  assert(!server.last.isAborted);
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals(second.text, "Alien");
  controller.set(Film, { id: "1" }, { title: "Aliens" });
  await settled();
  assertEquals(second.text, "Aliens");
  controller.cleanup();
});

Deno.test("DataProvider takes its options: an initial state, strictness", async () => {
  const before = new Controller();
  fill(before, { id: "1", title: "Alien" });
  const initialState = JSON.parse(JSON.stringify(stateOf(before)));
  let film: Film | undefined;
  function Page() {
    film = useQuery(Film, "1");
    return <p>{film?.title}</p>;
  }
  await using app = mount(
    <DataProvider use={[hydrate(initialState)]} strict>
      <Page />
    </DataProvider>,
  );
  assertEquals([app.text, Object.isFrozen(film)], ["Alien", true]);
});

Deno.test("13.D5 DataProvider is strict unless told otherwise, a bare controller is not", async () => {
  for (const [strict, expected] of [[undefined, true], [true, true], [false, false]] as const) {
    let film: Film | undefined;
    const Page = () => {
      film = useQuery(Film, "1");
      return <p>{film?.title}</p>;
    };
    const initialState = (() => {
      using before = new Controller();
      fill(before, { id: "1", title: "Alien" });
      return JSON.parse(JSON.stringify(stateOf(before)));
    })();
    await using app = mount(
      <DataProvider use={[hydrate(initialState)]} strict={strict}>
        <Page />
      </DataProvider>,
    );
    assertEquals([app.text, Object.isFrozen(film)], ["Alien", expected], String(strict));
  }
  const bare = new Controller();
  fill(bare, { id: "1", title: "Alien" });
  assertEquals(Object.isFrozen(bare.get(Film, "1")), false);
  bare.cleanup();
});

Deno.test("DataProvider in DataProvider has a store of its own", async () => {
  const outer = new Controller();
  const inner = new Controller();
  fill(outer, { id: "1", title: "Outer" });
  fill(inner, { id: "1", title: "Inner" });
  function Page() {
    return <p>{useQuery(Film, "1")?.title}</p>;
  }
  await using app = mount(
    <DataProvider controller={outer}>
      <Page />
      <DataProvider controller={inner}>
        <Page />
      </DataProvider>
    </DataProvider>,
  );
  assertEquals(app.text, "OuterInner");
});

Deno.test("13.C6 DataProvider takes another controller: everything below reads that one, and its own is stopped", async () => {
  const controllers = ["one", "two"].map((title) => {
    const controller = new Controller();
    controller.set(Film, { id: "1" }, { title });
    return controller;
  }) as [Controller, Controller];
  const stopped: string[] = [];
  const own: Manager = { cleanup: () => void stopped.push("own") };
  const seen = new Set<Controller>();
  function Shown() {
    seen.add(useController());
    return <p>{useQuery(Film, { id: "1" })?.title}</p>;
  }
  const at = (controller: Controller | undefined) => (
    <DataProvider controller={controller} managers={[own]}>
      <Shown />
    </DataProvider>
  );
  const app = mount(at(controllers[0]));
  assertEquals(app.text, "one");
  app.render(at(controllers[0]));
  assertEquals(seen.size, 1);
  app.render(at(controllers[1]));
  await settled();
  assertEquals([app.text, watchedIn(controllers[0], "1")], ["two", 0]);
  app.render(at(undefined));
  await settled();
  assertEquals([app.text, seen.size, stopped.length], ["", 3, 0]);
  app.render(at(undefined));
  assertEquals(seen.size, 3, "its own stays");
  app.render(at(controllers[0]));
  await settled();
  assertEquals([app.text, stopped.length], ["one", 1]);
  app.unmount();
  await settled();
  assertEquals(stopped.length, 1);
  controllers[0].set(Film, { id: "1" }, { title: "it still works" });
});

Deno.test("15.1 DataProvider needs no options: it forgets, asks again when somebody comes back, and is strict", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const server = new Server();
  let controller: Controller | undefined;
  function Page() {
    controller = useController();
    const film = useSuspense(server.getFilm, { id: "1" });
    return <p title={String(Object.isFrozen(film))}>{film.title}</p>;
  }
  const app = mount(
    <DataProvider>
      <AsyncBoundary>
        <Page />
      </AsyncBoundary>
    </DataProvider>,
  );
  await settled();
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assertEquals([app.text, app.find("p").title], ["Alien", "true"]);

  for (const [event, asked] of [["focus", 2], ["online", 3], ["visibilitychange", 4]] as const) {
    const come = () =>
      event === "visibilitychange"
        ? document.dispatchEvent(new (document.defaultView as unknown as typeof globalThis).Event(event))
        : globalThis.dispatchEvent(new Event(event));
    come();
    await settled();
    assertEquals(server.asked.length, asked - 1, `${event}: what is fresh is left alone`);
    clock.tick(60_000);
    come();
    await settled();
    assertEquals([app.text, server.asked.length], ["Alien", asked], event);
    server.last.answer({ id: "1", title: "Alien" });
    await settled();
  }

  fill(controller!, { id: "2", title: "Brazil" });
  for (let minute = 0; minute < 12; minute++) {
    clock.tick(60_000);
    await settled();
  }
  assertEquals([controller!.get(Film, "1")?.title, controller!.get(Film, "2")], ["Alien", undefined]);

  app.unmount();
  await settled();
  clock.tick(60_000);
  const { length } = server.asked;
  globalThis.dispatchEvent(new Event("focus"));
  await settled();
  assertEquals([server.asked.length, clock.pending, clock.idle], [length, 0, 0]);
});

Deno.test("15.1 a FocusManager of the app's own is the only one", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const server = new Server();
  function Page() {
    return <p>{useSuspense(server.getFilm, { id: "1" }).title}</p>;
  }
  await using app = mount(
    <DataProvider managers={[new FocusManager({ focus: false })]}>
      <AsyncBoundary>
        <Page />
      </AsyncBoundary>
    </DataProvider>,
  );
  await settled();
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  clock.tick(60_000);
  globalThis.dispatchEvent(new Event("focus"));
  await settled();
  assertEquals([app.text, server.asked.length], ["Alien", 1]);
  globalThis.dispatchEvent(new Event("online"));
  await settled();
  assertEquals(server.asked.length, 2);
});

Deno.test("15.1 DataProvider on a server listens to nothing: nobody would unmount it", async () => {
  const added: string[] = [];
  {
    const addEventListener = (type: string) => void added.push(type);
    using _server = replaceGlobals({ addEventListener, document: undefined });
    Reflect.deleteProperty(globalThis, "document");
    const Page = () => <p>{useQuery(Film, "1")?.title ?? "none"}</p>;
    const html = renderToString(
      <DataProvider>
        <Page />
      </DataProvider>,
    );
    assertEquals([html, added], ["<p>none</p>", []]);
  }
  await settled();
});

Deno.test("15.1 who has no provider, or no boundary, is told what to write", async () => {
  const server = new Server();
  function Reads() {
    return <p>{useSuspense(server.getFilm, { id: "1" }).title}</p>;
  }
  const MISSING: readonly [around: (child: ComponentChildren) => ComponentChildren, said: string][] = [
    [(child) => child, "Put one around the app: render(<DataProvider><App /></DataProvider>, …)"],
    [(child) => <DataProvider>{child}</DataProvider>, "<AsyncBoundary fallback={…}>"],
    [
      (child) => (
        <DataProvider>
          <ErrorBoundary errorComponent={() => null}>{child}</ErrorBoundary>
        </DataProvider>
      ),
      "<AsyncBoundary fallback={…}>",
    ],
  ];
  for (const [around, said] of MISSING) {
    let thrown: unknown;
    try {
      mount(<>{around(<Reads />)}</>);
    } catch (error) {
      thrown = error;
    }
    assert(thrown instanceof SchemaError && thrown.message.includes(said), String(thrown));
    await settled();
  }
});
