/**
 * What every schema object must do in every place where a schema may stand, shown through the public contract of
 * `src/schemas/interface.ts` alone: the suite knows no concrete class.
 *
 * @module
 */
import {
  assert,
  assertEquals,
  assertNotStrictEquals,
  assertRejects,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import {
  type AnySchema,
  Controller,
  denormalize,
  Endpoint,
  Entity,
  normalize,
  RejoinError,
  stateOf,
} from "@rejoin/data";
import type { SchemaObject } from "@rejoin/data/extend";
import { readerOf, readerOfResponse } from "./reader.ts";

/** The entity that every subject holds. */
export class Item extends Entity {
  id = "";
  n = 0;
  next: Item | undefined = undefined;
  pk() {
    return this.id;
  }
  static key = "Item";
  static schema: { next: typeof Item };
}
Item.schema = { next: Item };

/** A schema object under test. */
export interface Subject {
  /** Names it in the names of tests. */
  readonly name: string;
  /** A new one. */
  make(): SchemaObject;
  /** A value of it that holds these items. */
  value(items: readonly object[]): unknown;
  /** The items that a read of it gives, in order; `undefined` where it gives nothing. */
  items(read: unknown): readonly Item[] | undefined;
  /** Values it refuses with a typed error. */
  readonly refuses: readonly unknown[];
  /** It deletes what it holds. */
  readonly deletes?: boolean;
  /** What it keeps of a response, and so what it shows as a member of an entity. `false`: it looks at the table. */
  readonly keeps: boolean;
  /** It holds one item, and not a row of them. */
  readonly single?: boolean;
  /** Arguments that name items without a response; none: it cannot be asked. */
  readonly args?: readonly unknown[];
}

const item = (id: number, more: object = {}) => ({ id: `${id}`, n: id, ...more });
const idsOf = (items: readonly Item[] | undefined) => items?.map(({ id }) => id);

/** Names that are ordinary ones, and that a careless table takes for something else. */
const HOSTILE_PKS = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "valueOf",
  " ",
  "0",
  "-1",
  "a/b",
  "\u0000",
];

/** Bodies of every shape that a server, a proxy or a mistake may send. */
const ANY_BODIES: readonly unknown[] = [
  ...[null, "", "text", "<html></html>", 0, 1, NaN, true, false, [], [[]], [null], [[null]], ["1"], {}, { id: null }],
  ...[{ error: "boom" }, { id: {} }, { id: [] }, { id: "1", schema: "item" }, [{ id: true }], { first: { id: {} } }],
  JSON.parse('{ "__proto__": { "id": "1" }, "constructor": [{ "id": "2" }], "toString": null }'),
  { type: "item", id: "1", next: { id: {} } },
];

/** Where a schema may stand: how it is declared there, how a value is put there, and how it is found again. */
interface Place {
  readonly name: string;
  declare(schema: SchemaObject): AnySchema;
  put(value: unknown): unknown;
  find(read: unknown): unknown;
}

class Holder extends Entity {
  id = "";
  held: unknown = undefined;
  deep: unknown = undefined;
  pk() {
    return this.id;
  }
  static key = "Holder";
}

type Members = Record<string, unknown>;

const PLACES: readonly Place[] = [
  { name: "at the root", declare: (schema) => schema, put: (value) => value, find: (read) => read },
  {
    name: "in an object",
    declare: (schema) => ({ held: schema, next: "" }),
    put: (value) => ({ held: value, next: "n" }),
    find: (read) => (read as Members | undefined)?.held,
  },
  {
    name: "in objects and arrays",
    declare: (schema) => ({ rows: [{ held: schema }] }),
    put: (value) => ({ rows: [{ held: value }] }),
    find: (read) => (read as { rows: Members[] } | undefined)?.rows[0]?.held,
  },
];
const ENTITY_PLACES: readonly Place[] = [
  {
    name: "in an entity",
    declare: (schema) =>
      class extends Holder {
        static schema = { held: schema };
      },
    put: (value) => ({ id: "h", held: value }),
    find: (read) => (read as Members | undefined)?.held,
  },
  {
    name: "in objects and arrays of an entity in a list",
    declare: (schema) => [
      class extends Holder {
        static schema = { deep: { rows: [{ held: schema }] } };
      },
    ],
    put: (value) => [{ id: "h", deep: { rows: [{ held: value }] } }],
    find: (read) => (read as { deep?: { rows: Members[] } }[])[0]?.deep?.rows[0]?.held,
  },
];

const endpointOf = (declared: AnySchema, deletes: boolean | undefined) =>
  new Endpoint(async () => await Promise.resolve(), {
    name: "subject",
    schema: declared as typeof Item,
    ...(deletes ? { sideEffect: true } : {}),
  });

/**
 * Runs the suite for one schema object.
 *
 * @param subject What is tested.
 */
export function testSchema(subject: Subject): void {
  const { name, deletes, single } = subject;
  const only = <T>(items: readonly T[]): readonly T[] => single ? items.slice(0, 1) : items;
  const places = subject.keeps ? [...PLACES, ...ENTITY_PLACES] : PLACES;

  for (const place of places) {
    if (!deletes) {
      Deno.test(`${name} ${place.name} hoists what it holds, and reads it again as the objects that everybody reads`, () => {
        const declared = place.declare(subject.make());
        const controller = new Controller();
        const endpoint = endpointOf(declared, deletes);
        controller.setResponse(endpoint, place.put(subject.value([item(1, { next: item(3) }), item(2)])));
        assertEquals(Object.keys(stateOf(controller).entities.Item!).sort(), single ? ["1", "3"] : ["1", "2", "3"]);
        const read = subject.items(place.find(controller.getResponse(endpoint).data))!;
        if (subject.keeps) assertEquals(idsOf(read)!.toSorted(), only(["1", "2"]));
        for (const one of read) assertStrictEquals(one, controller.get(Item, one.id));
        assert(read.some(({ id, next }) => id === "1" && next === controller.get(Item, "3")));
      });

      Deno.test(`${name} ${place.name} gives the plain tables what the store gets`, () => {
        const declared = place.declare(subject.make()) as typeof Item;
        const value = place.put(subject.value([item(1), item(2)]));
        const { result, entities } = normalize(declared, value);
        assertEquals(Object.keys(entities.Item!), only(["1", "2"]));
        const once = JSON.stringify(result);
        assertEquals(JSON.stringify(normalize(declared, value).result), once);
        assertEquals(idsOf(subject.items(place.find(denormalize(declared, result, entities)))), only(["1", "2"]));
      });

      Deno.test(`${name} ${place.name} stays the same object while nothing changes, and is another when an item does`, () => {
        const controller = new Controller();
        const endpoint = endpointOf(place.declare(subject.make()), deletes);
        const value = () => place.put(subject.value([item(2), item(1)]));
        controller.setResponse(endpoint, value());
        const reader = readerOfResponse<unknown>(controller, endpoint);
        const before = reader.value;
        controller.setResponse(endpoint, value());
        controller.set(Item, "2", item(2));
        assertStrictEquals(reader.value, before);
        assertEquals(reader.told, 0);
        controller.set(Item, "2", { id: "2", n: 20 });
        assertNotStrictEquals(reader.value, before);
        assertEquals(reader.told, 1);
        const two = (read: unknown) => subject.items(place.find(read))!.find(({ id }) => id === "2")!;
        assertEquals([two(reader.value).n, two(before).n], [20, 2]);
      });

      Deno.test(`${name} ${place.name} has, after one of its items changed, one other object and no more`, () => {
        const controller = new Controller();
        const endpoint = endpointOf(place.declare(subject.make()), deletes);
        const ids = Array.from({ length: 100 }, (_, index) => index + 1);
        controller.setResponse(endpoint, place.put(subject.value(ids.map((id) => item(id)))));
        const reader = readerOfResponse<unknown>(controller, endpoint);
        const items = () => subject.items(place.find(reader.value))!;
        for (const id of only([1, 50, 100])) {
          const before = items();
          controller.set(Item, `${id}`, { id: `${id}`, n: id + 1000 });
          const others = items().filter((one) => !before.includes(one));
          assertEquals(idsOf(others), [`${id}`]);
          assertEquals(items().length, only(ids).length);
        }
      });

      Deno.test(`${name} ${place.name} shows what a pending mutation shows, and what was there when it fails`, async () => {
        using controller = new Controller();
        const declared = place.declare(subject.make());
        const endpoint = endpointOf(declared, deletes);
        controller.setResponse(endpoint, place.put(subject.value([item(1), item(2)])));
        const reader = readerOfResponse<unknown>(controller, endpoint);
        const one = () => subject.items(place.find(reader.value))!.find(({ id }) => id === "1")!;
        const reply = Promise.withResolvers<unknown>();
        const mutation = endpointOf(declared, true).extend({
          name: "mutation",
          fetch: async () => await reply.promise,
          getOptimisticResponse: () => place.put(subject.value([item(1, { n: 100 })])),
        });
        const call = controller.fetch(mutation);
        assertEquals([one().n, stateOf(controller).entities.Item!["1"]!.n], [100, 1]);
        reply.reject(new Error("refused"));
        await assertRejects(() => call, Error, "refused");
        assertEquals([one().n, controller.get(Item, "1")!.n], [1, 1]);
      });

      Deno.test(`${name} ${place.name} takes any name for an ordinary pk`, () => {
        const hostile = HOSTILE_PKS.map((id, n) => ({ id, n }));
        for (const items of single ? hostile.map((each) => [each]) : [hostile]) {
          const controller = new Controller();
          const endpoint = endpointOf(place.declare(subject.make()), deletes);
          controller.setResponse(endpoint, place.put(subject.value(items)));
          const read = subject.items(place.find(controller.getResponse(endpoint).data))!;
          const byName = (a: { id: string }, b: { id: string }) => a.id < b.id ? -1 : 1;
          assertEquals(read.map(({ id, n }) => ({ id, n })).sort(byName), items.toSorted(byName));
        }
        assertEquals(({} as Members).n, undefined);
      });

      Deno.test(`${name} ${place.name} ends on items that refer to each other`, () => {
        const controller = new Controller();
        const endpoint = endpointOf(place.declare(subject.make()), deletes);
        const [one, two] = [item(1), item(2)] as [Members, Members];
        one.next = two;
        two.next = one;
        const body = place.put(subject.value([one, two]));
        for (let times = 0; times < 2; times++) {
          controller.setResponse(endpoint, body);
          const read = subject.items(place.find(controller.getResponse(endpoint).data))!;
          assertStrictEquals(read[0]!.next!.next, read[0]);
        }
      });

      Deno.test(`${name} ${place.name} leaves out what is deleted`, () => {
        const controller = new Controller();
        const endpoint = endpointOf(place.declare(subject.make()), deletes);
        controller.setResponse(endpoint, place.put(subject.value([item(1), item(2)])));
        const reader = readerOfResponse<unknown>(controller, endpoint);
        controller.setResponse(endpointOf(DELETES.make(), true), "1");
        assertEquals(idsOf(subject.items(place.find(reader.value))) ?? [], single ? [] : ["2"]);
        controller.set(Item, "1", item(1));
        assertEquals(idsOf(subject.items(place.find(reader.value)))!.toSorted(), only(["1", "2"]));
      });
    }

    Deno.test(`${name} ${place.name} gives a typed error and writes nothing, or takes it, whatever the server sends`, () => {
      for (const body of ANY_BODIES) {
        const controller = new Controller();
        const endpoint = endpointOf(place.declare(subject.make()), deletes);
        controller.set(Item, "9", item(9));
        const before = stateOf(controller);
        try {
          controller.setResponse(endpoint, place.put(body));
        } catch (error) {
          assert(error instanceof RejoinError, `${JSON.stringify(body)}: ${error}`);
          assertStrictEquals(stateOf(controller), before);
        }
        JSON.stringify(controller.getResponse(endpoint).data);
      }
    });

    for (const [index, refused] of subject.refuses.entries()) {
      Deno.test(`${name} ${place.name} refuses what is no value of it with a typed error and writes nothing, case ${index}`, () => {
        const controller = new Controller();
        controller.set(Item, "9", item(9));
        const endpoint = endpointOf(place.declare(subject.make()), deletes);
        const before = stateOf(controller);
        const error = assertThrows(() => controller.setResponse(endpoint, place.put(refused)), Error);
        assertEquals(error.name, "NormalizeError");
        assertStrictEquals(stateOf(controller), before);
      });
    }

    Deno.test(`${name} ${place.name} does not change what it is given`, () => {
      const freeze = <T>(value: T): T => {
        if (typeof value === "object" && value !== null) Object.values(value).forEach(freeze);
        return Object.freeze(value);
      };
      const value = freeze(place.put(subject.value([item(1, { next: item(2) })])));
      for (const strict of [true, false]) {
        const controller = new Controller({ strict });
        const endpoint = endpointOf(place.declare(subject.make()), deletes);
        controller.setResponse(endpoint, value);
        if (!deletes) assertEquals(controller.get(Item, "1")!.n, 1);
        controller.setResponse(endpoint, value);
      }
    });

    Deno.test(`${name} ${place.name} keeps null, and takes undefined for absence`, () => {
      const declared = place.declare(subject.make()) as typeof Item;
      const nothing = normalize(declared, place.put(null));
      assertEquals(Object.keys(nothing.entities.Item ?? {}), []);
      if (subject.keeps) assertEquals(place.find(denormalize(declared, nothing.result, nothing.entities)), null);
      const absent = normalize(declared, place.put(undefined));
      assertEquals(Object.keys(absent.entities.Item ?? {}), []);
    });
  }

  if (subject.args !== undefined) {
    Deno.test(`${name} can be asked without a response, and says nothing before it knows`, () => {
      const controller = new Controller();
      const reader = readerOf<unknown>(controller, subject.make(), ...subject.args!);
      const schema = subject.make();
      assertEquals(subject.items(reader.value), undefined);
      for (const id of [1, 2]) controller.set(Item, `${id}`, item(id));
      const read = controller.store.graph.query(schema, subject.args!).read(controller.store.graph);
      assertStrictEquals(controller.store.graph.query(schema, subject.args!).read(controller.store.graph), read);
      assertEquals(idsOf(subject.items(read)), only(["1", "2"]));
      assertEquals(idsOf(subject.items(reader.value)), only(["1", "2"]));
      assert(reader.told > 0);
      const told = reader.told;
      controller.set(Item, "1", item(1));
      assertEquals(reader.told, told);
    });
  }
}

/** Deletes an item, by the contract alone. */
const DELETES = {
  make(): SchemaObject {
    return new (class Deletes implements SchemaObject {
      declare readonly "~types": SchemaObject["~types"];
      normalize: SchemaObject["normalize"] = (value, parent, key, walk) => walk.invalidate(Item, value, parent, key);
      denormalize: SchemaObject["denormalize"] = (normalized) => normalized;
    })();
  },
};
