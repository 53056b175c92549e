/**
 * What every schema object does in every place where a schema may stand, shown through the public contract alone: the
 * suite knows no concrete class.
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

/** The entity that every subject holds. */
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
  /** A value of it that holds these items. */
  value(items: readonly any[]): unknown;
  /** The items that a read of it gives, in order; `undefined` where it gives nothing. */
  items(read: any): readonly Item[] | undefined;
  /** Values that it refuses with a typed error. */
  readonly refuses: readonly unknown[];
  /** It deletes what it holds. */
  readonly deletes?: boolean;
  /** What it keeps of a response it shows as a member of an entity. `false`: it looks at the table. */
  readonly keeps: boolean;
  /** It holds one item, and not a row of them. */
  readonly single?: boolean;
  /** Arguments that name items without a response; none: it cannot be asked. */
  readonly args?: readonly unknown[];
}

const item = (id: number, more: object = {}) => ({ id: `${id}`, n: id, ...more });
const idsOf = (items: readonly Item[] | undefined) => items?.map(({ id }) => id);
const all = new All(Item);

/** Names that are ordinary ones, and that a careless table takes for something else. */
const HOSTILE_PKS = ["__proto__", "constructor", "toString", "hasOwnProperty", " ", "0", "-1", "a/b", "\u0000"];

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

/** Runs the suite for one schema object. */
export function testSchema(subject: Subject): void {
  const { name, deletes, single, keeps } = subject;
  const only = <T>(items: readonly T[]): readonly T[] => single ? items.slice(0, 1) : items;
  for (const place of keeps ? [...PLACES, ...ENTITY_PLACES] : PLACES) {
    const declare = () => place.declare(subject.make()),
      found = (read: unknown) => subject.items(place.find(read)),
      given = (...items: any[]) => place.put(subject.value(items));
    const test = (what: string, run: () => void | Promise<void>) => Deno.test(`${name} ${place.name} ${what}`, run);
    if (!deletes) {
      test("hoists what it holds, and reads it again as the objects that all read", () => {
        const controller = new Controller(), endpoint = endpointOf(declare());
        controller.setResponse(endpoint, given(item(1, { next: item(3) }), item(2)));
        assertEquals(idsOf(controller.get(all))!.toSorted(), single ? ["1", "3"] : ["1", "2", "3"]);
        const read = found(controller.getResponse(endpoint).data)!;
        if (keeps) assertEquals(idsOf(read)!.toSorted(), only(["1", "2"]));
        for (const one of read) assertStrictEquals(one, controller.get(Item, one.id));
        assert(read.some(({ id, next }) => id === "1" && next === controller.get(Item, "3")));
      });
      test("gives the plain tables what the store gets", () => {
        const declared = declare(), value = given(item(1), item(2)), { result, entities } = normalize(declared, value);
        assertEquals(Object.keys(entities.Item!), only(["1", "2"]));
        assertEquals(JSON.stringify(normalize(declared, value).result), JSON.stringify(result));
        assertEquals(idsOf(found(denormalize(declared, result, entities))), only(["1", "2"]));
      });
      test("stays the same object while nothing changes, and is another when an item does", () => {
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
      test("has, after one of its items changed, one other object and no more", () => {
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
      test("shows what a pending mutation shows, and what was there when it fails", async () => {
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
      test("takes any name for an ordinary pk", () => {
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
      test("ends on items that refer to each other", () => {
        const controller = new Controller(), endpoint = endpointOf(declare()), one: any = item(1), two: any = item(2);
        one.next = two;
        two.next = one;
        for (let times = 0; times < 2; times++) {
          controller.setResponse(endpoint, given(one, two));
          const read = found(controller.getResponse(endpoint).data)!;
          assertStrictEquals(read[0]!.next!.next, read[0]);
        }
      });
      test("leaves out what is deleted", () => {
        const controller = new Controller(), endpoint = endpointOf(declare());
        controller.setResponse(endpoint, given(item(1), item(2)));
        const reader = readerOfAnswer(controller, endpoint);
        controller.setResponse(endpointOf(new schema.Invalidate(Item), true), "1");
        assertEquals(idsOf(found(reader.value)) ?? [], single ? [] : ["2"]);
        controller.set(Item, "1", item(1));
        assertEquals(idsOf(found(reader.value))!.toSorted(), only(["1", "2"]));
      });
    }
    test("gives a typed error and writes nothing, or takes it, whatever the server sends", () => {
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
    test("refuses what is no value of it with a typed error, and writes nothing", () => {
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
    test("does not change what it is given", () => {
      const freeze = <T>(value: T): T => {
        if (typeof value === "object" && value !== null) Object.values(value).forEach(freeze);
        return Object.freeze(value);
      };
      const value = freeze(given(item(1, { next: item(2) }))), controller = new Controller();
      const endpoint = endpointOf(declare(), deletes);
      for (let times = 0; times < 2; times++) controller.setResponse(endpoint, value);
      if (!deletes) assertEquals(controller.get(Item, "1")!.n, 1);
    });
    test("keeps null, and takes undefined for absence", () => {
      const declared = declare(), nothing = normalize(declared, place.put(null));
      assertEquals(Object.keys(nothing.entities.Item ?? {}), []);
      if (keeps) assertEquals(place.find(denormalize(declared, nothing.result, nothing.entities)), null);
      assertEquals(Object.keys(normalize(declared, place.put(undefined)).entities.Item ?? {}), []);
    });
  }
  if (subject.args !== undefined) {
    Deno.test(`${name} can be asked without a response, and says nothing before it knows`, () => {
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
