import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  Controller,
  type ControllerOptions,
  Endpoint,
  Entity,
  onCommit,
  schema,
  snapshotOf,
  stateOf,
  ValidationError,
} from "@rejoin/data";
import { Collector } from "../../../src/parts/memory/collector.ts";
import type { ViewNode } from "../../../src/denormalize/node.ts";
import type { Store } from "../../../src/store/store.ts";
import { watch } from "../../../src/store/watch.ts";
import { collectAll, stepOn } from "../../support/collect.ts";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}

class Article extends Entity {
  id = "";
  title = "";
  tag = "";
  author = new User();
  static key = "Article";
  static schema = { author: User };
  static indexes = ["tag"] as const;
}

class Refused extends Article {
  static override validate() {
    return "refused";
  }
}

const refusal = new Endpoint((_: { id: string }) => Promise.resolve(_), { name: "refusal", schema: Refused });
const getList = new Endpoint(() => Promise.resolve([]), { name: "getList", schema: [Article] });
const all = new schema.All(Article);

function setUp(stride: number, options: ControllerOptions = {}) {
  const controller = new Controller(options);
  const { store } = controller;
  const collector = new Collector({ store, isReading: () => false }, { maxAge: 0 }, stride);
  store.join(collector);
  return {
    controller,
    store,
    collector,
    /** What a reader of the state finds of a table. */
    records: (key: string) => stateOf(controller).entities[key] ?? {},
    /** Writes articles, each with an author of its own. */
    fill: (count: number, tag: string) => {
      for (let at = 0; at < count; at++) {
        const id = `${tag}${at}`;
        controller.set(Article, id, { id, title: "old", tag, author: { id: `by ${id}`, name: "Ann" } });
      }
    },
    /** From now on a collection is going on that lets go of what is not watched. */
    begin: () => {
      collectAll(collector);
      collector.begin();
    },
  };
}

/** Lets something happen after the first step of a collection, then after the second … */
function betweenAnySteps(
  happen: (app: ReturnType<typeof setUp>, steps: number) => void,
  prepare?: (app: ReturnType<typeof setUp>) => void,
): void {
  let isMore = true;
  for (let steps = 0; isMore; steps++) {
    const app = setUp(1);
    prepare?.(app);
    app.fill(2, "x");
    app.begin();
    isMore = steps === 0 || stepOn(app.collector, steps);
    happen(app, steps);
    assert(steps < 200, "it comes to an end");
  }
}

Deno.test("a collection drops all of its records in one step, however many", () => {
  const { controller, store, collector, records, fill, begin } = setUp(10);
  fill(100, "x");
  fill(3, "kept");
  watch(store, store.graph.query(Article, [{ tag: "kept" }]), () => assert(false, "a reader was told"));
  const told: number[] = [];
  onCommit(controller, (patch) => void told.push(patch.records.length));
  begin();
  const slots = () => store.tables.byKey.get("Article")!.slots.size + store.tables.byKey.get("User")!.slots.size;
  let drops = 0;
  for (let isMore = true; isMore;) {
    const before = Object.keys(records("Article")).length;
    isMore = collector.step();
    const after = Object.keys(records("Article")).length;
    assert(after === before || (before === 103 && after === 3), `${before} articles, then ${after}`);
    assertEquals(Object.keys(records("User")).length, after, "an article without its author");
    if (after < before) drops++;
    if (after > 3) continue;
    // Whatever of them still takes room.
    assertEquals(snapshotOf(controller).get(all)?.length, 3);
    assertEquals([controller.get(all)?.length, controller.get(Article, { tag: "x" })], [3, undefined]);
  }
  assertEquals([drops, told, slots()], [1, [200], 6]);
});

Deno.test("what is gone is not there for whoever reads a table or an index before it is cleared up", () => {
  const read = {
    all: (controller: Controller) => controller.get(all),
    index: (controller: Controller) => controller.get(Article, { tag: "x" }),
    record: (controller: Controller) => controller.get(Article, "x1"),
    author: (controller: Controller) => controller.get(User, "by x1"),
    answer: (controller: Controller) => controller.getResponse(getList).data,
  };
  for (const [name, look] of Object.entries(read)) {
    betweenAnySteps(({ controller, records, collector }, steps) => {
      const isThere = records("Article").x1 !== undefined;
      const value = look(controller);
      if (name !== "answer") assertEquals(value !== undefined, isThere, `${name} after ${steps} steps`);
      while (collector.step());
      assertEquals(look(controller), value, `${name}, read again, after ${steps} steps`);
    });
  }
});

Deno.test("what is written between any two steps stays, over what is there and not over what is gone", () => {
  betweenAnySteps(({ controller, records, collector }, steps) => {
    const before = records("Article").x1;
    controller.set(Article, "x1", { id: "x1", title: "new" });
    const expected = before === undefined ? { id: "x1", title: "new" } : { ...before, title: "new" };
    assertEquals(records("Article").x1, expected, `after ${steps} steps`);
    while (collector.step());
    assertEquals(records("Article"), Object.assign(Object.create(null), { x1: expected }), `after ${steps} steps`);
    const author = controller.get(Article, "x1")?.author;
    assertEquals(author?.name, before === undefined ? "" : "Ann", `its author after ${steps} steps`);
  });
});

Deno.test("what is written again as it is stays, with all that it refers to", () => {
  betweenAnySteps(({ controller, records, collector }, steps) => {
    const same = { id: "x1", title: "old", tag: "x", author: "by x1" as never };
    controller.set(Article, "x1", same);
    while (collector.step());
    assertEquals<unknown>({ ...records("Article").x1 }, same, `after ${steps} steps`);
  });
});

Deno.test("what somebody waits for comes back with what it refers to then, where that was collected meanwhile", () => {
  const shown: { readonly [name: string]: (store: Store) => ViewNode } = {
    "a record": (store) => store.query(Article, ["1"]),
    "a whole table": (store) => store.query(all, []),
  };
  for (const [name, show] of Object.entries(shown)) {
    let isMore = true;
    for (let steps = 0; isMore; steps++) {
      const { controller, store, collector } = setUp(1);
      const write = (name: string) => controller.set(Article, "1", { id: "1", author: { id: "2", name } });
      write("first");
      show(store).read(store.graph);
      controller.resetEntireStore();
      // It was asked for since, and not read: it still has what it was made of.
      collector.begin();
      isMore = steps === 0 || stepOn(collector, steps);
      write("second");
      assertEquals(controller.get(Article, "1")?.author.name, "second", `${name}, after ${steps} steps`);
      while (collector.step());
      write("third");
      assertEquals(controller.get(Article, "1")?.author.name, "third", `${name}, after ${steps} steps`);
    }
  }
});

Deno.test("a write that is refused between any two steps takes nothing from what is watched", () => {
  let isMore = true;
  for (let steps = 0; isMore; steps++) {
    const { controller, store, collector, records, begin } = setUp(1);
    controller.setResponse(getList, [{ id: "1", author: { id: "2", name: "Ann" } }]);
    watch(store, store.response(getList, [], getList.key()), () => assert(false, "a reader was told"));
    begin();
    isMore = steps === 0 || stepOn(collector, steps);
    const refused = { id: "1", title: "new", author: { id: "2", name: "Bo" } };
    assertThrows(() => controller.setResponse(refusal, { id: "1" }, refused), ValidationError);
    while (collector.step());
    assertEquals(
      [Object.keys(records("Article")), Object.keys(records("User"))],
      [["1"], ["2"]],
      `after ${steps} steps`,
    );
    assertEquals(controller.getResponse(getList).data?.[0]?.author.name, "Ann");
  }
});

Deno.test("a collection that ends while it clears up leaves nothing behind", () => {
  const ends: { readonly [name: string]: (app: ReturnType<typeof setUp>) => void } = {
    "another begins": ({ collector }) => collector.begin(),
    "everything is reset": ({ controller }) => controller.resetEntireStore(),
    "it is stopped": ({ collector }) => collector.cleanup(),
    "it pauses": ({ collector }) => void collector.pause()(),
  };
  for (const [name, end] of Object.entries(ends)) {
    betweenAnySteps((app) => {
      const { controller, store, collector, records } = app;
      const wasGone = records("Article").x1 === undefined;
      end(app);
      if (wasGone) { while (collector.step()); }
      else collectAll(collector);
      for (const table of store.tables.byKey.values()) {
        if (wasGone) assertEquals([...table.slots.values()].filter(({ rec }) => rec !== undefined), [], name);
      }
      controller.set(Article, "x1", { id: "x1" });
      assertEquals(Object.keys(records("Article")).at(-1), "x1");
    });
  }
});

Deno.test("what arrives between any two steps stays, also in a table that loses nothing", () => {
  betweenAnySteps(
    ({ controller, collector, fill, store }) => {
      fill(1, "new");
      while (collector.step());
      assertEquals(controller.get(Article, "new0")?.author.name, "Ann");
      const { size } = store.tables.byKey.get("Article")!.slots;
      assertEquals([size, controller.get(all)?.map(({ id }) => id)], [3, ["x0", "x1", "new0"]]);
    },
    // Two users go, and are cleared up before it comes to the articles.
    ({ controller, store }) => {
      for (const id of ["a", "b"]) controller.set(User, id, { id, name: "nobody's" });
      watch(store, store.graph.query(all, []), () => {});
    },
  );
});

Deno.test("records that arrive between any two steps, where somebody waits for them, stay and come last", () => {
  const pks = ["a", "b"];
  betweenAnySteps(
    ({ controller, collector }) => {
      for (const id of pks) {
        controller.set(Article, id, { id, title: "late", tag: "" });
      }
      while (collector.step());
      assertEquals(pks.map((id) => controller.get(Article, id)?.title), ["late", "late"]);
      assertEquals(controller.get(all)?.map(({ id }) => id), ["x0", "x1", "a", "b"]);
    },
    ({ store }) => {
      for (const id of pks) watch(store, store.graph.query(Article, [{ id }]), () => {});
      watch(store, store.graph.query(all, []), () => {});
    },
  );
});
