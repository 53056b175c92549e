import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  Controller,
  DevToolsManager,
  type DevToolsManagerOptions,
  Endpoint,
  Entity,
  onCommit,
  PollingManager,
  RejoinError,
  stateOf,
} from "@rejoin/data";
import { watch } from "../../src/store/watch.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { FakeReduxDevTools } from "../support/redux_devtools.ts";
import { uncaught } from "../support/uncaught.ts";
import { Wire } from "../support/wire.ts";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}
class Film extends Entity {
  id = "";
  title = "";
  director: User | undefined = undefined;
  static key = "Film";
  static schema = { director: User };
}

const ALIEN = { id: "1", title: "Alien", director: { id: "7", name: "Scott" } };

/** A store that somebody looks at with the extension. */
function start(options: DevToolsManagerOptions & { readonly isClosed?: boolean } = {}) {
  const clock = new FakeClock();
  const restore = clock.install();
  const extension = new FakeReduxDevTools();
  const wire = new Wire();
  const controller = new Controller({ managers: [new DevToolsManager(options), new PollingManager()] });
  const { tab } = extension;
  if (!options.isClosed) tab.start();
  const get = new Endpoint(wire.fn<[id: string]>("get"), {
    name: "get",
    key: (id) => `GET /films/${id}`,
    schema: Film,
  });
  const rename = new Endpoint(wire.fn<[id: string, title: string]>("rename"), {
    name: "rename",
    schema: Film,
    sideEffect: true,
    getOptimisticResponse: (_snapshot: unknown, id: string, title: string) => ({ id, title }),
  });
  return {
    clock,
    wire,
    controller,
    tab,
    get,
    rename,
    title: (id = "1") => controller.get(Film, id)?.title,
    setTitle: (title: string) => controller.set(Film, { id: "1" }, { title }),
    [Symbol.dispose]: () => {
      controller.cleanup();
      extension[Symbol.dispose]();
      restore();
    },
  };
}

Deno.test("without the extension nothing happens", () => {
  const controller = new Controller({ managers: [new DevToolsManager()] });
  controller.set(Film, { id: "1" }, { title: "Alien" });
  assertEquals(controller.get(Film, "1")?.title, "Alien");
  controller.cleanup();
});

Deno.test("an extension that throws is reported, and the app goes on", async () => {
  Object.assign(globalThis, {
    __REDUX_DEVTOOLS_EXTENSION__: {
      connect: () => {
        throw new Error("disconnected");
      },
    },
  });
  try {
    const errors = await uncaught(() => {
      const controller = new Controller({ managers: [new DevToolsManager()] });
      controller.set(Film, { id: "1" }, { title: "Alien" });
      assertEquals(controller.get(Film, "1")?.title, "Alien");
      controller.cleanup();
    });
    assertEquals(errors.map(String), ["Error: disconnected"]);
  } finally {
    delete (globalThis as { __REDUX_DEVTOOLS_EXTENSION__?: unknown }).__REDUX_DEVTOOLS_EXTENSION__;
  }
});

Deno.test("it connects by name, offers what works, and begins with the state", () => {
  using cinema = start({ name: "Cinema", maxAge: 30 });
  const { tab, controller } = cinema;
  assertEquals([tab.options.name, tab.options.maxAge], ["Cinema", 30]);
  assertEquals(tab.options.features, { pause: true, export: true, import: true, jump: true });
  assertEquals(JSON.parse(tab.states[0]!), JSON.parse(JSON.stringify(stateOf(controller))));
});

Deno.test("each action is sent with its patch, as plain data, and the state after it", async () => {
  using cinema = start();
  const { controller, get, tab, wire } = cinema;
  const answer = controller.fetch(get, "1");
  await wire.last.reply(ALIEN);
  await answer;
  cinema.setTitle("Aliens");
  assertEquals(tab.actions.map(({ type }) => type), [
    "fetch GET /films/1",
    "setResponse GET /films/1",
    "set Film",
  ]);
  const [, response, set] = tab.actions;
  assertEquals(response!.args, ["1"]);
  assertEquals((set!.patches as { records: unknown }[])[0]!.records, [{
    key: "Film",
    pk: "1",
    before: { id: "1", title: "Alien", director: "7" },
    after: { id: "1", title: "Aliens", director: "7" },
  }]);
  assertEquals(tab.states.map((state) => JSON.parse(state).entities.Film?.["1"]?.title), [
    undefined,
    undefined,
    "Alien",
    "Aliens",
  ]);
});

Deno.test("errors are sent with their text, arguments that are no plain data do not matter", async () => {
  using cinema = start();
  const { controller, tab, wire } = cinema;
  const circle: { self?: unknown } = {};
  circle.self = circle;
  const send = new Endpoint(wire.fn<[body: unknown, list: unknown]>("send"), {
    name: "send",
    sideEffect: true,
    key: () => "send",
  });
  const answer = controller.fetch(send, circle, 1n).catch(() => {});
  await wire.last.fail(new Error("500"));
  await answer;
  assertEquals(tab.actions.map(({ type }) => type), ["fetch send", "setError send"]);
  assertEquals(tab.actions[1]!.error, "500");
});

Deno.test("a read that joins one in flight is not shown, and a filter decides otherwise", async () => {
  using cinema = start();
  const { controller, get, tab, wire } = cinema;
  const answers = [controller.fetch(get, "1"), controller.fetch(get, "1")];
  assertEquals(tab.actions.length, 1);
  await wire.last.reply(ALIEN);
  await Promise.all(answers);

  using other = start({ filter: ({ type }) => type === "set" });
  other.setTitle("Alien");
  other.controller.resetEntireStore();
  assertEquals(other.tab.actions.map(({ type }) => type), ["set Film"]);
});

Deno.test("while nobody looks no state is made; who opens the extension sees what has happened", () => {
  using cinema = start({ isClosed: true, maxAge: 3 });
  const { controller, tab } = cinema;
  let states = 0;
  const { entries } = controller.store;
  const all = entries.all.bind(entries);
  Object.assign(entries, { all: () => (states++, all()) });
  for (const title of ["a", "b", "c", "d", "e"]) cinema.setTitle(title);
  assertEquals([states, tab.actions], [0, []]);
  tab.start();
  tab.start();
  assertEquals(tab.actions.length, 1);
  assertEquals((tab.actions[0]!.actions as unknown[]).length, 3);
  assertEquals(JSON.parse(tab.states[1]!).entities.Film["1"].title, "e");
  tab.stop();
  cinema.setTitle("f");
  assertEquals(tab.actions.length, 1);
});

Deno.test("while recording is paused nothing is sent", () => {
  using cinema = start();
  cinema.tab.pause(true);
  cinema.setTitle("Alien");
  cinema.tab.pause(false);
  cinema.setTitle("Aliens");
  assertEquals(cinema.tab.actions.map(({ type }) => type), ["set Film"]);
  assertEquals(cinema.title(), "Aliens");
});

Deno.test("jumping shows another moment to every reader, and jumping to the last one the present", () => {
  using cinema = start();
  const { controller, get, tab } = cinema;
  controller.setResponse(get, "1", ALIEN);
  cinema.setTitle("Aliens");
  const view = controller.store.response(get, ["1"], get.key("1"));
  const seen: (string | undefined)[] = [];
  watch(controller.store, view, () => seen.push((view.read(controller.store.graph).data as Film | undefined)?.title));
  const told = tab.actions.length;
  tab.jump(1);
  assertEquals([cinema.title(), controller.getResponse(get, "1").data?.director?.name], ["Alien", "Scott"]);
  tab.jump(0);
  assertEquals([cinema.title(), controller.getResponse(get, "1").data], [undefined, undefined]);
  tab.jump(1);
  tab.jump(-1);
  assertEquals(cinema.title(), "Aliens");
  assertEquals(seen.slice(0, 4), ["Alien", undefined, "Alien", "Aliens"]);
  // In the present, what is mounted is asked for again; the jumps themselves are no actions.
  assertEquals(tab.actions.slice(told).map(({ type }) => type), ["expire"]);
});

Deno.test("the same record is one object again after travelling, and equal answers are read as before", () => {
  using cinema = start();
  const { controller, get, tab } = cinema;
  controller.setResponse(get, "1", ALIEN);
  cinema.setTitle("Aliens");
  tab.jump(1);
  const film = controller.get(Film, "1")!;
  assertStrictEquals(controller.getResponse(get, "1").data, film);
  assert(film instanceof Film && film.director instanceof User);
  assertStrictEquals(film.director, controller.get(User, "7")!);
});

Deno.test("while another moment is shown nothing is fetched, nothing is stored, and every promise settles", async () => {
  using cinema = start();
  const { controller, get, rename, tab, wire, clock } = cinema;
  const polled = get.extend({ pollFrequency: 1_000 });
  controller.setResponse(get, "1", ALIEN);
  cinema.setTitle("Aliens");
  controller.subscribe(polled, "1");
  const flying = controller.fetch(get, "2").catch((error) => error);
  const sent = wire.last;
  tab.jump(1);
  assertEquals(sent.signal?.aborted, true);
  await sent.reply({ id: "2", title: "late" });
  assertEquals((await flying).name, "OvertakenError");
  await assertRejects(() => controller.fetch(get, "1"), RejoinError, "another moment");
  await assertRejects(() => controller.fetch(rename, "1", "New"), RejoinError, '"fetch');
  assertEquals(controller.startRead(get, ["3"], get.key("3")), undefined);
  cinema.setTitle("by hand");
  controller.resetEntireStore();
  controller.setError(get, "1", new Error("x"));
  await clock.tickAsync(5_000);
  assertEquals([cinema.title(), wire.calls.length, controller.store.layers.length], ["Alien", 1, 0]);
  assertEquals(cinema.tab.actions.length, 4);
  tab.jump(-1);
  assertEquals(cinema.title(), "Aliens");
  await clock.tickAsync(1_000);
  assertEquals(wire.calls.length, 2, "in the present polls go on");
  controller.unsubscribe(polled, "1");
});

Deno.test("who asks as soon as it is told sends nothing while another moment is shown, and asks when the present is back", async () => {
  using cinema = start();
  const { controller, get, tab, wire } = cinema;
  const before = wire.calls.length;
  controller.setResponse(get, "1", ALIEN);
  const view = controller.store.response(get, ["1"], get.key("1"));
  watch(controller.store, view, () => void controller.fetch(get, "1").catch(() => {}));
  tab.jump(0);
  await flush();
  assertEquals(wire.calls.length - before, 0);
  tab.stop();
  await flush();
  assertEquals(wire.calls.length - before, 1);
});

Deno.test("a pending mutation is given up by travelling, with what it showed", async () => {
  using cinema = start();
  const { controller, rename, tab, wire } = cinema;
  cinema.setTitle("Alien");
  const answer = controller.fetch(rename, "1", "Aliens").catch((error) => error);
  assertEquals(cinema.title(), "Aliens");
  tab.jump(1);
  tab.jump(-1);
  assertEquals(cinema.title(), "Alien");
  await wire.last.reply({ id: "1", title: "Aliens" });
  assertEquals((await answer).name, "OvertakenError");
  assertEquals([cinema.title(), controller.store.logs.size, controller.store.sequence.size], ["Alien", 0, 0]);
});

Deno.test("commit makes the moment that is shown the present", () => {
  using cinema = start();
  const { tab } = cinema;
  for (const title of ["a", "b", "c"]) cinema.setTitle(title);
  tab.jump(2);
  tab.commit();
  assertEquals([cinema.title(), tab.states.length], ["b", 1]);
  cinema.setTitle("d");
  assertEquals([cinema.title(), tab.actions.map(({ type }) => type)], ["d", ["set Film"]]);
});

Deno.test("commit in the present empties the list, and marks stale what is mounted", () => {
  using cinema = start();
  const { controller, tab, get } = cinema;
  controller.setResponse(get, "1", ALIEN);
  watch(controller.store, controller.store.response(get, ["1"], get.key("1")), () => {});
  controller.setResponse(get, "2", { ...ALIEN, id: "2" });
  const before = controller.get(Film, "1");
  tab.commit();
  assertEquals(tab.actions.map(({ type }) => type), ["expire"]);
  assertStrictEquals(controller.get(Film, "1"), before);
  assertEquals(["1", "2"].map((id) => controller.getResponse(get, id).expiresAt === 0), [true, false]);
});

Deno.test("revert goes back to the last commit, reset to the beginning", () => {
  using cinema = start();
  const { tab } = cinema;
  cinema.setTitle("a");
  tab.commit();
  cinema.setTitle("b");
  tab.rollback();
  assertEquals([cinema.title(), tab.states.length], ["a", 1]);
  cinema.setTitle("c");
  tab.reset();
  assertEquals([cinema.title(), tab.states.length], [undefined, 1]);
  cinema.setTitle("d");
  assertEquals(cinema.title(), "d");
});

Deno.test("a state that was exported is shown elsewhere, and its moments can be jumped to", () => {
  let file: string;
  {
    using cinema = start();
    cinema.controller.setResponse(cinema.get, "1", ALIEN);
    cinema.setTitle("Aliens");
    file = cinema.tab.export();
  }
  using other = start();
  const { controller, tab, get } = other;
  other.setTitle("own");
  tab.import(file);
  assertEquals(controller.getResponse(get, "1").data?.title, "Aliens");
  assertEquals(controller.get(User, "7")?.name, "Scott");
  assertEquals(tab.lifted?.nextActionId, 3, "the extension is given the history");
  tab.dispatch({ type: "JUMP_TO_STATE", index: 1 }, JSON.stringify(JSON.parse(file).computedStates[1].state));
  assertEquals(other.title(), "Alien");
  other.setTitle("nothing is stored");
  assertEquals(other.title(), "Alien");
  tab.stop();
  assertEquals(other.title(), "own", "who closes the extension is in the present");
});

Deno.test("messages that make no sense are reported or passed over, and change nothing", async () => {
  using cinema = start();
  const { tab } = cinema;
  cinema.setTitle("Alien");
  const errors = await uncaught(() => {
    for (const state of ["", "{", "null", "5", "[]", undefined]) tab.dispatch({ type: "JUMP_TO_STATE" }, state);
    for (const nextLiftedState of [undefined, {}, { computedStates: [] }]) {
      tab.dispatch({ type: "IMPORT_STATE", nextLiftedState });
    }
    tab.import(JSON.stringify({ computedStates: [{ state: 5 }], currentStateIndex: 0 }));
    tab.dispatch({ type: "TOGGLE_ACTION", id: 1 });
    tab.tell({ type: "DISPATCH" });
    tab.tell({ type: "ACTION", payload: "{}" });
  });
  assertEquals(errors.length, 10);
  assertEquals(cinema.title(), "Alien");
  cinema.setTitle("Aliens");
  assertEquals(cinema.title(), "Aliens", "nobody has travelled");
});

Deno.test("a state of another version is not shown, and the store goes on in the present", () => {
  using cinema = start();
  const { tab } = cinema;
  cinema.setTitle("Alien");
  const { warn } = console;
  const said: string[] = [];
  console.warn = (text: string) => void said.push(text);
  try {
    tab.dispatch(
      { type: "JUMP_TO_STATE" },
      JSON.stringify({ ...stateOf(cinema.controller), version: 999, entities: {} }),
    );
  } finally {
    console.warn = warn;
  }
  cinema.setTitle("Aliens");
  assertEquals([cinema.title(), said.length], ["Aliens", 1]);
});

Deno.test("hostile states are shown without harm", () => {
  using cinema = start();
  const { controller, tab } = cinema;
  cinema.setTitle("Alien");
  const state = JSON.parse(
    '{"entities":{"Film":{"__proto__":{"id":"__proto__","title":"x"},"2":null,"3":7,"constructor":{"id":"constructor","title":"y","toString":"z"}},' +
      '"__proto__":{"1":{"id":"1"}}},"endpoints":{"__proto__":"1"},"meta":{"__proto__":{"fetchedAt":0,"expiresAt":null}}}',
  );
  tab.dispatch({ type: "JUMP_TO_STATE" }, JSON.stringify(state));
  assertEquals(["__proto__", "constructor", "2", "3", "1"].map(cinema.title), [
    "x",
    "y",
    undefined,
    undefined,
    undefined,
  ]);
  assertEquals(String(controller.get(Film, "constructor")).includes("object"), true, "a member is no method");
  assertEquals(({} as { title?: string }).title, undefined);
  stateOf(controller);
});

Deno.test("time travel tells of one commit with everything that it brought", () => {
  using cinema = start();
  const { controller, tab } = cinema;
  cinema.setTitle("Alien");
  cinema.setTitle("Aliens");
  const told: unknown[] = [];
  onCommit(
    controller,
    ({ reset, records }, { type }) => told.push([type, reset, records.map(({ pk, after }) => [pk, after?.title])]),
  );
  tab.jump(1);
  assertEquals(told, [["replace", true, [["1", "Alien"]]]]);
});

Deno.test("after cleanup the extension is heard no more", async () => {
  using cinema = start();
  const { controller, tab } = cinema;
  cinema.setTitle("Alien");
  controller.cleanup();
  assertEquals(tab.listeners, 0);
  cinema.setTitle("Aliens");
  await flush();
  assertEquals([tab.actions.length, cinema.title()], [1, "Aliens"]);
});
