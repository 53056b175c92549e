import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, denormalize, Endpoint, Entity, normalize, Query, schema, stateOf } from "@rejoin/data";
import type {
  DenormalizeWalk,
  NormalizeWalk,
  QueryWalk,
  SchemaObject,
  SchemaTypes,
  View,
  ViewMaker,
} from "@rejoin/data/extend";
import { Item, testSchema } from "./schema_contract.ts";

/** A page as an app may declare it: its items, in whatever member, and the rest beside them. */
class Paged implements SchemaObject {
  declare readonly "~types": SchemaTypes;
  constructor(readonly member: string) {}
  normalize(value: unknown, _parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    const items = (value as Record<string, unknown> | null)?.[this.member];
    if (!Array.isArray(items)) throw walk.fail(this, `${key ?? "it"} has no ${this.member}`);
    return { pks: walk.visit([Item], items, value, this.member), total: items.length };
  }
  denormalize(kept: { pks: string[]; total: number }, walk: DenormalizeWalk): unknown {
    return { items: walk.visit([Item], kept.pks), total: kept.total };
  }
}

/** Items by name, read as a Map: a container that is no array and no plain object. */
class Mapped implements SchemaObject {
  declare readonly "~types": SchemaTypes;
  normalize(value: unknown, _parent: unknown, _key: string | undefined, walk: NormalizeWalk): unknown {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw walk.fail(this, "expected an object");
    }
    return Object.entries(value).map(([name, item]) => [name, walk.visit(Item, item, value, name)]);
  }
  denormalize(kept: readonly (readonly [string, unknown])[], walk: DenormalizeWalk): unknown {
    const entries = kept.map(([name, pk]) => [name, walk.visit(Item, pk)] as const);
    return walk.collecting ? undefined : new Map(entries.filter(([, item]) => item !== undefined));
  }
}

/** Sorts what it keeps, when all of it is there: what `finish` is for. */
class Sorted implements SchemaObject {
  declare readonly "~types": SchemaTypes;
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    if (!Array.isArray(value)) throw walk.fail(this, "expected an array");
    return { pks: walk.visit([Item], value, parent, key) };
  }
  finish(kept: { pks: string[] }): void {
    kept.pks.sort();
  }
  denormalize(kept: { pks: string[] }, walk: DenormalizeWalk): unknown {
    return walk.visit([Item], kept.pks);
  }
  queryKey(_args: readonly unknown[], walk: QueryWalk): unknown {
    const pks = walk.all(Item);
    return pks === undefined ? undefined : { pks: pks.toSorted() };
  }
}

/** Rows as `[rank, item]`, kept in their rank: its own container, and a view that costs only what changed. */
class Ranked implements SchemaObject {
  declare readonly "~types": SchemaTypes;
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    if (!Array.isArray(value) || !value.every(Array.isArray)) {
      throw walk.fail(this, "expected rows of [rank, item]", value, parent, key);
    }
    return walk.fill(this, value, [] as unknown[], (kept) => {
      for (const [, one] of value.toSorted(([a], [b]) => b - a)) kept.push(walk.visit(Item, one, value, undefined));
    });
  }
  denormalize(kept: unknown[], walk: DenormalizeWalk): unknown {
    return walk.fill(this, kept, [] as unknown[], (read) => {
      for (const pk of kept) read.push(walk.visit(Item, pk));
      if (!walk.collecting) read.splice(0, read.length, ...read.filter((one) => one !== undefined));
    });
  }
  view(kept: unknown[] | undefined, maker: ViewMaker): View {
    return maker.of([Item], kept ?? []);
  }
}

/** One item of whichever class `pick` says, kept as a text. */
class Choice implements SchemaObject {
  declare readonly "~types": SchemaTypes;
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    if (typeof value === "object" && !Array.isArray(value)) return { item: walk.visit(Item, value, parent, key) };
    if (typeof value === "object") throw walk.fail(this, "expected an item", value, parent, key);
    return value;
  }
  denormalize(kept: unknown, walk: DenormalizeWalk): unknown {
    const picked = this.pick(kept);
    return picked === undefined ? kept : walk.visit(...picked);
  }
  pick(kept: unknown): readonly [typeof Item, unknown] | undefined {
    if (typeof kept !== "object" || kept === null || !("item" in kept)) return undefined;
    return [Item, kept.item];
  }
  queryKey([pk]: readonly unknown[]): unknown {
    return { item: pk };
  }
}

class Other extends Entity {
  id = "";
  static key = "Other";
}

const asItems = (read: unknown) => read as Item[] | undefined;
const WRONG_LISTS = [{}, "text", 5, true, { error: "boom" }];

testSchema({
  name: "All",
  make: () => new schema.All(Item),
  value: (items) => items,
  items: asItems,
  refuses: [...WRONG_LISTS, [true]],
  keeps: false,
  args: [],
});
testSchema({
  name: "Query of a list",
  make: () => new Query([Item]),
  value: (items) => items,
  items: asItems,
  refuses: [...WRONG_LISTS, [true]],
  keeps: true,
});
testSchema({
  name: "Query of All",
  make: () => new Query(new schema.All(Item), (items) => [...items]),
  value: (items) => items,
  items: asItems,
  refuses: WRONG_LISTS,
  keeps: false,
  args: [{ any: 1 }],
});
testSchema({
  name: "Query of an object",
  make: () => new Query({ list: [Item] }, ({ list }) => list.filter(({ n }) => n >= 0)),
  value: (items) => ({ list: items }),
  items: asItems,
  refuses: [[], "text", { list: {} }],
  keeps: true,
});
testSchema({
  name: "Invalidate",
  make: () => new schema.Invalidate(Item),
  value: ([item]) => item,
  items: (read) => read === undefined ? undefined : [read as Item],
  refuses: [{}, "", true, { error: "boom" }],
  deletes: true,
  keeps: true,
});
testSchema({
  name: "Invalidate of a union",
  make: () => new schema.Invalidate(new schema.Union({ item: Item, other: Other }, "type")),
  value: ([one]) => ({ ...one, type: "item" }),
  items: (read) => read === undefined ? undefined : [read as Item],
  refuses: [{}, "", "1", true, { error: "boom" }, { type: "item" }, []],
  deletes: true,
  keeps: true,
});
testSchema({
  name: "Invalidate of an array",
  make: () => new schema.Invalidate([Item]),
  value: (items) => items,
  items: asItems,
  refuses: [...WRONG_LISTS, [{}], [""], [true]],
  deletes: true,
  keeps: true,
});

const tagged = (items: readonly object[]) => items.map((each) => ({ ...each, type: "item" }));
const named = (items: readonly object[]) =>
  Object.fromEntries(items.map((each, index) => [["__proto__", "constructor", ""][index] ?? `n${index}`, each]));
const asNamed = (read: unknown) => read === undefined ? undefined : Object.values(read as Record<string, Item>);
const WRONG_VALUES = [[], "text", 5, true, { error: "boom", first: true }];

testSchema({
  name: "Array",
  make: () => new schema.Array(Item),
  value: (items) => items,
  items: asItems,
  refuses: [...WRONG_LISTS, [true], [[]]],
  keeps: true,
});
testSchema({
  name: "Array of several",
  make: () => new schema.Array({ item: Item, other: Other }, "type"),
  value: tagged,
  items: asItems,
  refuses: [...WRONG_LISTS, [[]]],
  keeps: true,
});
testSchema({
  name: "a literal array of a Union",
  make: () => new Query([new schema.Union({ item: Item, other: Other }, ({ kind }) => kind)]),
  value: (items) => items.map((each) => ({ ...each, kind: "item" })),
  items: asItems,
  refuses: [...WRONG_LISTS, [[]]],
  keeps: true,
});
testSchema({
  name: "Array of objects",
  make: () => new schema.Array({ one: Item, note: "" }),
  value: (items) => items.map((one) => ({ one })),
  items: (read) => (read as { one: Item | undefined }[] | undefined)?.flatMap(({ one }) => one ?? []),
  refuses: [...WRONG_LISTS, [true], [{ one: true }]],
  keeps: true,
});
testSchema({
  name: "Object",
  make: () => new schema.Object({ list: [Item], total: 0 }),
  value: (items) => ({ list: items }),
  items: (read) => (read as { list: Item[] } | undefined)?.list,
  refuses: [[], "text", true, { list: {} }, { list: [true] }],
  keeps: true,
});
testSchema({
  name: "Values",
  make: () => new schema.Values(Item),
  value: named,
  items: asNamed,
  refuses: WRONG_VALUES,
  keeps: true,
});
testSchema({
  name: "Values of several",
  make: () => new schema.Values({ item: Item, other: Other }, "type"),
  value: (items) => named(tagged(items)),
  items: asNamed,
  refuses: [[], "text", 5, true, { first: [] }],
  keeps: true,
});
testSchema({
  name: "Values of Arrays of Values",
  make: () => new schema.Values(new schema.Array(new schema.Values(Item))),
  value: (items) => ({ all: [named(items)] }),
  items: (read) => asNamed((read as { all: unknown[] } | undefined)?.all[0]),
  refuses: [[], "text", 5, true, { all: {} }, { all: [[]] }],
  keeps: true,
});
testSchema({
  name: "Union",
  make: () => new schema.Union({ other: Other, item: Item }, "type"),
  value: ([one]) => ({ ...one, type: "item" }),
  items: (read) => read === undefined ? undefined : [read as Item],
  refuses: [[], { id: "1", schema: "item" }, { type: "item", id: {} }],
  keeps: true,
  single: true,
  args: [{ id: "1" }],
});
testSchema({
  name: "All of several",
  make: () => new schema.All({ other: Other, item: Item }, "type"),
  value: tagged,
  items: asItems,
  refuses: [...WRONG_LISTS, [[]]],
  keeps: false,
  args: [],
});
testSchema({
  name: "All of a Union",
  make: () => new schema.All(new schema.Union({ item: Item, other: Other }, ({ type }) => type)),
  value: tagged,
  items: asItems,
  refuses: [...WRONG_LISTS, [[]]],
  keeps: false,
  args: [],
});
testSchema({
  name: "a custom Ranked",
  make: () => new Ranked(),
  value: (items) => items.map((each, index) => [100 - index, each]),
  items: asItems,
  refuses: [...WRONG_LISTS, [1], [[1, true]]],
  keeps: true,
});
testSchema({
  name: "a custom Choice",
  make: () => new Choice(),
  value: ([one]) => one,
  items: (read) => read === undefined ? undefined : [read as Item],
  refuses: [[], { id: {} }, { id: true }],
  keeps: true,
  single: true,
  args: ["1"],
});
testSchema({
  name: "a custom Paged",
  make: () => new Paged("rows"),
  value: (items) => ({ rows: items, extra: 1 }),
  items: (read) => (read as { items: Item[] } | undefined)?.items,
  refuses: [{}, [], "text", { rows: {} }, { rows: [true] }],
  keeps: true,
});
testSchema({
  name: "a custom Map",
  make: () => new Mapped(),
  value: named,
  items: (read) => read === undefined ? undefined : [...(read as Map<string, Item>).values()],
  refuses: [[], "text", { first: true }],
  keeps: true,
});
testSchema({
  name: "a custom schema with finish and queryKey",
  make: () => new Sorted(),
  value: (items) => items.toReversed(),
  items: asItems,
  refuses: WRONG_LISTS,
  keeps: true,
  args: [],
});

class Team extends Entity {
  id = "";
  members: Item[] = [];
  nested: { rows: { held: Item[] }[] } = { rows: [] };
  pk() {
    return this.id;
  }
  static key = "Team";
  static schema = { members: new Sorted(), nested: { rows: [{ held: new Sorted() }] } };
}

Deno.test("finish has run when a record is compared with what is stored, so that an equal one changes nothing", () => {
  const controller = new Controller();
  const endpoint = new Endpoint(async () => await Promise.resolve(), { name: "team", schema: Team });
  const items = [{ id: "3" }, { id: "1" }, { id: "2" }];
  const body = () => ({ id: "t", members: items, nested: { rows: [{ held: items }] } });
  controller.setResponse(endpoint, body());
  const before = controller.get(Team, "t")!;
  const record = stateOf(controller).entities.Team!.t!;
  assertEquals(record.members, { pks: ["1", "2", "3"] });
  controller.setResponse(endpoint, { ...body(), members: items.toReversed() });
  assertStrictEquals(stateOf(controller).entities.Team!.t, record);
  assertStrictEquals(controller.get(Team, "t"), before);
});

Deno.test("finish runs for what a function in set has written, too", () => {
  const controller = new Controller();
  controller.set(Team, "t", { id: "t", members: [{ id: "1" }] } as never);
  controller.set(Team, "t", (team) => ({ ...team!, members: [{ id: "3" }, { id: "2" }] }) as never);
  assertEquals(stateOf(controller).entities.Team!.t!.members, { pks: ["2", "3"] });
});

Deno.test("finish is called once a value, the inner one first", () => {
  const calls: string[] = [];
  class Noted implements SchemaObject {
    declare readonly "~types": SchemaTypes;
    constructor(readonly name: string, readonly below?: SchemaObject) {}
    normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
      return this.below === undefined ? [value] : [walk.visit(this.below, value, parent, key)];
    }
    finish(kept: unknown[]): void {
      calls.push(`${this.name} ${JSON.stringify(kept)}`);
    }
    denormalize(kept: unknown): unknown {
      return kept;
    }
  }
  const declared = { a: new Noted("outer", new Noted("inner")), b: [new Noted("item")] };
  normalize(declared, { a: 1, b: [2, 3] });
  assertEquals(calls, ["inner [1]", "outer [[1]]", "item [2]", "item [3]"]);
});

Deno.test("a schema gets the raw parent and the key of its place, and the arguments of the call", () => {
  const seen: unknown[] = [];
  class Curious implements SchemaObject {
    declare readonly "~types": SchemaTypes;
    normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
      seen.push([value, parent, key, walk.args]);
      return value;
    }
    denormalize(kept: unknown, walk: DenormalizeWalk): unknown {
      return [kept, ...walk.args];
    }
  }
  const declared = { one: new Curious(), many: [new Curious()] };
  const body = { one: 1, many: [2] };
  const { result, entities } = normalize(declared, body, ["x"]);
  assertEquals(seen, [[1, body, "one", ["x"]], [2, body, "many", ["x"]]]);
  assertEquals(denormalize(declared, result, entities, ["y"]) as unknown, { one: [1, "y"], many: [[2, "y"]] });
});

Deno.test("while a walk collects, entities are undefined; when it fills, they are what the schema visits, in its order", () => {
  const passes: unknown[] = [];
  class Watching implements SchemaObject {
    declare readonly "~types": SchemaTypes;
    normalize(value: unknown[], parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
      return value.map((item) => walk.visit(Item, item, parent, key));
    }
    denormalize(kept: unknown[], walk: DenormalizeWalk): unknown {
      const items = kept.toReversed().map((pk) => walk.visit(Item, pk) as Item | undefined);
      passes.push([walk.collecting, items.map((item) => item?.id)]);
      return items;
    }
  }
  class Owner extends Team {
    static override key = "Owner";
    static override schema = { members: new Watching(), nested: { rows: [] } } as never;
  }
  const { result, entities } = normalize(Owner, { id: "o", members: [{ id: "1" }, { id: "2" }] });
  const owner = denormalize(Owner, result, entities)!;
  assertEquals(owner.members.map(({ id }) => id), ["2", "1"]);
  const isCollecting = ([collecting]: unknown[]) => collecting === true;
  assertEquals(passes.pop(), [false, ["2", "1"]]);
  assert(passes.length > 0 && (passes as unknown[][]).every(isCollecting));
  assertEquals(passes[0], [true, [undefined, undefined]]);
  // In a store as well.
  passes.length = 0;
  const controller = new Controller();
  controller.set(Owner, "o", { id: "o", members: [{ id: "1" }, { id: "2" }] } as never);
  assertEquals(controller.get(Owner, "o")!.members.map(({ id }) => id), ["2", "1"]);
  assertEquals(passes, [[true, [undefined, undefined]], [false, ["2", "1"]]]);
});
