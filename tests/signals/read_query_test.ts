import { countWatchers } from "../../src/store/watch.ts";
import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { batch, computed, effect, signal } from "@preact/signals-core";
import { Controller, Endpoint, Entity, Query, schema } from "@rejoin/data";
import { readQuery } from "@rejoin/data/signals";
import type { ViewNode } from "../../src/denormalize/node.ts";

class Film extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Film";
}

const all = new schema.All(Film);
const getAll = new Endpoint(() => Promise.resolve([]), { name: "getAll", schema: all });

function films(count: number): { id: string; title: string }[] {
  return Array.from({ length: count }, (_, index) => ({ id: String(index), title: `Film ${index}` }));
}

/** How many readers a record has that somebody watches. */
function watchersOf(controller: Controller, id: string): number {
  const view = controller.store.graph.query(Film, [id]) as ViewNode;
  return countWatchers(view);
}

Deno.test("readQuery runs the effects of a record that changed, and no other", () => {
  const controller = new Controller();
  controller.setResponse(getAll, films(100));
  const runs = new Map<string, number>();
  const stops = films(100).map(({ id }) =>
    effect(() => {
      assertEquals(readQuery(controller, Film, id)?.id, id);
      runs.set(id, (runs.get(id) ?? 0) + 1);
    })
  );
  runs.clear();
  controller.set(Film, { id: "7" }, { title: "Seven" });
  assertEquals([...runs], [["7", 1]]);
  for (const stop of stops) stop();
});

Deno.test("readQuery runs an effect once a commit when it reads several roots that changed", () => {
  const controller = new Controller();
  controller.setResponse(getAll, films(10));
  let runs = 0;
  const stop = effect(() => {
    runs++;
    for (const { id } of films(10)) readQuery(controller, Film, { id });
    readQuery(controller, all);
  });
  controller.setResponse(getAll, films(10).map((film) => ({ ...film, title: "new" })));
  assertEquals(runs, 2);
  batch(() => {
    for (const { id } of films(10)) controller.set(Film, { id }, { title: "newer" });
  });
  assertEquals(runs, 3);
  stop();
});

Deno.test("readQuery makes one signal for a root, whoever reads it, and drops it with the last reader", () => {
  const controller = new Controller();
  controller.setResponse(getAll, films(10));
  assertEquals(watchersOf(controller, "1"), 0);
  const title = computed(() => readQuery(controller, Film, "1")?.title);
  const first = effect(() => void readQuery(controller, Film, "1"));
  const second = effect(() => void readQuery(controller, Film, { id: "1" }));
  const third = effect(() => void title.value);
  assertEquals(watchersOf(controller, "1"), 1);
  first();
  second();
  assertEquals(watchersOf(controller, "1"), 1);
  third();
  assertEquals(watchersOf(controller, "1"), 0);
  const again = effect(() => void title.value);
  assertEquals(watchersOf(controller, "1"), 1);
  again();
  assertEquals(watchersOf(controller, "1"), 0);
});

Deno.test("readQuery leaves nothing at 100,000 records when nobody looks at them", () => {
  const controller = new Controller();
  controller.setResponse(getAll, films(100_000));
  const { store } = controller;
  const watched = () => {
    let count = 0;
    for (const slot of store.tables.of(store.graph.planOf(Film)).slots.values()) {
      for (let node = slot.node; node !== undefined; node = node.sibling) count += countWatchers(node);
    }
    return count;
  };
  assertEquals(readQuery(controller, all)?.length, 100_000);
  for (const { id } of films(100_000)) readQuery(controller, Film, id);
  assertEquals(watched(), 0);
  const stop = effect(() => {
    for (let id = 0; id < 500; id++) readQuery(controller, Film, String(id));
  });
  assertEquals(watched(), 500);
  stop();
  assertEquals(watched(), 0);
});

Deno.test("readQuery moves its subscription when an effect reads something else", () => {
  const controller = new Controller();
  controller.setResponse(getAll, films(3));
  const id = signal("1");
  const seen: unknown[] = [];
  const stop = effect(() => void seen.push(readQuery(controller, Film, id.value)?.title));
  id.value = "2";
  assertEquals([watchersOf(controller, "1"), watchersOf(controller, "2")], [0, 1]);
  controller.set(Film, { id: "1" }, { title: "One" });
  controller.set(Film, { id: "2" }, { title: "Two" });
  stop();
  assertEquals(seen, ["Film 1", "Film 2", "Two"]);
});

Deno.test("readQuery runs the other effects when one throws, and the write has been done", async () => {
  const controller = new Controller();
  controller.setResponse(getAll, films(3));
  const seen: unknown[] = [];
  let isBroken = false;
  const uncaught: unknown[] = [];
  const listener = (event: ErrorEvent) => {
    event.preventDefault();
    uncaught.push(event.error);
  };
  globalThis.addEventListener("error", listener);
  const stops = [
    effect(() => void seen.push(["first", readQuery(controller, Film, "1")?.title])),
    effect(() => {
      readQuery(controller, Film, "1");
      if (isBroken) throw new Error("an effect broke");
    }),
    effect(() => void seen.push(["last", readQuery(controller, Film, "1")?.title])),
  ];
  seen.length = 0;
  isBroken = true;
  controller.set(Film, { id: "1" }, { title: "One" });
  await new Promise((resolve) => setTimeout(resolve));
  globalThis.removeEventListener("error", listener);
  for (const stop of stops) stop();
  assertEquals(seen.toSorted(), [["first", "One"], ["last", "One"]]);
  assertEquals(uncaught.map(String), ["Error: an effect broke"]);
  assertEquals(controller.get(Film, "1")?.title, "One");
});

Deno.test("readQuery runs effects after everything is written, and an effect may write", () => {
  const controller = new Controller();
  controller.setResponse(getAll, films(2));
  const seen: unknown[] = [];
  const stops = [
    effect(() => {
      const film = readQuery(controller, Film, "0");
      if (film?.title === "One") controller.set(Film, { id: "1" }, { title: "follows" });
    }),
    effect(() => void seen.push([readQuery(controller, Film, "0")?.title, readQuery(controller, Film, "1")?.title])),
  ];
  controller.set(Film, { id: "0" }, { title: "One" });
  for (const stop of stops) stop();
  assertEquals(seen.at(-1), ["One", "follows"]);
  assertEquals(seen[0], ["Film 0", "Film 1"]);
});

Deno.test("readQuery gives a computed that nobody subscribes to the present value each time it is read", () => {
  const controller = new Controller();
  controller.setResponse(getAll, films(2));
  const title = computed(() => readQuery(controller, Film, "1")?.title);
  const count = computed(() => readQuery(controller, all)?.length);
  const other = effect(() => void readQuery(controller, all));
  assertEquals([title.value, count.value], ["Film 1", 2]);
  controller.set(Film, { id: "1" }, { title: "One" });
  controller.set(Film, { id: "5" }, { title: "Five" });
  assertEquals([title.value, count.value], ["One", 3]);
  const stop = effect(() => void title.value);
  controller.set(Film, { id: "1" }, { title: "Two" });
  assertEquals([title.peek(), count.peek()], ["Two", 3]);
  stop();
  controller.set(Film, { id: "1" }, { title: "Three" });
  assertEquals(title.value, "Three");
  other();
});

Deno.test("readQuery runs a computed no more often than its root changes when somebody subscribes to it", () => {
  const controller = new Controller();
  controller.setResponse(getAll, films(10));
  let runs = 0;
  const title = computed(() => {
    runs++;
    return readQuery(controller, Film, "1")?.title;
  });
  title.value;
  const stop = effect(() => void title.value);
  controller.set(Film, { id: "2" }, { title: "Two" });
  runs = 0;
  for (let i = 0; i < 10; i++) controller.set(Film, { id: "2" }, { title: `Two ${i}` });
  assertEquals(runs, 0);
  controller.set(Film, { id: "1" }, { title: "One" });
  assertEquals(runs, 1);
  stop();
});

Deno.test("readQuery throws what a query throws, and goes on when it does so no more", () => {
  const controller = new Controller();
  controller.setResponse(getAll, films(2));
  const first = new Query(all, (entries) => {
    if (entries.length > 2) throw new RangeError("too many");
    return entries[0]?.title;
  });
  const seen: unknown[] = [];
  const stop = effect(() => {
    try {
      seen.push(readQuery(controller, first));
    } catch (error) {
      seen.push(String(error));
    }
  });
  controller.set(Film, { id: "5" }, { title: "Five" });
  assertThrows(() => readQuery(controller, first), RangeError, "too many");
  controller.resetEntireStore();
  controller.setResponse(getAll, films(1));
  stop();
  assertEquals(seen[0], "Film 0");
  assert(seen.includes("RangeError: too many"));
  assertEquals(seen.at(-1), "Film 0");
});

Deno.test("readQuery keeps two stores apart", () => {
  const one = new Controller();
  const two = new Controller();
  const seen: unknown[] = [];
  const stop = effect(() => void seen.push([readQuery(one, Film, "1")?.title, readQuery(two, Film, "1")?.title]));
  one.set(Film, { id: "1" }, { title: "A" });
  two.set(Film, { id: "1" }, { title: "B" });
  stop();
  assertEquals(seen, [[undefined, undefined], ["A", undefined], ["A", "B"]]);
});

Deno.test("readQuery gives the same object as the controller", () => {
  const controller = new Controller();
  controller.setResponse(getAll, films(2));
  assertStrictEquals(readQuery(controller, Film, "1"), controller.get(Film, "1"));
  assertStrictEquals(readQuery(controller, all)?.[1], controller.get(Film, "1"));
});
