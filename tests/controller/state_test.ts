import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity, hydrate, onCommit, type PlainPatch, schema, stateOf } from "@rejoin/data";
import type { Action } from "@rejoin/data/extend";
import { watch } from "../../src/store/watch.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

class Article extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Article";
}

const get = new Endpoint((id: string) => Promise.resolve({ id, title: `title ${id}` }), {
  name: "get",
  schema: Article,
});
const list = new Endpoint(() => Promise.resolve([{ id: "1" }, { id: "2" }]), { name: "list", schema: [Article] });

Deno.test("getState is the same object until the next commit, and reads do not count", async () => {
  const controller = new Controller();
  const empty = stateOf(controller);
  assertStrictEquals(stateOf(controller), empty);
  controller.get(Article, "unknown");
  controller.getResponse(list);
  assertStrictEquals(stateOf(controller), empty);
  const nothing = { entities: {}, endpoints: {}, meta: {}, entitiesMeta: {}, optimistic: [], lastReset: 0 };
  assertEquals(empty, { version: 1, ...nothing });
  await controller.fetch(list);
  const filled = stateOf(controller);
  assertNotStrictEquals(filled, empty);
  assertStrictEquals(stateOf(controller), filled);
  assertEquals(empty.entities, {}, "a state that was handed out does not change");
  assertEquals(Object.keys(filled.entities.Article!), ["1", "2"]);
});

Deno.test("getState survives JSON and another controller, Infinity included", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const controller = new Controller();
  const forever = get.extend({ name: "forever", dataExpiryLength: Infinity });
  const nothing = new Endpoint(() => Promise.resolve(null), { name: "nothing", schema: Article });
  const failing = new Endpoint(() => Promise.reject(Object.assign(new Error("gone"), { status: 410 })), {
    name: "failing",
    errorExpiryLength: Infinity,
  });
  await controller.fetch(forever, "1");
  await controller.fetch(list);
  await controller.fetch(nothing);
  await controller.fetch(failing).catch(() => {});
  controller.setResponse(get, "3", { id: "3" });
  controller.invalidate(get, "3");
  const text = JSON.stringify(stateOf(controller));
  const restored = new Controller({ use: [hydrate(JSON.parse(text))] });
  assertEquals(JSON.stringify(stateOf(restored)), text);

  assertEquals(restored.getResponse(forever, "1").expiresAt, Infinity);
  assertEquals(restored.getResponse(forever, "1").data?.title, "title 1");
  assertEquals(restored.getResponse(list).expiresAt, clock.now() + 60_000);
  assertEquals(restored.getResponse(list).data?.map(({ id }) => id), ["1", "2"]);
  assertStrictEquals(restored.getResponse(list).data?.[0], restored.get(Article, "1"));
  assertEquals([restored.getResponse(nothing).data as unknown, restored.getResponse(nothing).expiryStatus], [null, 3]);
  assertEquals(restored.getResponse(get, "3").expiryStatus, 1);
  const error = restored.getError(failing) as Error & { status: number };
  assert(error instanceof Error);
  assertEquals([error.message, error.status, restored.getResponse(failing).expiresAt], ["gone", 410, Infinity]);
  assertEquals(restored.get(new schema.All(Article))?.length, 3, "a table that was known is known");
  // Inferred from the record that never expires.
  assertEquals(restored.getResponse(get, "1").expiresAt, controller.getResponse(get, "1").expiresAt);
});

Deno.test("hydrated data is older than everything that is asked for", async () => {
  const wire = new Wire();
  const before = new Controller();
  before.set(Article, { id: "1" }, { title: "hydrated" });
  before.setResponse(list, [{ id: "1" }]);
  const controller = new Controller({ use: [hydrate(stateOf(before))] });
  const read = new Endpoint(wire.fn("list"), { name: "list", schema: [Article] });
  const reading = controller.fetch(read);
  await wire.last.reply([{ id: "1", title: "fetched" }, { id: "2" }]);
  assertEquals((await reading).length, 2);
  assertStrictEquals(controller.getResponse(list).data, await reading, "the first shape that comes takes the entry");
  assertEquals(before.get(Article, "1")?.title, "hydrated");
});

Deno.test("getState of records with hostile names survives JSON, and no prototype changes", () => {
  const controller = new Controller();
  for (const id of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    controller.set(Article, { id }, JSON.parse(`{ "title": "${id}", "__proto__": { "polluted": true } }`));
  }
  const state = JSON.parse(JSON.stringify(stateOf(controller)));
  state.entitiesMeta.Article = {};
  const restored = new Controller({ use: [hydrate(state)] });
  for (const id of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    assertEquals(restored.get(Article, { id })?.title, id);
    assert(restored.get(Article, { id }) instanceof Article);
    assertEquals(restored.getResponse(get, id).expiresAt, 0, "nothing is known of its freshness");
  }
  assertEquals(restored.get(Article, "valueOf"), undefined);
  assertEquals(({} as { polluted?: boolean }).polluted, undefined);
});

Deno.test("hydrated members that are called like a method stay in the record, though no class has met them", () => {
  class Fresh extends Entity {
    id = "";
    get label() {
      return `#${this.id}`;
    }
    pk() {
      return this.id;
    }
    static key = "Fresh";
  }
  const state = JSON.parse(
    '{"entities":{"Fresh":{"1":{"id":"1","pk":"own","label":"own","toString":1,"__proto__":{"polluted":1}}}}}',
  );
  const controller = new Controller({ use: [hydrate(state)] });
  const fresh = controller.get(Fresh, "1")!;
  assert(fresh instanceof Fresh);
  assertEquals([fresh.pk(), fresh.label, (fresh as { polluted?: number }).polluted], ["1", "#1", undefined]);
  assertEquals(stateOf(controller).entities.Fresh!["1"]!.label, "own");
});

Deno.test("getState holds no layers", () => {
  const controller = new Controller();
  controller.set(Article, { id: "1" }, { title: "base" });
  const update = new Endpoint(() => new Promise(() => {}), {
    name: "update",
    schema: Article,
    sideEffect: true,
    getOptimisticResponse: () => ({ id: "1", title: "shown" }),
  });
  controller.fetch(update).catch(() => {});
  assertEquals(controller.get(Article, "1")?.title, "shown");
  assertEquals(stateOf(controller).entities.Article!["1"], { id: "1", title: "base" });
  controller.cleanup();
});

Deno.test("resetEntireStore forgets everything, and what is read again arrives in its new order", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const controller = new Controller();
  const all = new schema.All(Article);
  await controller.fetch(list);
  controller.get(all);
  await clock.tickAsync(5);
  controller.resetEntireStore();
  assertEquals(stateOf(controller), {
    version: 1,
    entities: {},
    endpoints: {},
    meta: {},
    entitiesMeta: {},
    optimistic: [],
    lastReset: clock.now(),
  });
  assertEquals([controller.get(all), controller.get(Article, "1"), controller.getResponse(list).data], [
    undefined,
    undefined,
    undefined,
  ]);
  controller.set(Article, { id: "2" }, {});
  controller.set(Article, { id: "1" }, {});
  assertEquals(controller.get(all)?.map(({ id }) => id), ["2", "1"]);
});

Deno.test("onCommit gives each commit as plain data, of the base only, and stops when it is told to", async () => {
  const wire = new Wire();
  const controller = new Controller();
  const seen: (readonly [PlainPatch, Action])[] = [];
  const stop = onCommit(controller, (patch, action) => void seen.push([patch, action]));
  controller.set(Article, { id: "1" }, { title: "one" });
  const first = stateOf(controller).entities.Article!["1"];
  controller.set(Article, { id: "1" }, { title: "two" });
  const second = stateOf(controller).entities.Article!["1"];
  assertEquals(seen.map(([{ records, reset }]) => ({ records, reset })), [
    { records: [{ key: "Article", pk: "1", before: undefined, after: { id: "1", title: "one" } }], reset: false },
    {
      records: [{ key: "Article", pk: "1", before: { id: "1", title: "one" }, after: { id: "1", title: "two" } }],
      reset: false,
    },
  ]);
  assertStrictEquals(seen[1]![0].records[0]!.before, first);
  assertStrictEquals(seen[1]![0].records[0]!.after, second);
  assertEquals(seen.map(([, { type }]) => type), ["set", "set"]);
  assert(seen[0]![0].seq < seen[1]![0].seq);

  seen.length = 0;
  const update = new Endpoint(wire.fn("update"), {
    name: "update",
    schema: Article,
    sideEffect: true,
    getOptimisticResponse: () => ({ id: "1", title: "shown" }),
  });
  const updating = controller.fetch(update);
  assertEquals(seen.map(([{ records }, { type }]) => [type, records.length]), [["optimistic", 0]]);
  await wire.last.reply({ id: "1", title: "shown" });
  await updating;
  assertEquals(seen[1]![0].records, [{ key: "Article", pk: "1", before: second!, after: { id: "1", title: "shown" } }]);

  seen.length = 0;
  await controller.fetch(list);
  assertEquals(seen[0]![0].endpoints, [{ key: list.key(), before: undefined, after: ["1", "2"] }]);
  assertEquals(seen[0]![0].records.map(({ pk }) => pk), ["2"]);
  controller.resetEntireStore();
  assertEquals([seen[1]![0].reset, seen[1]![1].type], [true, "reset"]);
  assertEquals(JSON.parse(JSON.stringify(seen.map(([patch]) => patch))).length, 2);
  stop();
  stop();
  controller.set(Article, { id: "1" }, {});
  assertEquals(seen.length, 2);
});

Deno.test("a copy that follows the patches is always the base", async () => {
  const controller = new Controller();
  const copy = new Map<string, unknown>();
  onCommit(controller, ({ records, reset }) => {
    if (reset) copy.clear();
    for (const { key, pk, before, after } of records) {
      assertEquals(copy.get(`${key} ${pk}`), before);
      if (after === undefined) copy.delete(`${key} ${pk}`);
      else copy.set(`${key} ${pk}`, after);
    }
  });
  const wire = new Wire();
  const read = new Endpoint(wire.fn("read"), { name: "read", schema: [Article] });
  const remove = new Endpoint((id: string) => Promise.resolve(id), {
    name: "remove",
    schema: new schema.Invalidate(Article),
    sideEffect: true,
    getOptimisticResponse: (_: unknown, id: string) => id,
  });
  const verify = () => {
    const { Article = {} } = stateOf(controller).entities;
    assertEquals(
      Object.fromEntries(copy),
      Object.fromEntries(Object.entries(Article).map(([pk, r]) => [`Article ${pk}`, r])),
    );
  };
  const reading = controller.fetch(read);
  controller.set(Article, { id: "2" }, { title: "two" });
  verify();
  const removing = controller.fetch(remove, "1");
  verify();
  await removing;
  await wire.last.reply([{ id: "1" }, { id: "2", title: "old" }, { id: "3" }]);
  await reading;
  verify();
  assertEquals([...copy.keys()], ["Article 2", "Article 3"]);
  controller.resetEntireStore();
  verify();
});

Deno.test("patches come in order, whoever commits again: a listener, a watcher", () => {
  const controller = new Controller();
  const seen: string[] = [];
  const titles: (string | undefined)[] = [];
  const titleOf = ({ records }: PlainPatch) => String(records[0]!.after?.title);
  onCommit(controller, (patch) => {
    if (titleOf(patch) === "one") controller.set(Article, { id: "1" }, { title: "by listener" });
  });
  onCommit(controller, (patch) => void seen.push(titleOf(patch)));
  watch(controller.store, controller.store.graph.query(Article, ["1"]), () => {
    const title = controller.get(Article, "1")?.title;
    titles.push(title);
    if (title === "by listener") controller.set(Article, { id: "1" }, { title: "by watcher" });
  });
  controller.set(Article, { id: "1" }, { title: "one" });
  assertEquals(seen, ["one", "by listener", "by watcher"]);
  assertEquals(titles.at(-1), "by watcher");
});

Deno.test("whoever stops to listen while commits are told hears no more, whoever begins hears later ones only", () => {
  const controller = new Controller();
  const seen: string[] = [];
  const hear = (name: string) => ({ records }: PlainPatch) => void seen.push(`${name} ${records[0]!.after?.title}`);
  const stops: (() => void)[] = [];
  onCommit(controller, (patch) => {
    if (patch.records[0]!.after?.title !== "one") return;
    onCommit(controller, hear("late"));
    stops.forEach((stop) => stop());
    controller.set(Article, { id: "1" }, { title: "two" });
  });
  stops.push(onCommit(controller, hear("stopped")));
  onCommit(controller, hear("other"));
  controller.set(Article, { id: "1" }, { title: "one" });
  assertEquals(seen, ["other one", "other two", "late two"]);

  seen.length = 0;
  const alone = new Controller();
  const stop = onCommit(alone, (patch) => {
    hear("alone")(patch);
    alone.set(Article, { id: "1" }, { title: "again" });
    stop();
  });
  onCommit(alone, hear("late"));
  alone.set(Article, { id: "1" }, { title: "one" });
  assertEquals(seen, ["alone one", "late one", "late again"]);
});

Deno.test("a listener that throws stops neither the others nor the commit, and is reported", async () => {
  const controller = new Controller();
  const seen: string[] = [];
  onCommit(controller, () => {
    throw new Error("listener");
  });
  onCommit(controller, (_, { type }) => void seen.push(type));
  const errors: unknown[] = [];
  const listen = (event: ErrorEvent) => {
    event.preventDefault();
    errors.push(event.error.message);
  };
  addEventListener("error", listen);
  try {
    controller.set(Article, { id: "1" }, { title: "x" });
    assertEquals((await controller.fetch(get, "2")).title, "title 2");
    await flush();
  } finally {
    removeEventListener("error", listen);
  }
  assertEquals(seen, ["set", "setResponse"]);
  assertEquals(errors, ["listener", "listener"]);
  assertEquals(controller.getError(get, "2"), undefined);
});
