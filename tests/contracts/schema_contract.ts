/**
 * What every schema object must do in every place where a schema may stand, shown through the public contract of
 * `src/schemas/interface.ts` alone: the suite knows no concrete class.
 *
 * @module
 */
import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { type AnySchema, Controller, denormalize, Endpoint, Entity, normalize, type SchemaObject } from "@rejoin/data";
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
  /** Arguments that name items without a response; none: it cannot be asked. */
  readonly args?: readonly unknown[];
}

const item = (id: number, more: object = {}) => ({ id: `${id}`, n: id, ...more });
const idsOf = (items: readonly Item[] | undefined) => items?.map(({ id }) => id);

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
  const { name, deletes } = subject;
  const places = subject.keeps ? [...PLACES, ...ENTITY_PLACES] : PLACES;

  for (const place of places) {
    if (!deletes) {
      Deno.test(`${name} ${place.name} hoists what it holds, and reads it again as the objects that everybody reads`, () => {
        const declared = place.declare(subject.make());
        const controller = new Controller();
        const endpoint = endpointOf(declared, deletes);
        controller.setResponse(endpoint, place.put(subject.value([item(1, { next: item(3) }), item(2)])));
        assertEquals(Object.keys(controller.getState().entities.Item!).sort(), ["1", "2", "3"]);
        const read = subject.items(place.find(controller.getResponse(endpoint).data))!;
        assertEquals(idsOf(read)!.slice(0, 2).sort(), subject.keeps ? ["1", "2"] : idsOf(read)!.slice(0, 2).sort());
        for (const one of read) assertStrictEquals(one, controller.get(Item, one.id));
        assert(read.some(({ id, next }) => id === "1" && next === controller.get(Item, "3")));
      });

      Deno.test(`${name} ${place.name} gives the plain tables what the store gets`, () => {
        const declared = place.declare(subject.make()) as typeof Item;
        const value = place.put(subject.value([item(1), item(2)]));
        const { result, entities } = normalize(declared, value);
        assertEquals(Object.keys(entities.Item!), ["1", "2"]);
        const once = JSON.stringify(result);
        assertEquals(JSON.stringify(normalize(declared, value).result), once);
        assertEquals(idsOf(subject.items(place.find(denormalize(declared, result, entities)))), ["1", "2"]);
      });

      Deno.test(`${name} ${place.name} stays the same object while nothing changes, and is another when an item does`, () => {
        const controller = new Controller();
        const endpoint = endpointOf(place.declare(subject.make()), deletes);
        const value = () => place.put(subject.value([item(1), item(2)]));
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
        const items = subject.items(place.find(reader.value))!;
        assertStrictEquals(items[0], subject.items(place.find(before))![0]);
        assertEquals([items[1]!.n, subject.items(place.find(before))![1]!.n], [20, 2]);
      });

      Deno.test(`${name} ${place.name} leaves out what is deleted`, () => {
        const controller = new Controller();
        const endpoint = endpointOf(place.declare(subject.make()), deletes);
        controller.setResponse(endpoint, place.put(subject.value([item(1), item(2)])));
        const { store } = controller;
        const remove = endpointOf(DELETES.make(), true);
        controller.setResponse(remove, "1");
        assertEquals(
          idsOf(subject.items(place.find(store.response(endpoint, [], endpoint.key()).read(store.graph).data))),
          [
            "2",
          ],
        );
      });
    }

    for (const [index, refused] of subject.refuses.entries()) {
      Deno.test(`${name} ${place.name} refuses what is no value of it with a typed error and writes nothing, case ${index}`, () => {
        const controller = new Controller();
        controller.set(Item, "9", item(9));
        const endpoint = endpointOf(place.declare(subject.make()), deletes);
        const before = controller.getState();
        const error = assertThrows(() => controller.setResponse(endpoint, place.put(refused)), Error);
        assertEquals(error.name, "NormalizeError");
        assertStrictEquals(controller.getState(), before);
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
      assertEquals(idsOf(subject.items(read)), ["1", "2"]);
      assertEquals(idsOf(subject.items(reader.value)), ["1", "2"]);
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
