/**
 * Depth through every kind of schema (reliability H5): chains of 100,000 entities (fewer in a quick run) are written, read, merged, compared and
 * described without a stack that grows with them.
 */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import {
  Controller,
  denormalize,
  Endpoint,
  Entity,
  type FieldSchemas,
  hydrate,
  normalize,
  Query,
  schema,
  stateOf,
} from "@rejoin/data";
import { readerOf } from "../contracts/reader.ts";
import { size } from "../support/property.ts";

/** Recursion ends at 10,000 on every runtime we know. By fields and lists it is 100,000 always: see normalize_test.ts. */
const DEPTH = size(25_000, 100_000);

class Link extends Entity {
  id = "";
  type = "";
  n = 0;
  field: Link | undefined = undefined;
  list: Link[] = [];
  array: Link[] = [];
  union: Link | undefined = undefined;
  unions: Link[] = [];
  values: { [name: string]: Link } = {};
  object: { below?: Link } = {};
  collection: Link[] = [];
  named: { [name: string]: Link } = {};
  query: Link[] = [];
  lazy: string[] = [];
  static key = "Link";
  static schema: FieldSchemas;
}
class Other extends Entity {
  id = "";
  static key = "Other";
}
const union = new schema.Union({ link: Link, other: Other }, "type");
Link.schema = {
  field: Link,
  list: [Link],
  array: new schema.Array(Link),
  union,
  unions: [union],
  values: new schema.Values(Link),
  object: new schema.Object({ below: Link, text: "" }),
  collection: new schema.Collection([Link], { key: "own" }),
  named: new schema.Collection(new schema.Values(Link), { key: "own" }),
  query: new Query([Link]),
  lazy: new schema.Lazy([Link]),
};

/** How one stands in a member of another, and how it is found there. */
interface End {
  readonly put: (below: object) => object;
  readonly take: (link: Link) => Link | undefined;
}

const ENDS: Readonly<Record<string, End>> = {
  "a member": { put: (field) => ({ field }), take: ({ field }) => field },
  "a list": { put: (below) => ({ list: [below] }), take: ({ list }) => list[0] },
  "a schema.Array": { put: (below) => ({ array: [below] }), take: ({ array }) => array[0] },
  "a Union": { put: (union) => ({ union }), take: ({ union }) => union },
  "a list of a Union": { put: (below) => ({ unions: [below] }), take: ({ unions }) => unions[0] },
  "Values": { put: (below) => ({ values: { __proto: below } }), take: ({ values }) => values.__proto },
  "an Object": { put: (below) => ({ object: { below } }), take: ({ object }) => object.below },
  "a Collection": { put: (below) => ({ collection: [below] }), take: ({ collection }) => collection[0] },
  "a Collection of Values": { put: (below) => ({ named: { a: below } }), take: ({ named }) => named.a },
  "a Query": { put: (below) => ({ query: [below] }), take: ({ query }) => query[0] },
};
const KINDS = Object.values(ENDS);
/** Those that an entity without a pk can hold: it owns no list. */
const UNOWNED = Object.entries(ENDS).filter(([name]) => !name.includes("Collection")).map(([, end]) => end);

/** A chain: from one link to the next by the end of its place. With teeth, each has another one beside it. */
function chainOf(endOf: (place: number) => End, leaf: number, isComb: boolean): object {
  let at: object = { id: `${DEPTH - 1}`, type: "link", n: leaf };
  for (let place = DEPTH - 2; place >= 0; place--) {
    const tooth = isComb ? { lazy: [{ id: `tooth ${place}`, type: "link" }] } : {};
    at = { id: `${place}`, type: "link", ...tooth, ...endOf(place).put(at) };
  }
  return at;
}

/** How deep it is, and the leaf. */
function bottomOf(root: Link, endOf: (place: number) => End): { readonly depth: number; readonly leaf: Link } {
  let at = root;
  for (let depth = 1;; depth++) {
    const below = endOf(depth - 1).take(at);
    if (below === undefined) return { depth, leaf: at };
    at = below;
  }
}

const get = new Endpoint(async () => await Promise.resolve(), { name: "get", schema: Link });
const remove = new Endpoint(async (_id: string) => await Promise.resolve(), {
  name: "remove",
  schema: new schema.Invalidate(Link),
  sideEffect: true,
});

function go(endOf: (place: number) => End, isComb: boolean): void {
  const links = isComb ? 2 * DEPTH - 1 : DEPTH;
  const make = (leaf: number) => chainOf(endOf, leaf, isComb);
  const bottom = (root: Link) => {
    const { depth, leaf } = bottomOf(root, endOf);
    return [depth, leaf.n];
  };
  const controller = new Controller();
  controller.setResponse(get, make(1));
  const root = readerOf<Link>(controller, Link, "0");
  const before = root.value;
  assertEquals(bottom(before), [DEPTH, 1]);
  controller.setResponse(get, make(1));
  assertStrictEquals(root.value, before);
  assertEquals(root.told, 0);
  controller.setResponse(get, make(2));
  assertEquals([...bottom(root.value), root.told], [DEPTH, 2, 1]);
  const { entities } = stateOf(controller);
  assertEquals(Object.keys(entities.Link!).length, links);
  const copy = new Controller({ use: [hydrate({ entities })] });
  assertEquals(bottom(copy.get(Link, "0")!), [DEPTH, 2]);
  controller.setResponse(remove, `${DEPTH - 1}`, `${DEPTH - 1}`);
  assertEquals(bottomOf(root.value, endOf).depth, DEPTH - 1);
  controller.resetEntireStore();
  assert(root.value as unknown === undefined);
  const plain = normalize(Link, make(1));
  assertEquals(bottom(denormalize(Link, plain.result, plain.entities)!), [DEPTH, 1]);
}

for (const [name, end] of Object.entries(ENDS)) {
  Deno.test(`H5: a chain by ${name}, ${DEPTH} deep: write, write equal, change and delete the leaf, reset, state`, () => {
    go(() => end, false);
  });
}

Deno.test(`H5: a comb by every kind of schema in turn, ${DEPTH} deep`, () => {
  go((place) => KINDS[place % KINDS.length]!, true);
});

Deno.test(`H5: entities without a pk by every kind of schema in turn, ${DEPTH} deep`, () => {
  const make = (leaf: number) => {
    let at: object = { n: leaf, type: "link" };
    for (let place = DEPTH - 2; place >= 0; place--) at = { type: "link", ...UNOWNED[place % UNOWNED.length]!.put(at) };
    return at;
  };
  const down = (root: Link) => {
    const { depth, leaf } = bottomOf(root, (place) => UNOWNED[place % UNOWNED.length]!);
    return [depth, leaf.n];
  };
  const { result, entities } = normalize(Link, make(1));
  assertEquals(down(denormalize(Link, result, entities)!), [DEPTH, 1]);
  const list = new Endpoint(async () => await Promise.resolve(), { name: "list", schema: [Link] });
  const controller = new Controller();
  controller.setResponse(list, [{ id: "saved", field: make(1) }]);
  const before = controller.get(Link, "saved")!;
  assertEquals(down(before.field!), [DEPTH, 1]);
  controller.setResponse(list, [{ id: "saved", field: make(1) }]);
  assertStrictEquals(controller.get(Link, "saved"), before);
  controller.setResponse(list, [{ id: "saved", field: make(2) }]);
  assertEquals(down(controller.get(Link, "saved")!.field!), [DEPTH, 2]);
});

/** Containers without an entity between them: a declaration that contains itself. */
interface Tree {
  readonly link?: Link;
  readonly object?: Tree;
  readonly array?: readonly Tree[];
  readonly values?: { readonly [name: string]: Tree };
}
const tree = new schema.Object({ link: Link });
tree.define({
  object: tree,
  array: new schema.Array(tree),
  values: new schema.Values(tree),
});
const TREES: readonly ((below: object) => object)[] = [
  (object) => ({ object }),
  (below) => ({ array: [below] }),
  (below) => ({ values: { a: below } }),
];

Deno.test(`H5: containers that contain themselves by every kind of schema in turn, ${DEPTH} deep`, () => {
  const make = (leaf: number) => {
    let at: object = { link: { id: "leaf", n: leaf } };
    for (let place = 0; place < DEPTH; place++) at = TREES[place % TREES.length]!(at);
    return at;
  };
  const down = (root: Tree) => {
    let depth = 0;
    for (let at = root;; depth++) {
      const below = at.object ?? at.values?.a ?? at.array?.[0];
      if (below === undefined) return [depth, at.link!.n];
      at = below;
    }
  };
  const { result, entities } = normalize(tree, make(1));
  assertEquals(down(denormalize(tree, result, entities) as unknown as Tree), [DEPTH, 1]);
  const get = new Endpoint(async () => await Promise.resolve(), { name: "get", schema: tree });
  const controller = new Controller();
  controller.setResponse(get, make(1));
  const read = () => controller.getResponse(get).data as unknown as Tree;
  const before = read();
  assertEquals(down(before), [DEPTH, 1]);
  controller.setResponse(get, make(1));
  assertStrictEquals(read(), before);
  controller.set(Link, "leaf", { n: 2 });
  assertEquals(down(read()), [DEPTH, 2]);
});
