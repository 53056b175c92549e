/**
 * The tests that every schema object must pass, at the root, in objects, in arrays and in entities. They use the public
 * methods of a schema only, and know no concrete class.
 */
import {
  assert,
  assertEquals,
  assertNotStrictEquals,
  assertRejects,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import { All, Controller, denormalize, Endpoint, Entity, normalize, RejoinError, schema } from "@rejoin/data";
import { readerOf, readerOfAnswer } from "./_reader.ts";

/** The entity inside of every schema under test. */
export class Item extends Entity {
  id = "";
  n = 0;
  next: Item | undefined = undefined;
  static key = "Item";
  static schema: any = {};
}
Item.schema = { next: Item };

/** A schema object under test. */
export interface Subject {
  readonly name: string;
  make(): any;
  /** Makes a value of the schema that holds these items. */
  value(items: readonly any[]): unknown;
  /** The items in what the schema reads as, in order; `undefined` if it reads as nothing. */
  items(read: any): readonly Item[] | undefined;
  /** Values that the schema refuses with a `NormalizeError`. */
  readonly refuses: readonly unknown[];
  /** Whether the schema deletes the items. */
  readonly deletes?: boolean;
  /** Whether it reads the items of its own reply; `false`: it reads the whole table, as `All` does. Otherwise yes. */
  readonly keeps?: boolean;
  /** Whether it holds one item instead of several. */
  readonly single?: boolean;
  /** Arguments that name items without a reply. Left out, if the schema has no `queryKey`. */
  readonly args?: readonly unknown[];
}

const item = (id: number, more: object = {}) => ({ id: `${id}`, n: id, ...more });
const idsOf = (items: readonly Item[] | undefined) => items?.map(({ id }) => id);
const all = new All(Item);

/** Valid pks that a careless implementation mistakes: names of `Object.prototype`, numbers, separators. */
const HOSTILE_PKS = ["__proto__", "constructor", "toString", "hasOwnProperty", " ", "0", "-1", "a/b", "\u0000"];

/** Bodies of all shapes, which a server, a proxy or a bug may send. */
const ANY_BODIES: readonly unknown[] = [
  ...[null, "", "text", "<html></html>", 0, 1, NaN, true, false, [], [[]], [null], [[null]], ["1"], {}, { id: null }],
  ...[{ error: "boom" }, { id: {} }, { id: [] }, { id: "1", schema: "item" }, [{ id: true }], { first: { id: {} } }],
  JSON.parse('{ "__proto__": { "id": "1" }, "constructor": [{ "id": "2" }], "toString": null }'),
  { type: "item", id: "1", next: { id: {} } },
];

/** A place for a schema: how to declare it there, put a value there, and find it in what is read. */
interface Place {
  readonly name: string;
  declare(schema: any): any;
  put(value: unknown): unknown;
  find(read: any): any;
}
class Holder extends Entity {
  id = "";
  held: unknown = undefined;
  deep: unknown = undefined;
  static key = "Holder";
}
const PLACES: readonly Place[] = [
  { name: "at the root", declare: (schema) => schema, put: (value) => value, find: (read) => read },
  {
    name: "in objects and arrays",
    declare: (schema) => ({ rows: [{ held: schema }], next: "" }),
    put: (value) => ({ rows: [{ held: value }], next: "n" }),
    find: (read) => read?.rows[0]?.held,
  },
];
const ENTITY_PLACES: readonly Place[] = [{
  name: "in an entity",
  declare: (schema) =>
    class extends Holder {
      static schema = { held: schema };
    },
  put: (value) => ({ id: "h", held: value }),
  find: (read) => read?.held,
}, {
  name: "in objects and arrays of an entity in a list",
  declare: (schema) => [
    class extends Holder {
      static schema = { deep: { rows: [{ held: schema }] } };
    },
  ],
  put: (value) => [{ id: "h", deep: { rows: [{ held: value }] } }],
  find: (read) => read[0]?.deep?.rows[0]?.held,
}];

const endpointOf = (schema: any, sideEffect?: boolean): any =>
  new Endpoint(async () => await Promise.resolve(), { name: "subject", schema, ...sideEffect && { sideEffect } });

/** Declares all tests for one schema object. */
export function testSchema(subject: Subject): void {
  const { name, deletes, single, keeps = true } = subject;
  const only = <T>(items: readonly T[]): readonly T[] => single ? items.slice(0, 1) : items;
  for (const place of keeps ? [...PLACES, ...ENTITY_PLACES] : PLACES) {
    const declare = () => place.declare(subject.make()),
      found = (read: unknown) => subject.items(place.find(read)),
      given = (...items: any[]) => place.put(subject.value(items));
    const test = (what: string, run: () => void | Promise<void>) => Deno.test(`${name} ${place.name} ${what}`, run);
    if (!deletes) {
      test("stores its items as records, and reads the same instances as every other read", () => {
        const controller = new Controller(), endpoint = endpointOf(declare());
        controller.setResponse(endpoint, given(item(1, { next: item(3) }), item(2)));
        assertEquals(idsOf(controller.get(all))!.toSorted(), single ? ["1", "3"] : ["1", "2", "3"]);
        const read = found(controller.getResponse(endpoint).data)!;
        if (keeps) assertEquals(idsOf(read)!.toSorted(), only(["1", "2"]));
        for (const one of read) assertStrictEquals(one, controller.get(Item, one.id));
        assert(read.some(({ id, next }) => id === "1" && next === controller.get(Item, "3")));
      });
      test("normalizes and denormalizes plain tables", () => {
        const declared = declare(), value = given(item(1), item(2)), { result, entities } = normalize(declared, value);
        assertEquals(Object.keys(entities.Item!), only(["1", "2"]));
        assertEquals(JSON.stringify(normalize(declared, value).result), JSON.stringify(result));
        assertEquals(idsOf(found(denormalize(declared, result, entities))), only(["1", "2"]));
      });
      test("reads as the same object until an item changes, and then as another one", () => {
        const controller = new Controller(), endpoint = endpointOf(declare()), value = () => given(item(2), item(1));
        controller.setResponse(endpoint, value());
        const reader = readerOfAnswer(controller, endpoint), before = reader.value;
        controller.setResponse(endpoint, value());
        controller.set(Item, "2", item(2));
        assertStrictEquals(reader.value, before);
        assertEquals(reader.told, 0);
        controller.set(Item, "2", { id: "2", n: 20 });
        assertNotStrictEquals(reader.value, before);
        assertEquals(reader.told, 1);
        const two = (read: unknown) => found(read)!.find(({ id }) => id === "2")!;
        assertEquals([two(reader.value).n, two(before).n], [20, 2]);
      });
      test("replaces exactly one item when one of 100 records changes", () => {
        const controller = new Controller(), endpoint = endpointOf(declare());
        const ids = Array.from({ length: 100 }, (_, index) => index + 1);
        controller.setResponse(endpoint, given(...ids.map((id) => item(id))));
        const reader = readerOfAnswer(controller, endpoint);
        for (const id of only([1, 50, 100])) {
          const before = found(reader.value)!;
          controller.set(Item, `${id}`, { id: `${id}`, n: id + 1000 });
          assertEquals(idsOf(found(reader.value)!.filter((one) => !before.includes(one))), [`${id}`]);
          assertEquals(found(reader.value)!.length, only(ids).length);
        }
      });
      test("shows an optimistic change, and the old record when the mutation fails", async () => {
        using controller = new Controller();
        const declared = declare(), endpoint = endpointOf(declared);
        controller.setResponse(endpoint, given(item(1), item(2)));
        const reader = readerOfAnswer(controller, endpoint), reply = Promise.withResolvers<unknown>();
        const one = () => found(reader.value)!.find(({ id }) => id === "1")!;
        const mutation = endpointOf(declared, true).extend({
          name: "mutation",
          fetch: async () => await reply.promise,
          getOptimisticResponse: () => given(item(1, { n: 100 })),
        });
        const call = controller.fetch(mutation);
        assertEquals(one().n, 100);
        reply.reject(new Error("refused"));
        await assertRejects(() => call, Error, "refused");
        assertEquals([one().n, controller.get(Item, "1")!.n], [1, 1]);
      });
      test("takes names such as __proto__ for ordinary pks", () => {
        const hostile = HOSTILE_PKS.map((id, n) => ({ id, n }));
        for (const items of single ? hostile.map((each) => [each]) : [hostile]) {
          const controller = new Controller(), endpoint = endpointOf(declare());
          controller.setResponse(endpoint, given(...items));
          const read = found(controller.getResponse(endpoint).data)!;
          const byName = (a: { id: string }, b: { id: string }) => a.id < b.id ? -1 : 1;
          assertEquals(read.map(({ id, n }) => ({ id, n })).sort(byName), items.toSorted(byName));
        }
        assertEquals(({} as any).n, undefined);
      });
      test("stores and reads items that refer to each other", () => {
        const controller = new Controller(), endpoint = endpointOf(declare()), one: any = item(1), two: any = item(2);
        one.next = two;
        two.next = one;
        for (let times = 0; times < 2; times++) {
          controller.setResponse(endpoint, given(one, two));
          const read = found(controller.getResponse(endpoint).data)!;
          assertStrictEquals(read[0]!.next!.next, read[0]);
        }
      });
      test("leaves a deleted record out until it is stored again", () => {
        const controller = new Controller(), endpoint = endpointOf(declare());
        controller.setResponse(endpoint, given(item(1), item(2)));
        const reader = readerOfAnswer(controller, endpoint);
        controller.setResponse(endpointOf(new schema.Invalidate(Item), true), "1");
        assertEquals(idsOf(found(reader.value)) ?? [], single ? [] : ["2"]);
        controller.set(Item, "1", item(1));
        assertEquals(idsOf(found(reader.value))!.toSorted(), only(["1", "2"]));
      });
    }
    test("takes a body of any shape, or throws a RejoinError and writes nothing", () => {
      for (const body of ANY_BODIES) {
        const controller = new Controller(), endpoint = endpointOf(declare(), deletes);
        controller.set(Item, "9", item(9));
        const before = controller.get(all);
        try {
          controller.setResponse(endpoint, place.put(body));
        } catch (error) {
          assert(error instanceof RejoinError, `${JSON.stringify(body)}: ${error}`);
          assertStrictEquals(controller.get(all), before);
        }
        JSON.stringify(controller.getResponse(endpoint).data);
      }
    });
    test("throws a NormalizeError for a value of another shape, and writes nothing", () => {
      for (const refused of subject.refuses) {
        const controller = new Controller();
        controller.set(Item, "9", item(9));
        const endpoint = endpointOf(declare(), deletes), before = controller.get(all);
        const error = assertThrows(() => controller.setResponse(endpoint, place.put(refused)), Error);
        const reason = error.name === "WriteError" ? error.cause as Error : error;
        assertEquals(reason.name, "NormalizeError", `${JSON.stringify(refused)}: ${error}`);
        assertStrictEquals(controller.get(all), before);
      }
    });
    test("does not change its input", () => {
      const freeze = <T>(value: T): T => {
        if (typeof value === "object" && value !== null) Object.values(value).forEach(freeze);
        return Object.freeze(value);
      };
      const value = freeze(given(item(1, { next: item(2) }))), controller = new Controller();
      const endpoint = endpointOf(declare(), deletes);
      for (let times = 0; times < 2; times++) controller.setResponse(endpoint, value);
      if (!deletes) assertEquals(controller.get(Item, "1")!.n, 1);
    });
    test("keeps null, stores no record for it, and none for undefined", () => {
      const declared = declare(), nothing = normalize(declared, place.put(null));
      assertEquals(Object.keys(nothing.entities.Item ?? {}), []);
      if (keeps) assertEquals(place.find(denormalize(declared, nothing.result, nothing.entities)), null);
      assertEquals(Object.keys(normalize(declared, place.put(undefined)).entities.Item ?? {}), []);
    });
  }
  if (subject.args !== undefined) {
    Deno.test(`${name} is read by arguments without a reply, and is undefined until its records are stored`, () => {
      const controller = new Controller(),
        schema = subject.make(),
        reader = readerOf(controller, schema, ...subject.args!);
      assertEquals(subject.items(reader.value), undefined);
      for (const id of [1, 2]) controller.set(Item, `${id}`, item(id));
      assertStrictEquals(controller.store.get(schema, subject.args!), reader.value);
      assertEquals(idsOf(subject.items(reader.value)), only(["1", "2"]));
      const { told } = reader;
      controller.set(Item, "1", item(1));
      assertEquals(reader.told, told);
    });
  }
}
