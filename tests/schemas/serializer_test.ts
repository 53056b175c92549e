import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  Controller,
  denormalize,
  Endpoint,
  Entity,
  normalize,
  SchemaError,
  type Serializer,
  stateOf,
} from "@rejoin/data";

class Price {
  constructor(readonly cents: number) {}
}

class Film extends Entity {
  id = "";
  title = "";
  released = new Date(0);
  rating = 0;
  gross = 0n;
  price = new Price(0);
  pk() {
    return this.id;
  }
  static key = "Film";
  static schema = { released: Date, rating: Number, gross: BigInt, price: (value: number) => new Price(value) };
}

function readFilm(record: object): Film {
  return denormalize(Film, "1", normalize(Film, { id: "1", ...record }).entities)!;
}

Deno.test("a Date is stored as received and read as Date", () => {
  for (const received of ["2026-01-02T03:04:05Z", "2026-01-02", "Fri, 02 Jan 2026 03:04:05 GMT", 1_767_323_045_000]) {
    assertStrictEquals(normalize(Film, { id: "1", released: received }).entities.Film!["1"]!.released, received);
    const { released } = readFilm({ released: received });
    assert(released instanceof Date);
    assertEquals(released.getTime(), new Date(received).getTime());
  }
});

Deno.test("a Date that is written in is stored as its ISO string", () => {
  const controller = new Controller();
  controller.set(Film, "1", { id: "1", released: new Date(5) });
  assertEquals(stateOf(controller).entities.Film!["1"]!.released, "1970-01-01T00:00:00.005Z");
  assertEquals(controller.get(Film, "1")!.released.getTime(), 5);
  controller.set(Film, "1", { id: "1", released: new Date(NaN) });
  assertEquals(stateOf(controller).entities.Film!["1"]!.released, "Invalid Date");
  assert(Number.isNaN(controller.get(Film, "1")!.released.getTime()));
});

const UNPARSABLE: readonly unknown[] = [
  ...["", "soon", "2026-13-45", NaN, 1e300, true, {}, [], 5n, { toString: 1, valueOf: 1 }, Object.create(null)],
];

for (const [index, value] of UNPARSABLE.entries()) {
  Deno.test(`an unparsable date reads as Invalid Date and never throws, case ${index}`, () => {
    for (
      const entities of [normalize(Film, { id: "1", released: value }).entities, { Film: { 1: { released: value } } }]
    ) {
      const { released } = denormalize(Film, "1", entities)!;
      assert(released instanceof Date);
      assert(Number.isNaN(released.getTime()));
    }
    assert(Number.isNaN((denormalize({ at: Date }, { at: value }, {})!.at as Date).getTime()));
  });
}

Deno.test("null is data for a serializer, undefined is absence", () => {
  const film = readFilm({ released: null, rating: null, price: undefined });
  assertEquals([film.released, film.rating, film.price] as unknown[], [null, null, new Price(0)]);
  assert(!("price" in normalize(Film, { id: "1", price: undefined }).entities.Film!["1"]!));
});

Deno.test("functions are called on read: Number, BigInt, an arrow", () => {
  const film = readFilm({ rating: "8.5", gross: "12345678901234567890", price: 250 });
  assertEquals([film.rating, film.gross], [8.5, 12345678901234567890n]);
  assert(film.price instanceof Price);
  assertEquals(film.price.cents, 250);
});

Deno.test("serializers work in lists, objects and at the root, where there is no entity", () => {
  const declared = { from: Date, days: [Date], sizes: { width: Number } };
  const { result } = normalize(declared, { from: "2026-01-01", days: ["2026-01-02", null], sizes: { width: "7" } });
  assertEquals(result as unknown, { from: "2026-01-01", days: ["2026-01-02", null], sizes: { width: "7" } });
  const read = denormalize(declared, result, {});
  assertEquals(read as unknown, {
    from: new Date("2026-01-01"),
    days: [new Date("2026-01-02"), null],
    sizes: { width: 7 },
  });
  assertEquals(normalize(Date, new Date(0)).result, "1970-01-01T00:00:00.000Z");
  assertEquals(denormalize(Date, "2026-01-01", {}), new Date("2026-01-01"));
});

Deno.test("a rebuilt instance keeps the serialized values whose stored value is the same", () => {
  for (const strict of [false, true]) {
    const controller = new Controller({ strict });
    controller.set(Film, "1", { id: "1", title: "a", released: "2026-01-01", price: 5 as never });
    const before = controller.get(Film, "1")!;
    controller.set(Film, "1", { id: "1", title: "b", released: "2026-01-01" });
    const after = controller.get(Film, "1")!;
    assert(after !== before);
    assertStrictEquals(after.released, before.released);
    assertStrictEquals(after.price, before.price);
    controller.set(Film, "1", { id: "1", released: "2026-01-02" });
    const later = controller.get(Film, "1")!;
    assert(later.released !== after.released);
    assertStrictEquals(later.price, after.price);
  }
});

Deno.test("an equal date makes no new instance", () => {
  const controller = new Controller();
  controller.set(Film, "1", { id: "1", released: "2026-01-01" });
  const before = controller.get(Film, "1");
  controller.set(Film, "1", { id: "1", released: "2026-01-01" });
  assertStrictEquals(controller.get(Film, "1"), before);
});

Deno.test("an error of a serializer reaches the reader as it is; the next read works, and the rest keeps its identity", () => {
  const controller = new Controller();
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [Film] });
  controller.setResponse(list, [{ id: "1", gross: "1" }, { id: "2", gross: "2" }, { id: "3", gross: "3" }]);
  const before = controller.getResponse(list).data!;
  controller.setResponse(list, [{ id: "1" }, { id: "2", gross: "two" }, { id: "3", title: "new" }]);
  for (let turn = 0; turn < 2; turn++) assertThrows(() => controller.getResponse(list), SyntaxError, "BigInt");
  assertStrictEquals(controller.get(Film, "1"), before[0]);
  controller.setResponse(list, [{ id: "1" }, { id: "2", gross: "22" }, { id: "3" }]);
  const after = controller.getResponse(list).data!;
  assertStrictEquals(after[0], before[0]);
  assertEquals(after.map(({ gross }) => gross), [1n, 22n, 3n]);
  assertEquals(after[2]!.title, "new");
});

Deno.test("an object whose change could not be read is read again when the change is taken back", () => {
  const controller = new Controller();
  const get = new Endpoint(async () => await Promise.resolve(), { name: "get", schema: Film });
  controller.setResponse(get, { id: "1", gross: "1" });
  const before = controller.get(Film, "1")!;
  controller.setResponse(get, { id: "1", gross: "one" });
  assertThrows(() => controller.get(Film, "1"), SyntaxError);
  controller.setResponse(get, { id: "1", gross: "1" });
  const after = controller.get(Film, "1")!;
  assertEquals([after.gross, before.gross], [1n, 1n]);
  assert(after instanceof Film);
});

const REFUSED = { URL, Map, Set, Promise, Intl, Price, Uint8Array, WeakMap };

for (const [name, type] of Object.entries(REFUSED)) {
  if (typeof type !== "function") continue;
  Deno.test(`the class ${name} cannot be called: it is refused with the cure`, () => {
    const serializer = type as unknown as Serializer;
    class Page extends Entity {
      id = "";
      link = "";
      pk() {
        return this.id;
      }
      static key = "Page";
      static schema = { link: serializer };
    }
    class Deep extends Page {
      static override key = "Deep";
      static override schema = { link: serializer, links: [serializer], more: { link: serializer } };
    }
    const cure = `write (value) => new ${name}(value)`;
    const uses = [
      () => normalize(Page, { id: "1", link: "x" }),
      () => normalize({ page: Page, at: serializer }, { at: "x" }),
      () => normalize([serializer], ["x"]),
      () => normalize(serializer, "x"),
      () => normalize({ deep: { at: [serializer] } }, { deep: { at: ["x"] } }),
      () => normalize(Deep, { id: "1" }),
      () => denormalize(Page, "1", { Page: { 1: { id: "1", link: "x" } } }),
      () => new Controller().get(Page, "1"),
    ];
    for (const use of uses.slice(0, 6)) assertThrows(use, SchemaError, cure);
    assertThrows(uses[6]!, SchemaError, "Page.link");
  });
}

Deno.test("functions that look like classes are accepted: constructors that may be called, bound, async and old ones", () => {
  function Old(this: unknown, value: unknown): string {
    return `old ${value}`;
  }
  const accepted: Serializer[] = [
    Number,
    String,
    Boolean,
    BigInt,
    Object,
    Array,
    parseInt,
    JSON.stringify,
    Old,
    Symbol.for,
  ];
  for (const serializer of accepted) {
    const { result } = normalize([serializer], ["5"]);
    assertEquals((denormalize([serializer], result, {}) as unknown[]).length, 1);
  }
});
