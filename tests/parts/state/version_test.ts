/** 17. What travels carries the version of its form; another one is dropped aloud, and never read by halves. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Controller, Entity, hydrate, record, type Recording, RejoinError, replay, stateOf } from "@rejoin/data";
import "../../support/dom.ts";
import { readState, stateScript } from "@rejoin/data/ssr";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}

function filled(): Controller {
  const controller = new Controller();
  controller.set(User, "1", { id: "1", name: "Ann" });
  return controller;
}

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

const SAID = "A state of version 7 is not read: this release reads version 1. What it held is fetched again";

Deno.test("17. a state says its version, and is read with it, or with none", () => {
  const state = stateOf(filled());
  assertEquals(state.version, 1);
  const { version: _, ...unsaid } = state;
  for (const known of [state, unsaid]) {
    assertEquals(warningsOf(() => new Controller({ use: [hydrate(known)] })), []);
    assertEquals(new Controller({ use: [hydrate(known)] }).get(User, "1")?.name, "Ann");
  }
});

Deno.test("17. a state of another version is dropped with a warning, whatever else it has", () => {
  const strange = { ...stateOf(filled()), version: 7, entities: 5 as never, late: [1] };
  let controller = new Controller();
  assertEquals(warningsOf(() => controller = new Controller({ use: [hydrate(strange)] })), [SAID]);
  assertEquals(stateOf(controller), stateOf(new Controller()));
});

Deno.test("17. a state of another version takes the place of nothing", () => {
  const controller = filled();
  const before = stateOf(controller);
  assertEquals(warningsOf(() => hydrate(controller, { ...before, version: 7, entities: {} })), [SAID]);
  assertEquals(stateOf(controller), before);
});

Deno.test("17. what a server of another release has put into the page is dropped with a warning", () => {
  const place = document.createElement("div");
  place.innerHTML = stateScript(filled()).replace(/"version":\d+/, '"version":7');
  document.body.append(place);
  const said = warningsOf(() => assertEquals(readState(), undefined));
  assertEquals(said.length, 1);
  assert(said[0]!.startsWith("The data in #rejoin-state is not used: A state of version 7 is not read"), said[0]);
  place.remove();
});

Deno.test("17. a recording of another version is no recording that can be played, and says so", () => {
  const recorder = record(filled());
  const recording = { ...recorder.stop(), version: 7 } as unknown as Recording;
  assertThrows(() => replay(recording, { endpoints: [] }), RejoinError, "this recording has version 7");
});
