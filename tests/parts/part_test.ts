/** The one seam: what is in `use` and what is in `managers` hear of the same things, in that order. */
import { assertEquals, assertThrows } from "@std/assert";
import { Controller, Endpoint, Entity, record, RejoinError } from "@rejoin/data";
import type { Part } from "@rejoin/data/extend";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}
const get = new Endpoint(async (id: string) => await Promise.resolve({ id, title: "One" }), {
  name: "get",
  schema: Article,
});

/** A part that says what it hears of. */
function telling(name: string, log: string[]): Part {
  const say = (what: string) => void log.push(`${name} ${what}`);
  return {
    middleware: () => (next) => (action) => {
      say(`middleware ${action.type}`);
      return next(action);
    },
    init: () => say("init"),
    perform: (action, next) => {
      say(`perform ${action.type}`);
      return next(action);
    },
    started: ({ key }) => say(`started ${key}`),
    ended: ({ key }) => say(`ended ${key}`),
    committed: () => say("committed"),
    cleanup: () => say("cleanup"),
  };
}

Deno.test("parts and managers hear of actions, requests and commits, those in use first", async () => {
  const log: string[] = [];
  const controller = new Controller({ managers: [telling("manager", log)], use: [telling("part", log)] });
  assertEquals(log.splice(0), ["part init", "manager init"]);
  controller.set(Article, "1", { id: "1" });
  const both = (what: string) => [`part ${what}`, `manager ${what}`];
  assertEquals(log.splice(0), ["middleware set", "perform set", "committed"].flatMap(both));
  await controller.fetch(get, "5");
  const key = get.key("5");
  const told = [
    ...["middleware fetch", "perform fetch", `started ${key}`],
    ...["middleware setResponse", "perform setResponse", "committed", `ended ${key}`],
  ];
  assertEquals(log.splice(0), told.flatMap(both));
  controller.cleanup();
  assertEquals(log, both("cleanup"));
});

Deno.test("the first part that serves a subscription has it, and none that is left over hears of it", () => {
  const served: string[] = [];
  const serving = (name: string, isServed: boolean): Part => ({
    serve: ({ type, key }) => {
      served.push(`${name} ${type} ${key}`);
      return isServed;
    },
  });
  const controller = new Controller({ use: [serving("a", false), serving("b", true), serving("c", true)] });
  controller.subscribe(get, "5");
  controller.unsubscribe(get, "5");
  const key = get.key("5");
  assertEquals(served, [`a subscribe ${key}`, `b subscribe ${key}`, `a unsubscribe ${key}`, `b unsubscribe ${key}`]);
});

Deno.test("a recording stands behind all parts, and there is one at a time", () => {
  const controller = new Controller();
  const recorder = record(controller);
  assertThrows(() => record(controller), RejoinError, "being recorded");
  recorder.stop();
  recorder.stop();
  const next = record(controller);
  controller.set(Article, "1", { id: "1" });
  assertEquals([recorder.length, next.length], [0, 1]);
  next.stop();
});
