/**
 * Hostile texts through the whole language (reliability H1): tags of a union, names of `Values`, members of an object,
 * arguments and items of a collection, values of an index are ordinary texts, whatever they are. Against maps. Run by
 * itself, this file plays the same with the prototypes frozen.
 */
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  type AnySchema,
  Controller,
  denormalize,
  Endpoint,
  Entity,
  type EntityStatics,
  normalize,
  type Schema,
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

/** Tables, and the tags that stand for them. */
const KEYS: readonly string[] = ["A", "A:x", "__proto__", "constructor", "toString", "10"];
const TAGS: readonly string[] = ["__proto__", "constructor", "toString", "a", "1", ""];

const classes: readonly EntityStatics[] = KEYS.map((key) => {
  class Item extends Entity {
    id = "";
    a = "";
    pk() {
      return this.id;
    }
    static key = key;
  }
  return Item as unknown as EntityStatics;
});
const [first, second] = classes as [EntityStatics, EntityStatics];

/** What each of them is, for the type checker. */
declare class Tagged extends Entity {
  id: string;
  a: string;
}

const noFetch = async () => await Promise.resolve();
const endpointOf = (name: string, declared: AnySchema, sideEffect?: true) =>
  new Endpoint(async (..._args: readonly unknown[]) => await noFetch(), {
    name,
    schema: declared as undefined,
    ...sideEffect && { sideEffect },
  });

const mapping = objectOf(TAGS.map((tag, at) => [tag, classes[at]])) as Record<string, EntityStatics>;
const byKind = new schema.Union(mapping, "kind");
/** Told apart by a member that every object inherits. */
const byConstructor = new schema.Union(mapping, "constructor");
const valueOf = new schema.Object(
  objectOf([["__proto__", first], ["valueOf", [byKind]]]) as { [name: string]: AnySchema } as never,
);
const document = endpointOf(
  "document",
  objectOf([
    ["__proto__", [byKind]],
    ["constructor", new schema.Values(first)],
    ["toString", new schema.Array(byConstructor)],
    ["hasOwnProperty", valueOf],
    ["values", new schema.Values(mapping, "kind")],
    ["lazy", new schema.Lazy([second])],
    ["others", [byKind]],
  ]) as AnySchema,
);
const list = new schema.Collection([first]);
const named = new schema.Collection(new schema.Values(second));
const getList = endpointOf("list", list);
const push = endpointOf("push", list.push, true);
const remove = endpointOf("remove", list.remove, true);
const getNamed = endpointOf("named", named);
const assign = endpointOf("assign", named.assign, true);
const relations = classes.map((entity) => new schema.HasMany(entity as unknown as typeof Tagged, "a"));
const removals = classes.map((entity) => endpointOf("delete", new schema.Invalidate(entity), true));
const removeTagged = endpointOf("delete tagged", new schema.Invalidate([byKind]), true);

/** A record, and a text that it is found by: its tag's place, its name, an argument. */
interface Row {
  readonly table: number;
  readonly pk: string;
  readonly a: string;
  readonly name: string;
}

interface Op {
  readonly kind: "document" | "list" | "push" | "remove" | "named" | "assign" | "delete" | "deleteTagged";
  readonly rows: readonly Row[];
  readonly name: string;
  readonly value: string;
}

type Members = Map<string, string>;

/** The same as maps. */
class Model {
  readonly tables = new Map<string, Map<string, Members>>(KEYS.map((key) => [key, new Map()]));
  readonly lists = new Map<string, { readonly name: string; readonly value: string; pks: string[] }>();
  /** Arguments that are no comparison with the member of their name. */
  readonly searches = new Set<string>();
  named: Map<string, string> | undefined;

  write(table: number, members: Iterable<readonly [string, string]>): void {
    const given = new Map(members);
    const rows = this.tables.get(KEYS[table]!)!;
    const pk = given.get("id")!;
    rows.set(pk, new Map([...rows.get(pk) ?? [], ...given]));
  }

  has(table: number, pk: string): boolean {
    return this.tables.get(KEYS[table]!)!.has(pk);
  }
}

const unique = <T>(items: Iterable<T>): T[] => [...new Set(items)];
const OWN = new Set(["id", "a", "kind"]);

class Session {
  readonly controller = new Controller();
  readonly model = new Model();

  /** The members that a row is sent with. */
  membersOf({ pk, a, table, name }: Row): [string, string][] {
    const members: [string, string][] = [["id", pk], ["a", a], ["kind", TAGS[table]!], ["constructor", TAGS[table]!]];
    if (!OWN.has(name) && name !== "constructor") members.push([name, a]);
    return members;
  }

  /** Sends a row as one of a table, and notes what that means. */
  body(row: Row, table: number): object {
    const members = this.membersOf({ ...row, table });
    this.model.write(table, members);
    return objectOf(members);
  }

  do(op: Op): void {
    const { controller, model } = this;
    const { rows, name, value } = op;
    const args = OWN.has(name) ? {} : objectOf([[name, value]]);
    const key = JSON.stringify(args);
    switch (op.kind) {
      case "document":
        return this.#document(rows);
      case "list": {
        controller.setResponse(getList, args, rows.map((row) => this.body(row, 0)));
        // A row of its own answer that has something else: the argument is a search.
        for (const row of rows) {
          const has = OWN.has(name) ? undefined : new Map(this.membersOf({ ...row, table: 0 })).get(name);
          if (has !== undefined && model.tables.get(KEYS[0]!)!.get(row.pk)!.get(name) !== value) {
            model.searches.add(name);
          }
        }
        model.lists.set(key, { name: OWN.has(name) ? "" : name, value, pks: unique(rows.map(({ pk }) => pk)) });
        return;
      }
      case "push": {
        const [row] = rows;
        if (row === undefined) return;
        const body = this.body(row, 0);
        controller.setResponse(push, body, body);
        const members = model.tables.get(KEYS[0]!)!.get(row.pk)!;
        for (const list of model.lists.values()) {
          if (model.searches.has(list.name)) continue;
          const isIn = list.name === "" || members.get(list.name) === list.value;
          if (isIn && !list.pks.includes(row.pk)) list.pks.push(row.pk);
        }
        return;
      }
      case "remove": {
        const [row] = rows;
        if (row === undefined || !model.has(0, row.pk)) return;
        controller.setResponse(remove, row.pk, row.pk);
        for (const list of model.lists.values()) list.pks = list.pks.filter((pk) => pk !== row.pk);
        return;
      }
      case "named": {
        const items = new Map(rows.map((row) => [row.name, row]));
        // Written in the order of the object's names: that is no business of ours.
        const body = objectOf([...items].map(([name, row]) => [name, row]));
        const bodies = Object.entries(body).map(([name, row]) => [name, this.body(row as Row, 1)] as const);
        controller.setResponse(getNamed, {}, objectOf(bodies));
        model.named = new Map([...items].map(([name, { pk }]) => [name, pk]));
        return;
      }
      case "assign": {
        const [row] = rows;
        if (row === undefined) return;
        controller.setResponse(assign, {}, objectOf([[row.name, this.body(row, 1)]]));
        model.named?.set(row.name, row.pk);
        return;
      }
      case "delete":
        for (const { table, pk } of rows) {
          controller.setResponse(removals[table]!, pk, pk);
          model.tables.get(KEYS[table]!)!.delete(pk);
        }
        return;
      case "deleteTagged":
        controller.setResponse(
          removeTagged,
          {},
          rows.map(({ table, pk }) => objectOf([["id", pk], ["kind", TAGS[table]!]])),
        );
        for (const { table, pk } of rows) model.tables.get(KEYS[table]!)!.delete(pk);
    }
  }

  #document(rows: readonly Row[]): void {
    const { controller } = this;
    const named = new Map(rows.map((row) => [row.name, row]));
    const bodies = (table?: number) => rows.map((row) => this.body(row, table ?? row.table));
    const byName = (table?: number) => {
      const order = Object.keys(objectOf([...named.keys()].map((name) => [name, 0])));
      return objectOf(order.map((name) => [name, this.body(named.get(name)!, table ?? named.get(name)!.table)]));
    };
    // In the order in which the parts are written.
    const parts: [string, unknown][] = [["__proto__", bodies()], ["constructor", byName(0)], ["toString", bodies()]];
    parts.push([
      "hasOwnProperty",
      objectOf([["__proto__", rows[0] === undefined ? null : this.body(rows[0], 0)], ["valueOf", bodies()]]),
    ]);
    parts.push(["values", byName()], ["lazy", bodies(1)]);
    // Tags that nobody has mapped, whatever they are the names of.
    const others = rows.filter(({ name }) => !TAGS.includes(name)).map(({ name, a }) =>
      objectOf([["kind", name], [name, a]])
    );
    parts.push(["others", others]);
    const body = objectOf(parts);
    const { result, entities } = normalize(document.schema as unknown as Schema, body);
    controller.setResponse(document, body);
    // The same by plain tables, through JSON.
    const copy = throughJson({ result, entities });
    const plain = denormalize(document.schema as unknown as Schema, copy.result, copy.entities) as object;
    const read = controller.getResponse(document).data as unknown as object;
    const own = (object: object, name: string) => Object.getOwnPropertyDescriptor(object, name)?.value as unknown;
    for (const [data, isStored] of [[read, true], [plain, false]] as const) {
      const expectItems = (items: unknown, table?: number) => {
        assertEquals((items as unknown[]).length, rows.length, isStored ? "by the store" : "by plain tables");
        rows.forEach((row, at) => this.#expect((items as unknown[])[at], table ?? row.table, row.pk, isStored));
      };
      const expectNamed = (items: unknown, table?: number) => {
        const names = [...named.keys()].sort();
        assertEquals(Object.keys(items as object).sort(), names, isStored ? "by the store" : "by plain tables");
        for (const [name, row] of named) this.#expect(own(items as object, name), table ?? row.table, row.pk, isStored);
      };
      expectItems(own(data, "__proto__"));
      expectNamed(own(data, "constructor"), 0);
      expectItems(own(data, "toString"));
      const inner = own(data, "hasOwnProperty") as object;
      if (rows.length > 0) this.#expect(own(inner, "__proto__"), 0, rows[0]!.pk, isStored);
      else assertEquals(own(inner, "__proto__"), null);
      expectItems(own(inner, "valueOf"));
      expectNamed(own(data, "values"));
      assertEquals(own(data, "lazy"), rows.map(({ pk }) => pk));
      assertEquals(own(data, "others"), others);
    }
  }

  #expect(item: unknown, table: number, pk: string, isStored: boolean): void {
    assert(item instanceof (classes[table] as unknown as typeof Entity), `${KEYS[table]} ${pk}`);
    assertEquals(Object.getPrototypeOf(item), classes[table]!.prototype);
    assertEquals((item as unknown as { id: string }).id, pk);
    if (isStored) assert(item === this.controller.get(classes[table]!, pk), `${KEYS[table]} ${pk} is another object`);
  }

  verify(ops: readonly Op[]): void {
    const { controller, model } = this;
    for (const { name, value, pks } of model.lists.values()) {
      const args = name === "" ? {} : objectOf([[name, value]]);
      const shown = controller.get(list, args as never) as unknown as readonly { id: string }[];
      assertEquals(shown.map(({ id }) => id), pks.filter((pk) => model.has(0, pk)), JSON.stringify(args));
    }
    const shown = controller.get(named, {}) as unknown as { [name: string]: { id: string } } | undefined;
    const expected = model.named && [...model.named].filter(([, pk]) => model.has(1, pk)).sort();
    assertEquals(shown && Object.entries(shown).map(([name, { id }]) => [name, id]).sort(), expected?.sort());
    for (const a of unique(ops.flatMap(({ rows }) => rows.map((row) => row.a)))) {
      classes.forEach((_, table) => {
        const rows = model.tables.get(KEYS[table]!)!;
        const found = controller.get(relations[table]!, a);
        const wanted = [...rows].filter(([, row]) => row.get("a") === a).map(([pk]) => pk).sort();
        assertEquals((found ?? []).map(({ id }) => id).sort(), wanted, `${KEYS[table]} with ${JSON.stringify(a)}`);
      });
    }
    const { entities } = stateOf(controller);
    for (const [key, rows] of model.tables) {
      const stored = Object.hasOwn(entities, key) ? entities[key]! : {};
      const shape = (row: Iterable<readonly [string, unknown]>) => JSON.stringify([...row].sort());
      assertEquals(
        Object.entries(stored).map(([pk, record]) => [pk, shape(Object.entries(record))]).sort(),
        [...rows].map(([pk, row]) => [pk, shape(row)]).sort(),
        `table ${key}`,
      );
      for (const record of Object.values(stored)) assertEquals(Object.getPrototypeOf(record), Object.prototype);
    }
  }
}

/** Plays operations on a store and on the model, and throws where they differ. */
function play(ops: readonly Op[]): number {
  const session = new Session();
  for (const op of ops) session.do(op);
  session.verify(ops);
  return ops.length;
}

const KINDS = [
  "document",
  "list",
  "list",
  "push",
  "push",
  "remove",
  "named",
  "assign",
  "delete",
  "deleteTagged",
] as const;

const row: fc.Arbitrary<Row> = fc.record({ table: fc.nat(KEYS.length - 1), pk: text, a: text, name: text });
const op: fc.Arbitrary<Op> = fc.record({
  kind: fc.constantFrom(...KINDS),
  rows: fc.array(row, { maxLength: 3 }),
  name: text,
  value: text,
});

Deno.test("H1: any text is a safe tag, name, member, argument, item and index value, against maps", async () => {
  const before = prototypes();
  let ops = 0;
  const property = breathing(fc.array(op, { minLength: 1, maxLength: 40, size: "max" }), (script) => {
    ops += play(script);
  });
  // About 20 operations a run, each of several writes: 1,000,000 in a soak.
  const number = runs(1_000, 50_000);
  await check(property, { name: "hostile_language", runs: number });
  assertEquals(prototypes(), before);
  assert(ops >= 10 * number, `${ops} operations`);
});

for (const [name, ...options] of ALONE) {
  Deno.test(`H1: the same of the whole language ${name}`, async () => {
    console.log(await runAlone(import.meta.url, runs(10_000, 1_000_000), options));
  });
}

/** One operation, drawn without fast-check. */
function draw(chance: Chance): Op {
  const text = () => chance.text();
  const row = (): Row => ({ table: chance.below(KEYS.length), pk: text(), a: text(), name: text() });
  return { kind: chance.pick(KINDS), rows: chance.several(3, row), name: text(), value: text() };
}

if (import.meta.main && Deno.args.length > 0) {
  await playAlone((chance) => play(Array.from({ length: 30 }, () => draw(chance))));
}
