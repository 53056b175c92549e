/** Runs the tests of `_contract.ts` for every schema object of the library, and for three that an app might write. */
import { Entity, NormalizeError, Query, schema } from "@rejoin/data";
import { Item, testSchema } from "./_contract.ts";

/** A page: its items are in the member that is given, and are read beside their number. */
class Paged {
  constructor(readonly member: string) {}
  normalize(value: any, _parent: any, key: any, walk: any): any {
    const items = value?.[this.member];
    if (!Array.isArray(items)) throw new NormalizeError(201, [key]);
    return { pks: walk.visit([Item], items, value, this.member), total: items.length };
  }
  denormalize(kept: any, reading: any): any {
    return { items: reading.shape([Item], kept.pks), total: kept.total };
  }
}
/** Items by name that are read as a Map, which is neither an array nor a plain object. */
class Mapped {
  normalize(value: any, _parent: any, key: any, walk: any): any {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new NormalizeError(201, [key]);
    return Object.entries(value).map(([name, item]) => [name, walk.visit(Item, item, value, name)]);
  }
  denormalize(kept: any[], reading: any): any {
    return new Map(kept.map(([name, pk]) => [name, reading.shape(Item, pk)]).filter(([, item]) => item) as any);
  }
}
/** One item, which arguments can name. */
class Choice {
  normalize(value: any, parent: any, key: any, walk: any): any {
    if (Array.isArray(value)) throw new NormalizeError(201, [key]);
    return typeof value === "object" ? { item: walk.visit(Item, value, parent, key) } : value;
  }
  denormalize(kept: any, reading: any): any {
    return kept?.item === undefined ? kept : reading.shape(Item, kept.item);
  }
  queryKey([pk]: readonly unknown[]): unknown {
    return { item: pk };
  }
}
class Other extends Entity {
  id = "";
  static key = "Other";
}

const NO_LISTS = [{}, "text", 5, true, { error: "boom" }], NO_VALUES = [[], "text", 5, true];
const isRow = { value: (items: any) => items, items: (read: any) => read, refuses: NO_LISTS };
const isTable = { keeps: false, args: [] };
const one = { items: (read: any) => read === undefined ? undefined : [read] };
const tagged = (items: readonly any[]) => items.map((each) => ({ ...each, type: "item" }));
const named = (items: readonly any[]) =>
  Object.fromEntries(items.map((each, index) => [["__proto__", "constructor", ""][index] ?? `n${index}`, each]));
const asNamed = (read: any) => read === undefined ? undefined : Object.values<Item>(read);
const isNamed = { value: named, items: asNamed, refuses: NO_VALUES };
const both = { item: Item, other: Other };

testSchema({ ...isRow, name: "All", make: () => new schema.All(Item), ...isTable });
testSchema({
  ...isRow,
  name: "All of several",
  make: () => new schema.All({ other: Other, item: Item }, "type"),
  ...isTable,
  value: tagged,
});
testSchema({
  ...isRow,
  name: "All of a Union",
  make: () => new schema.All(new schema.Union(both, ({ type }) => type)),
  ...isTable,
  value: tagged,
});
testSchema({ ...isRow, name: "Query of a list", make: () => new Query([Item]) });
testSchema({
  ...isRow,
  name: "Query of All",
  make: () => new Query(new schema.All(Item), (items) => [...items]),
  keeps: false,
  args: [{ any: 1 }],
});
testSchema({
  ...isRow,
  name: "Query of an object",
  make: () => new Query({ list: [Item] }, ({ list }: any) => list.filter(({ n }: any) => n >= 0)),
  value: (items) => ({ list: items }),
  refuses: [[], "text", { list: {} }],
});
testSchema({ ...isRow, name: "Array", make: () => new schema.Array(Item), refuses: [...NO_LISTS, [[]]] });
testSchema({ ...isRow, name: "Array of several", make: () => new schema.Array(both, "type"), value: tagged });
testSchema({
  ...isRow,
  name: "Array of objects",
  make: () => new schema.Array({ one: Item, note: "" }),
  value: (items) => items.map((one: any) => ({ one })),
  items: (read) => read?.flatMap(({ one }: any) => one ?? []),
});
testSchema({
  ...isRow,
  name: "Object",
  make: () => new schema.Object({ list: [Item], total: 0 }),
  value: (items) => ({ list: items }),
  items: (read) => read?.list,
  refuses: [[], "text", true, { list: {} }],
});
testSchema({ ...isNamed, name: "Values", make: () => new schema.Values(Item) });
testSchema({
  ...isNamed,
  name: "Values of several",
  make: () => new schema.Values(both, "type"),
  value: (items) => named(tagged(items)),
  refuses: [...NO_VALUES, { first: [] }],
});
testSchema({
  name: "Values of Arrays of Values",
  make: () => new schema.Values(new schema.Array(new schema.Values(Item))),
  value: (items) => ({ all: [named(items)] }),
  items: (read) => asNamed(read?.all[0]),
  refuses: [...NO_VALUES, { all: {} }, { all: [[]] }],
});
testSchema({
  ...one,
  name: "Union",
  make: () => new schema.Union({ other: Other, item: Item }, "type"),
  value: ([each]) => ({ ...each, type: "item" }),
  refuses: [[], { id: "1", schema: "item" }],
  single: true,
  args: [{ type: "item", id: "1" }],
});
testSchema({
  ...one,
  name: "Invalidate",
  make: () => new schema.Invalidate(Item),
  value: ([each]) => each,
  refuses: [{}, "", true, { error: "boom" }],
  deletes: true,
});
testSchema({
  ...one,
  name: "Invalidate of a union",
  make: () => new schema.Invalidate(new schema.Union(both, "type")),
  value: ([each]) => ({ ...each, type: "item" }),
  refuses: ["", "1", true, { type: "item" }, []],
  deletes: true,
});
testSchema({
  ...isRow,
  name: "Invalidate of an array",
  make: () => new schema.Invalidate([Item]),
  refuses: [...NO_LISTS, [{}], [""], [true]],
  deletes: true,
});
testSchema({
  ...isRow,
  name: "a custom Paged",
  make: () => new Paged("rows"),
  value: (items) => ({ rows: items, extra: 1 }),
  items: (read) => read?.items,
  refuses: [{}, [], "text", { rows: {} }],
});
testSchema({
  name: "a custom Map",
  make: () => new Mapped(),
  value: named,
  items: (read) => read === undefined ? undefined : [...read.values()],
  refuses: [[], "text"],
});
testSchema({
  ...one,
  name: "a custom Choice",
  make: () => new Choice(),
  value: ([each]) => each,
  refuses: [[]],
  single: true,
  args: ["1"],
});
