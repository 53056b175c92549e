import { assertEquals, assertThrows } from "@std/assert";
import {
  Controller,
  Endpoint,
  Entity,
  LogManager,
  type LogManagerOptions,
  type Manager,
  onCommit,
  schema,
} from "@rejoin/data";
import { FakeClock } from "../support/clock.ts";
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

function start(options: LogManagerOptions = {}, ...managers: Manager[]) {
  const clock = new FakeClock();
  const restore = clock.install();
  const wire = new Wire();
  const lines: string[] = [];
  const log = new LogManager({ log: (line) => lines.push(line), ...options });
  const controller = new Controller({ managers: [log, ...managers] });
  const get = new Endpoint(wire.fn<[id: string]>("get"), {
    name: "get",
    key: (id) => `GET /films/${id}`,
    schema: Film,
  });
  return {
    clock,
    wire,
    controller,
    get,
    lines: () => lines.splice(0),
    [Symbol.dispose]: () => {
      controller.cleanup();
      restore();
    },
  };
}

Deno.test("a fetch is two lines: what was stored, with new records, and the whole request with its duration", async () => {
  using cinema = start();
  const answer = cinema.controller.fetch(cinema.get, "1");
  assertEquals(cinema.lines(), []);
  await cinema.clock.tickAsync(120);
  await cinema.wire.last.reply({ id: "1", title: "Alien", director: { id: "7", name: "Scott" } });
  await answer;
  assertEquals(cinema.lines(), [
    "rejoin setResponse GET /films/1 · 0 ms · +Film 1, +User 7",
    "rejoin fetch GET /films/1 · 120 ms",
  ]);
});

Deno.test("changes, deletes, resets and invalidations are told by their records and keys", () => {
  using cinema = start();
  const { controller, get, lines } = cinema;
  controller.setResponse(get, "1", { id: "1", title: "Alien" });
  lines();
  controller.set(Film, { id: "1" }, { title: "Aliens" });
  controller.set(new schema.Invalidate(Film), { id: "1" });
  controller.invalidate(get, "1");
  controller.expireAll(get);
  controller.subscribe(get, "1");
  controller.resetEntireStore();
  assertEquals(lines(), [
    "rejoin set Film · 0 ms · Film 1",
    "rejoin set Film · 0 ms · -Film 1",
    "rejoin invalidate · 0 ms",
    "rejoin expire · 0 ms",
    "rejoin subscribe GET /films/1 · 0 ms",
    "rejoin reset · 0 ms · everything gone",
  ]);
});

Deno.test("of many records five are named", () => {
  using cinema = start();
  const films = Array.from({ length: 12 }, (_, id) => ({ id: String(id), title: "" }));
  cinema.controller.set(new schema.All(Film), films);
  assertEquals(cinema.lines(), [
    "rejoin set Film · 0 ms · +Film 0, +Film 1, +Film 2, +Film 3, +Film 4, and 7 more",
  ]);
});

Deno.test("what fails says why, and is thrown on", async () => {
  using cinema = start();
  const { controller, get, wire, lines } = cinema;
  const answer = controller.fetch(get, "1").catch((error) => error);
  await wire.last.fail(new Error("503"));
  assertEquals(String(await answer), "Error: 503");
  assertEquals(lines(), [
    "rejoin setError GET /films/1 · 0 ms · failed: 503",
    "rejoin fetch GET /films/1 · 0 ms · failed: 503",
  ]);
  assertThrows(() => controller.set(Film, {}, {}));
  assertEquals(lines().length, 1);
});

Deno.test("what an action brings about is told by itself, not by the action around it", () => {
  const echo: Manager = {
    middleware: (controller) => (next) => (action) => {
      const result = next(action);
      if (action.type === "set" && action.schema === Film) controller.set(User, { id: "7" }, { name: "Scott" });
      return result;
    },
  };
  using cinema = start({}, echo);
  cinema.controller.set(Film, { id: "1" }, { title: "Alien" });
  assertEquals(cinema.lines(), ["rejoin set User · 0 ms · +User 7", "rejoin set Film · 0 ms · +Film 1"]);
});

Deno.test("what a listener commits is told by the listener's action, whether it listens before or after", () => {
  const retitle = (controller: Controller) =>
    onCommit(controller, (_, action) => {
      if (action.type === "set" && controller.get(Film, "1")?.title === "Alien") {
        controller.set(Film, { id: "2" }, { title: "Aliens" });
        controller.set(Film, { id: "1" }, { title: "Alien (1979)" });
      }
    });
  const lines: string[] = [];
  const log = new LogManager({ log: (line) => lines.push(line) });
  for (const managers of [[{ init: retitle }, log], [log, { init: retitle }]]) {
    using _ = new FakeClock().install();
    const controller = new Controller({ managers });
    controller.set(Film, { id: "1" }, { title: "Alien" });
    assertEquals(lines.splice(0), [
      "rejoin set Film · 0 ms · +Film 2",
      "rejoin set Film · 0 ms · Film 1",
      "rejoin set Film · 0 ms · +Film 1",
    ]);
    controller.cleanup();
  }
});

Deno.test("a filter decides which actions have lines, and log gets action and patches", () => {
  const seen: unknown[] = [];
  using cinema = start({
    filter: ({ type }) => type === "set",
    log: (_line, action, patches) => seen.push([action.type, patches.map(({ records }) => records.length)]),
  });
  cinema.controller.setResponse(cinema.get, "1", { id: "1", title: "Alien" });
  cinema.controller.set(Film, { id: "1" }, { title: "Aliens" });
  assertEquals(seen, [["set", [1]]]);
});

Deno.test("without a log function lines go to the console", () => {
  const { log } = console;
  const lines: unknown[] = [];
  console.log = (...args: unknown[]) => lines.push(args);
  try {
    using _ = start({ log: undefined! });
    _.controller.set(Film, { id: "1" }, { title: "Alien" });
  } finally {
    console.log = log;
  }
  assertEquals(lines, [["rejoin set Film · 0 ms · +Film 1"]]);
});
