/**
 * Hostile data (reliability H1 to H4): any text is a safe pk, key, member; nothing that a server sends reaches a
 * prototype. Run by itself, this file plays the same with the prototypes frozen.
 */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  Controller,
  denormalize,
  Endpoint,
  Entity,
  type EntityStatics,
  type FieldSchemas,
  hydrate,
  normalize,
  schema,
  stateOf,
} from "@rejoin/data";
import {
  ALONE,
  type Chance,
  objectOf,
  playAlone,
  prototypes,
  runAlone,
  text,
  throughJson,
} from "../support/hostile.ts";
import { breathing } from "../support/breathing.ts";
import { check, runs } from "../support/property.ts";

/** Six tables, three of them with names that are something else on a plain object. */
const KEYS: readonly string[] = ["A", "A:x", "__proto__", "constructor", "toString", "10"];

const classes: readonly EntityStatics[] = KEYS.map((key) => {
  class Hostile extends Entity {
    id = "";
    a: unknown = "default";
    pk() {
      return this.id;
    }
    get label(): string {
      return `label of ${this.id}`;
    }
    static key = key;
  }
  return Hostile as unknown as EntityStatics;
});
classes.forEach((entity, index) => {
  const below = classes[(index + 1) % classes.length]!;
  // Members that are entities have hostile names, too.
  const declared = Object.fromEntries([["link", below], ["__proto__", below], ["toString", [below]]]);
  Object.defineProperty(entity, "schema", { value: declared });
});
const LINKS = new Set(["link", "__proto__"]);

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** One thing that happens: to a table, a pk, with members. */
export interface Op {
  readonly kind: "write" | "delete" | "read" | "again";
  readonly table: number;
  readonly pk: string;
  readonly members: readonly (readonly [string, Json])[];
  /** The pk of the entities that the members with a schema hold. */
  readonly below: string;
}

type Record_ = Map<string, unknown>;
type Model = Map<string, Map<string, Record_>>;

const write = classes.map((entity) =>
  new Endpoint(async (_body: unknown) => await Promise.resolve(), { name: "write", schema: entity, sideEffect: true })
);
const remove = classes.map((entity) =>
  new Endpoint(async (_pk: unknown) => await Promise.resolve(), {
    name: "remove",
    schema: new schema.Invalidate(entity),
    sideEffect: true,
  })
);

/** The body that an operation sends, and what the model makes of it. */
function apply(model: Model, op: Op): object {
  const rowOf = (table: number, pk: string): Record_ => {
    const key = KEYS[table]!;
    let rows = model.get(key);
    if (rows === undefined) model.set(key, rows = new Map());
    let row = rows.get(pk);
    if (row === undefined) rows.set(pk, row = new Map());
    row.set("id", pk);
    return row;
  };
  const row = rowOf(op.table, op.pk);
  const body: [string, unknown][] = [["id", op.pk]];
  const next = (op.table + 1) % KEYS.length;
  for (const [name, value] of new Map(op.members)) {
    if (name === "id") continue;
    if (name === "toString") {
      body.push([name, [op.below, { id: op.below, a: value }]]);
      row.set(name, [op.below]);
      rowOf(next, op.below).set("a", value);
    } else if (LINKS.has(name)) {
      body.push([name, { id: op.below, a: value }]);
      row.set(name, op.below);
      rowOf(next, op.below).set("a", value);
    } else {
      body.push([name, value]);
      row.set(name, value);
    }
  }
  return objectOf(body);
}

/** A row as text; the members in the order of their names. */
function rowText(row: Iterable<readonly [string, unknown]>): string {
  return JSON.stringify([...row].sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0));
}

/** Plays operations on a store and on the model, and throws where they differ. */
export function play(ops: readonly Op[]): number {
  const controller = new Controller();
  const model: Model = new Map();
  const bodies: (readonly [number, object])[] = [];
  for (const op of ops) {
    const entity = classes[op.table]!;
    if (op.kind === "write") {
      const body = apply(model, op);
      bodies.push([op.table, body]);
      controller.setResponse(write[op.table]!, body, body);
    } else if (op.kind === "delete") {
      model.get(KEYS[op.table]!)?.delete(op.pk);
      controller.setResponse(remove[op.table]!, op.pk, op.pk);
    } else if (op.kind === "again" && bodies.length > 0) {
      // Read, then write what was read: nothing may change but what the body of an older write says.
      const row = model.get(KEYS[op.table]!)?.get(op.pk);
      if (row !== undefined) {
        const before = controller.get(entity, op.pk);
        const links = [...row].filter(([name]) => name !== "__proto__" && name !== "toString" && name !== "link");
        controller.setResponse(write[op.table]!, null, objectOf(links));
        if (controller.get(entity, op.pk) !== before) {
          throw new Error(`${op.pk} is another object after an equal write`);
        }
      }
    }
    const row = model.get(KEYS[op.table]!)?.get(op.pk);
    const instance = controller.get(entity, op.pk) as (Entity & { label: string }) | undefined;
    if ((instance === undefined) !== (row === undefined)) {
      throw new Error(`${KEYS[op.table]} ${op.pk} is there: ${instance}`);
    }
    if (instance === undefined || row === undefined) continue;
    if (Object.getPrototypeOf(instance) !== entity.prototype) throw new Error(`${op.pk} has another prototype`);
    if (instance.label !== `label of ${op.pk}` || instance.pk() !== op.pk) {
      throw new Error(`${op.pk} has lost its methods`);
    }
    for (const [name, value] of row) {
      if (name in entity.prototype) {
        if (Object.hasOwn(instance, name)) throw new Error(`${name} is on the instance`);
      } else if (name === "link") {
        const below = controller.get(classes[(op.table + 1) % classes.length]!, value as string);
        if ((instance as unknown as { link: unknown }).link !== below) {
          throw new Error(`${op.pk}.link is another object`);
        }
      } else if (JSON.stringify((instance as unknown as Record<string, unknown>)[name]) !== JSON.stringify(value)) {
        throw new Error(`${op.pk}.${name} differs`);
      }
    }
  }
  const { entities } = stateOf(controller);
  for (const key of KEYS) {
    const rows = [...model.get(key) ?? []].map(([pk, row]) => `${JSON.stringify(pk)} ${rowText(row)}`).sort();
    const stored = Object.entries(Object.hasOwn(entities, key) ? entities[key]! : {})
      .map(([pk, record]) => `${JSON.stringify(pk)} ${rowText(Object.entries(record))}`).sort();
    if (rows.join("\n") !== stored.join("\n")) {
      throw new Error(`Table ${key}:\n${stored.join("\n")}\nnot\n${rows.join("\n")}`);
    }
    for (const record of Object.values(Object.hasOwn(entities, key) ? entities[key]! : {})) {
      if (Object.getPrototypeOf(record) !== Object.prototype) throw new Error("a record has another prototype");
    }
  }
  return ops.length;
}

const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, 0, 1, "", "text"),
    text,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(text, tie("value")), { maxLength: 3 }).map((members) => objectOf(members) as Json),
  ),
})).value;
const op: fc.Arbitrary<Op> = fc.record({
  kind: fc.constantFrom("write", "write", "write", "delete", "read", "again"),
  table: fc.nat(KEYS.length - 1),
  pk: text,
  members: fc.array(fc.tuple(text, json), { maxLength: 4 }),
  below: text,
});

Deno.test("H1: any non-empty text is a safe pk, key and member name, against Map<key, Map<pk, row>>", async () => {
  const before = prototypes();
  let ops = 0;
  const property = breathing(fc.array(op, { minLength: 1, maxLength: 60, size: "max" }), (script) => {
    ops += play(script);
  });
  // About 30 operations a run: 1,000,000 in a soak.
  const number = runs(1_000, 35_000);
  await check(property, { name: "hostile_names", runs: number });
  assertEquals(prototypes(), before);
  assert(ops >= 10 * number, `${ops} operations`);
});

for (const [name, ...options] of ALONE) {
  Deno.test(`H1: the same ${name}`, async () => {
    console.log(await runAlone(import.meta.url, runs(10_000, 1_000_000), options));
  });
}

Deno.test("H2: body data never changes an instance's prototype or methods, at any depth, by store and by plain tables", async () => {
  class Deep extends Entity {
    id = "";
    deep: unknown = undefined;
    child: Deep | undefined = undefined;
    children: Deep[] = [];
    more: { one?: Deep; rest?: unknown } = {};
    pk() {
      return this.id;
    }
    greet(): string {
      return "hello";
    }
    static key = "Deep";
    static schema: FieldSchemas;
  }
  Deep.schema = { child: Deep, children: [Deep], more: { one: Deep } };
  const { pk, greet } = Deep.prototype;
  const check1 = (value: unknown, seen: Set<unknown>): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof Entity) {
      assertStrictEquals(Object.getPrototypeOf(value), Deep.prototype);
      assertStrictEquals((value as Deep).pk, pk);
      assertStrictEquals((value as Deep).greet, greet);
      assertEquals((value as Deep).greet(), "hello");
    } else {
      const prototype = Object.getPrototypeOf(value);
      assert(prototype === Object.prototype || prototype === Array.prototype);
    }
    for (const below of Object.values(value)) check1(below, seen);
  };
  const before = prototypes();
  const ids = fc.constantFrom("1", "2", "__proto__");
  const bodies = fc.letrec<{ body: object }>((tie) => ({
    body: fc.tuple(
      ids,
      json,
      fc.array(fc.tuple(text, json), { maxLength: 3 }),
      fc.option(tie("body")),
      fc.option(tie("body")),
    )
      .map(([id, deep, members, one, two]) =>
        objectOf([
          ...members.filter(([name]) => !["child", "children", "more"].includes(name)),
          ["id", id],
          ["deep", deep],
          ["child", one],
          ["children", two === null ? [] : [two]],
          ["more", objectOf([["one", two], ["__proto__", deep], ["constructor", deep]])],
        ])
      ),
  })).body;
  const list = new Endpoint(async () => await Promise.resolve(), {
    name: "list",
    schema: { results: [Deep], meta: {} },
  });
  const property = breathing(fc.array(bodies, { maxLength: 3 }), json, (results, meta) => {
    const response = objectOf([["results", results], [
      "meta",
      meta !== null && typeof meta === "object" && !Array.isArray(meta) ? meta : {},
    ], ["__proto__", meta]]);
    const controller = new Controller();
    for (let turn = 0; turn < 2; turn++) controller.setResponse(list, response);
    const seen = new Set<unknown>();
    check1(controller.getResponse(list).data, seen);
    const { result, entities } = normalize(list.schema, response);
    check1(denormalize(list.schema, result, entities), seen);
    const state = throughJson({ result, entities });
    check1(denormalize(list.schema, state.result, state.entities), seen);
    const copy = new Controller({ use: [hydrate(throughJson(stateOf(controller)))] });
    for (const id of ["1", "2", "__proto__"]) check1(copy.get(Deep, id), seen);
  });
  await check(property, { name: "hostile_prototypes", runs: runs(1_000, 100_000) });
  assertEquals(prototypes(), before);
});

Deno.test("H4: identity is (key, pk): no two pairs meet, however the separators fall", async () => {
  const part = fc.array(fc.constantFrom("A", "1", ":", "/", " ", "\0", "|", "__proto__", "~", '"', ","), {
    minLength: 1,
    maxLength: 4,
  }).map((parts) => parts.join(""));
  const made = new Map<string, EntityStatics>();
  const classOf = (key: string): EntityStatics => {
    let entity = made.get(key);
    if (entity === undefined) {
      class Paired extends Entity {
        id = "";
        of = "";
        pk() {
          return this.id;
        }
        static key = key;
      }
      made.set(key, entity = Paired as unknown as EntityStatics);
    }
    return entity;
  };
  const pairs = fc.array(fc.tuple(part, part), { minLength: 20, maxLength: 20 });
  const property = breathing(pairs, (pairs) => {
    const controller = new Controller();
    for (const [key, id] of pairs) controller.set(classOf(key), id, { id, of: JSON.stringify([key, id]) } as never);
    for (const [key, id] of pairs) {
      const object = controller.get(classOf(key), id) as { of: string } | undefined;
      assert(object instanceof classOf(key));
      assertEquals(object.of, JSON.stringify([key, id]));
    }
    const distinct = new Set(pairs.map((pair) => JSON.stringify(pair)));
    const stored = Object.values(stateOf(controller).entities).map((table) => Object.keys(table).length);
    assertEquals(stored.reduce((sum, size) => sum + size, 0), distinct.size);
  });
  // 20 pairs a run, each against all others: 190.
  await check(property, { name: "hostile_pairs", runs: runs(1_000, 6_000) });
});

/** One operation, drawn without fast-check. */
function draw(chance: Chance): Op {
  const value = (depth: number): Json => {
    const kind = chance.below(depth > 2 ? 3 : 5);
    if (kind === 0) return chance.pick<Json>([null, true, false, 0, 1, "", "text"]);
    if (kind < 3) return chance.text();
    if (kind === 3) return chance.several(2, () => value(depth + 1));
    return objectOf(chance.several(2, () => [chance.text(), value(depth + 1)] as const)) as Json;
  };
  return {
    kind: chance.pick(["write", "write", "write", "delete", "read", "again"] as const),
    table: chance.below(KEYS.length),
    pk: chance.text(),
    members: chance.several(4, () => [chance.text(), value(0)] as const),
    below: chance.text(),
  };
}

if (import.meta.main && Deno.args.length > 0) {
  await playAlone((chance) => play(Array.from({ length: 50 }, () => draw(chance))));
}
