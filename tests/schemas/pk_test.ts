import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  Controller,
  denormalize,
  Endpoint,
  Entity,
  normalize,
  NormalizeError,
  type Pk,
  schema,
  stateOf,
} from "@rejoin/data";
import { readerOfResponse } from "../contracts/reader.ts";

class Item extends Entity {
  id: unknown = "";
  n = 0;
  pk() {
    return this.id as Pk;
  }
  static key = "Item";
}
class Box extends Entity {
  id = "";
  item: Item | undefined = undefined;
  items: Item[] = [];
  pk() {
    return this.id;
  }
  static key = "Box";
  static schema = { item: Item, items: [Item] };
}

/** Values that `pk()` may come to return, with the text under which each is kept. */
const USABLE: readonly (readonly [unknown, string])[] = [
  ["1", "1"],
  [1, "1"],
  [1n, "1"],
  ["01", "01"],
  [" ", " "],
  ["a:b", "a:b"],
  ["a b", "a b"],
  ["null", "null"],
  ["undefined", "undefined"],
  ["__proto__", "__proto__"],
  ["constructor", "constructor"],
  ["toString", "toString"],
  ["hasOwnProperty", "hasOwnProperty"],
  ["\ud800", "\ud800"],
  ["\0", "\0"],
  ["ä", "ä"],
  ["a\u0308", "a\u0308"],
  [0, "0"],
  ["-0", "-0"],
  [-1, "-1"],
  [1.5, "1.5"],
  [1e21, "1e+21"],
  [2n ** 64n, "18446744073709551616"],
  [Number.MAX_SAFE_INTEGER, "9007199254740991"],
  ["x".repeat(10_000), "x".repeat(10_000)],
];

/** Values that mean *not saved yet*. */
const UNSAVED: readonly unknown[] = [undefined, null, ""];

/** Everything else is a mistake. */
const UNUSABLE: readonly unknown[] = [
  NaN,
  Infinity,
  -Infinity,
  true,
  false,
  {},
  [],
  ["1"],
  Symbol("1"),
  () => "1",
  new Date(0),
  new String("1"),
];

Deno.test("the pk corpus has 40 values", () => {
  assertEquals(USABLE.length + UNSAVED.length + UNUSABLE.length, 40);
});

Deno.test("a pk is a non-empty string, a finite number or a bigint; all 1,600 ordered pairs merge exactly when they are one text", () => {
  const corpus = [
    ...USABLE.map(([value, text]) => ({ value, text })),
    ...UNSAVED.map((value) => ({ value, text: undefined })),
    ...UNUSABLE.map((value) => ({ value, text: null })),
  ];
  let pairs = 0;
  for (const a of corpus) {
    for (const b of corpus) {
      pairs++;
      const write = () => normalize([Item], [{ id: a.value, n: 1, a: 1 }, { id: b.value, n: 2, b: 1 }]);
      if (a.text === null || b.text === null) {
        const error = assertThrows(write, NormalizeError, "pk() returned");
        assertEquals(error.path, a.text === null ? "[0]" : "[1]");
        continue;
      }
      const { result, entities } = write();
      const saved = [a.text, b.text].filter((text) => text !== undefined) as string[];
      assertEquals(Object.keys(entities.Item ?? {}).sort(), [...new Set(saved)].sort());
      assertEquals(
        result as unknown[],
        [a.text ?? { id: a.value, n: 1, a: 1 }, b.text ?? { id: b.value, n: 2, b: 1 }].map(withoutUndefined),
      );
      for (const { text, n } of [{ text: a.text, n: 1 }, { text: b.text, n: 2 }]) {
        if (text === undefined) continue;
        const record = entities.Item![text]!;
        assertEquals(["a" in record, "b" in record], a.text === b.text ? [true, true] : [n === 1, n === 2]);
      }
    }
  }
  assertEquals(pairs, 1_600);
});

/** `undefined` is absence. */
function withoutUndefined(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

for (const value of UNUSABLE) {
  const name = typeof value === "symbol" ? "a symbol" : `${typeof value} ${JSON.stringify(value) ?? String(value)}`;
  Deno.test(`a pk that is ${name} is a typed error with the path, wherever it is; nothing is written`, () => {
    const controller = new Controller();
    const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: { results: [Box] } });
    const before = stateOf(controller);
    for (
      const [boxes, path] of [
        [[{ id: "1" }, { id: "2", item: { id: value } }], "results[1].item"],
        [[{ id: "1", items: [{ id: 1 }, { id: value }] }], "results[0].items[1]"],
      ] as const
    ) {
      const error = assertThrows(() => controller.setResponse(list, { results: boxes }), NormalizeError);
      assertEquals(error.path, path);
      assert(error.message.startsWith(`Cannot normalize "Item" at ${path}: pk() returned `), error.message);
    }
    assertThrows(() => normalize(new schema.Invalidate(Item), { id: value }), NormalizeError);
    assertStrictEquals(stateOf(controller).entities, before.entities);
  });
}

for (const value of UNSAVED) {
  Deno.test(`pk ${JSON.stringify(value)} means not saved yet: kept in place, in no table, each by itself`, () => {
    const response = { results: [{ id: "1", item: { id: value, n: 1 }, items: [{ id: value, n: 2 }, { n: 2 }] }] };
    const { result, entities } = normalize({ results: [Box] }, response);
    assertEquals(Object.keys(entities), ["Box"]);
    const [box] = denormalize({ results: [Box] }, result, entities)!.results;
    assertEquals([box!.item!.n, box!.items.map(({ n }) => n)], [1, [2, 2]]);
    assert(box!.item instanceof Item && box!.items[0] instanceof Item && box!.items[0] !== box!.items[1]);
  });

  Deno.test(`pk ${JSON.stringify(value)} in set and Invalidate is a typed error`, () => {
    const controller = new Controller();
    assertThrows(() => controller.set(Item, {}, { id: value, n: 1 } as never), NormalizeError, "needs a pk");
    const remove = new Endpoint(async () => await Promise.resolve({}), {
      name: "remove",
      schema: new schema.Invalidate(Item),
      sideEffect: true,
    });
    assertThrows(() => controller.setResponse(remove, { id: value }), NormalizeError, "nothing to delete");
  });
}

Deno.test("an entity without a pk keeps its identity when the same is sent again, in the root, lists, members and objects", () => {
  const shapes = [
    { declared: Item, body: () => ({ n: 1 }) },
    { declared: [Item], body: (more: object[] = []) => [{ n: 1 }, { n: 2 }, ...more] },
    { declared: { results: [Item], next: "" }, body: (more: object[] = []) => ({ results: [{ n: 1 }, ...more] }) },
    { declared: Box, body: () => ({ id: "1", item: { n: 1 }, items: [{ n: 2 }] }) },
  ] as const;
  for (const { declared, body } of shapes) {
    const controller = new Controller();
    const endpoint = new Endpoint(async () => await Promise.resolve(), {
      name: "get",
      schema: declared as typeof Item,
    });
    controller.setResponse(endpoint, body());
    const reader = readerOfResponse<unknown>(controller, endpoint);
    const before = reader.value;
    controller.setResponse(endpoint, body());
    assertStrictEquals(reader.value, before);
    assertEquals(reader.told, 0);
  }
});

Deno.test("an entity without a pk keeps its identity in a list that grows, too", () => {
  const { graph } = new Controller().store;
  const view = graph.view([Item], [{ n: 1 }, "5", { n: 2 }], []);
  const before = view.read(graph) as Item[];
  assertStrictEquals(graph.view([Item], [{ n: 1 }, "5", { n: 3 }, { n: 4 }], [], view), view);
  const after = view.read(graph) as Item[];
  assertStrictEquals(after[0], before[0]);
  assertEquals([before, after].map((items) => items.map(({ n }) => n)), [[1, 2], [1, 3, 4]]);
});

Deno.test("an entity without a pk is told of once per class and store, with its place and members", () => {
  const warnings: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void warnings.push(text);
  try {
    for (const strict of [true, true, false]) {
      const controller = new Controller({ strict });
      const endpoint = new Endpoint(async () => await Promise.resolve(), { name: "list", schema: { results: [Item] } });
      controller.setResponse(endpoint, { results: [{ _id: 1, title: "a" }, { _id: 2, title: "b" }] });
      controller.setResponse(endpoint, { results: [{ _id: 3, title: "c" }] });
    }
  } finally {
    console.warn = warn;
  }
  assertEquals(warnings.length, 2);
  for (const text of warnings) assert(text.includes("Item at results[0] has no pk; it has _id, title"), text);
});

/** What is said in strict mode. */
function warningsOf(use: (controller: Controller) => void, strict = true): string[] {
  const warnings: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void warnings.push(text);
  try {
    use(new Controller({ strict }));
  } finally {
    console.warn = warn;
  }
  return warnings;
}

Deno.test("13.C6 a pk that JSON has rounded is told of, once for a class: as a number, in a text, as a reference", () => {
  class Tweet extends Entity {
    id = 0;
    author: Account | undefined = undefined;
    static key = "Tweet";
    static schema: { [member: string]: typeof Account } = {};
  }
  class Account extends Entity {
    id = 0;
    override pk() {
      return `${this.id}`;
    }
    static key = "Account";
  }
  Tweet.schema = { author: Account };
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [Tweet] });
  const tweets = (text: string) => (controller: Controller) => {
    for (let turn = 0; turn < 2; turn++) controller.setResponse(list, JSON.parse(text));
  };
  const wide = tweets(`[{ "id": 9007199254740993 }, { "id": 9007199254740992 }]`);
  const said = warningsOf(wide);
  assertEquals(said.length, 1);
  assert(said[0]!.includes("Tweet at [0] has the pk 9007199254740992, a number beyond 2^53"), said[0]);
  assertEquals(warningsOf(wide, false), []);
  for (const author of [`{ "id": 1234567890123456789 }`, `1234567890123456789`]) {
    const [text, ...more] = warningsOf(tweets(`[{ "id": 1, "author": ${author} }]`));
    assertEquals(more, []);
    assert(text!.includes("Account at [0].author has the pk 1234567890123456800"), text);
  }
  // As a text it is whole; and so are numbers that fit.
  const whole =
    `[{ "id": "9007199254740993", "author": "1234567890123456789" }, { "id": 9007199254740991 }, { "id": 1.5 }]`;
  assertEquals(warningsOf(tweets(whole)), []);
  assertEquals(warningsOf(tweets(`[{ "id": 1, "author": { "id": "1234567890123456789" } }]`)), []);
});

Deno.test("a date that stays text is told of, once for a member: no schema makes a Date of it", () => {
  class Visit extends Entity {
    id = "";
    from = new Date(0);
    until = new Date(0);
    static key = "Visit";
    static schema = { until: Date };
  }
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [Visit] });
  const day = "2026-01-01T00:00:00Z";
  const use = (rows: readonly object[]) => (controller: Controller) => {
    for (let turn = 0; turn < 2; turn++) controller.setResponse(list, rows as never);
  };
  assertEquals(warningsOf(use([{ id: "1", from: null, until: day }, { id: "2", from: day }, { id: "3", from: day }])), [
    '"from" of Visit at [1] is text, and its default is a Date: write static schema = { from: Date }',
  ]);
  assertEquals(warningsOf(use([{ id: "2", from: day }]), false), []);
  assertEquals(warningsOf(use([{ id: "1", until: day }, { id: "2", from: new Date() }, { id: "3", from: 5 }])), []);
});

Deno.test("1, 1n and '1' are one record: pk, reference, argument, list", () => {
  const controller = new Controller();
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [Box] });
  controller.setResponse(list, [{ id: "b1", item: 1 }, { id: "b2", item: "1" }, { id: "b3", item: { id: 1n, n: 5 } }]);
  const boxes = controller.getResponse(list).data!;
  const item = controller.get(Item, "1");
  assertEquals(item!.n, 5);
  assertEquals(new Set([...boxes.map((box) => box.item), controller.get(Item, 1), controller.get(Item, 1n)]).size, 1);
  assertStrictEquals(controller.get(Item, { id: 1 } as never), item);
});

Deno.test("identity is (table, pk), never concatenated text", () => {
  class Left extends Entity {
    id = "";
    n = 0;
    pk() {
      return this.id;
    }
    static key = "A";
  }
  class Right extends Left {
    static override key = "A:B";
  }
  const { entities } = normalize({ left: Left, right: Right }, { left: { id: "B:1", n: 1 }, right: { id: "1", n: 2 } });
  assertEquals([entities["A"]!["B:1"]!.n, entities["A:B"]!["1"]!.n], [1, 2]);
});

Deno.test("pk is given parent, key and arguments: a composite pk of a child that has no id of its own", () => {
  class Line extends Entity {
    product = "";
    count = 0;
    pk(parent?: { id: string }, key?: string, args?: readonly unknown[]) {
      return `${parent?.id}/${key}/${this.product}/${args?.[0]}`;
    }
    static key = "Line";
  }
  class Order extends Entity {
    id = "";
    lines: Line[] = [];
    pk() {
      return this.id;
    }
    static key = "Order";
    static schema = { lines: [Line] };
  }
  const { entities } = normalize(Order, { id: "7", lines: [{ product: "tea", count: 1 }] }, ["north"]);
  assertEquals(Object.keys(entities.Line!), ["7/lines/tea/north"]);
  assertEquals(entities.Order!["7"]!.lines, ["7/lines/tea/north"]);
});

Deno.test("a static pk is used in place of the method", () => {
  class Tagged extends Entity {
    slug = "";
    pk() {
      return "never";
    }
    static override pk(value: { slug: string }) {
      return `#${value.slug}`;
    }
    static key = "Tagged";
  }
  const { result, entities } = normalize([Tagged], [{ slug: "a" }]);
  assertEquals([result, Object.keys(entities.Tagged!)], [["#a"], ["#a"]]);
});

Deno.test("an object in two parents is a record in each, where its pk is made of the parent's", () => {
  class Product extends Entity {
    id = "";
    static key = "Product";
  }
  class Line extends Entity {
    sku = "";
    product: Product | undefined = undefined;
    pk(parent?: { id: string }) {
      return `${parent?.id}:${this.sku}`;
    }
    static key = "Line";
    static schema = { product: Product };
  }
  class Order extends Entity {
    id = "";
    lines: Line[] = [];
    static key = "Order";
    static schema = { lines: [Line] };
  }
  const line = { sku: "a", product: { id: "p" } };
  const { entities } = normalize([Order], [{ id: "1", lines: [line, line] }, { id: "2", lines: [line] }]);
  assertEquals(Object.keys(entities.Line!), ["1:a", "2:a"]);
  assertEquals(entities.Line!["2:a"], { sku: "a", product: "p" });
  // In a circle it ends.
  class Node extends Entity {
    n = "";
    kids: Node[] = [];
    pk(parent?: { n: string }) {
      return `${parent?.n}-${this.n}`;
    }
    static key = "Node";
    static schema: { kids: (typeof Node)[] };
  }
  Node.schema = { kids: [Node] };
  const [one, two, three] = ["1", "2", "3"].map((n) => ({ n, kids: [] as unknown[] }));
  one!.kids.push(two, three);
  two!.kids.push(one, three);
  three!.kids.push(one, two, three);
  assertEquals(
    Object.keys(normalize(Node, one).entities.Node!).sort(),
    ["1-1", "1-2", "1-3", "2-1", "2-3", "3-1", "3-2", "3-3"],
  );
});
