/**
 * Depth, cycles and broken answers (reliability H5, H6, H8): nothing overflows, nothing hangs, nothing is half written.
 */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  type AnySchema,
  Controller,
  denormalize,
  Endpoint,
  Entity,
  type FieldSchemas,
  normalize,
  NormalizeError,
  Query,
  RejoinError,
  schema,
  Sorter,
  stateOf,
  ValidationError,
} from "@rejoin/data";
import { deepEqual } from "../../src/normalize/deep_equal.ts";
import { mutate, mutations } from "../support/mutate.ts";
import { readRecordings } from "../support/recorded_server.ts";
import { breathing } from "../support/breathing.ts";
import { check, runs, size } from "../support/property.ts";
import { readerOf } from "../contracts/reader.ts";

const DEPTH = size(25_000, 100_000);

class Node extends Entity {
  id = "";
  n = 0;
  child: Node | undefined = undefined;
  children: Node[] = [];
  data: unknown = undefined;
  pk() {
    return this.id;
  }
  static key = "Node";
  static schema: FieldSchemas;
}
Node.schema = { child: Node, children: [Node] };

const remove = new Endpoint(async (_id: string) => await Promise.resolve(), {
  name: "remove",
  schema: new schema.Invalidate(Node),
  sideEffect: true,
});

/** Shapes of depth: each gives a root, and says how one goes down from it. */
const DEEP: Readonly<Record<string, (leaf: number) => object>> = {
  "a chain of members": (leaf) => {
    let at: object = { id: `${DEPTH - 1}`, n: leaf };
    for (let id = DEPTH - 2; id >= 0; id--) at = { id: `${id}`, child: at };
    return at;
  },
  "a chain of lists": (leaf) => {
    let at: object = { id: `${DEPTH - 1}`, n: leaf };
    for (let id = DEPTH - 2; id >= 0; id--) at = { id: `${id}`, children: [at] };
    return at;
  },
  "a comb": (leaf) => {
    let at: object = { id: `${DEPTH - 1}`, n: leaf };
    for (let id = DEPTH - 2; id >= 0; id--) at = { id: `${id}`, children: [{ id: `tooth ${id}` }, at] };
    return at;
  },
};

function depthOf(root: Node): { depth: number; leaf: Node } {
  let depth = 1;
  for (let at = root;; depth++) {
    const below: Node | undefined = at.child ?? at.children.at(-1);
    if (below === undefined) return { depth, leaf: at };
    at = below;
  }
}

for (const [name, make] of Object.entries(DEEP)) {
  Deno.test(`H5: ${name}, ${DEPTH} deep: write, read, write equal, change and delete the leaf, reset, state`, () => {
    const get = new Endpoint(async () => await Promise.resolve(), { name: "get", schema: Node });
    for (const strict of [false, true]) {
      const controller = new Controller({ strict });
      controller.setResponse(get, make(1));
      const root = readerOf<Node>(controller, Node, "0");
      const before = root.value;
      assertEquals([depthOf(before).depth, depthOf(before).leaf.n], [DEPTH, 1]);
      controller.setResponse(get, make(1));
      assertStrictEquals(root.value, before);
      assertEquals(root.told, 0);
      controller.setResponse(get, make(2));
      assertEquals([depthOf(root.value).depth, depthOf(root.value).leaf.n, root.told], [DEPTH, 2, 1]);
      controller.setResponse(remove, `${DEPTH - 1}`, `${DEPTH - 1}`);
      assertEquals([depthOf(root.value).depth, root.told], [name === "a comb" ? DEPTH : DEPTH - 1, 2]);
      assertEquals(
        Object.keys(stateOf(controller).entities.Node!).length,
        (name === "a comb" ? 2 : 1) * DEPTH - (name === "a comb" ? 2 : 1),
      );
      controller.resetEntireStore();
      assertEquals([root.value as unknown, root.told], [undefined, 3]);
    }
    const { result, entities } = normalize(Node, make(1));
    assertEquals(depthOf(denormalize(Node, result, entities)!).depth, DEPTH);
  });
}

Deno.test(`H5: entities without a pk, ${DEPTH} deep`, () => {
  const make = (leaf: number) => {
    let at: object = { n: leaf };
    for (let level = 1; level < DEPTH; level++) at = level % 2 ? { child: at } : { children: [at] };
    return at;
  };
  const get = new Endpoint(async () => await Promise.resolve(), { name: "get", schema: [Node] });
  const controller = new Controller();
  controller.setResponse(get, [{ id: "saved", child: make(1) }, make(1)]);
  const before = controller.getResponse(get).data!;
  for (const root of [before[0]!.child!, before[1]!]) {
    assertEquals([depthOf(root).depth, depthOf(root).leaf.n], [DEPTH, 1]);
  }
  const saved = controller.get(Node, "saved");
  controller.setResponse(get, [{ id: "saved", child: make(1) }, make(1)]);
  assertStrictEquals(controller.getResponse(get).data, before);
  assertStrictEquals(controller.get(Node, "saved"), saved);
  controller.setResponse(get, [{ id: "saved", child: make(2) }, make(1)]);
  assertEquals(depthOf(controller.get(Node, "saved")!.child!).leaf.n, 2);
});

Deno.test(`H5: opaque JSON, ${DEPTH} deep: in a member, in a response, in the output of a query`, () => {
  const make = (leaf: number) => {
    let at: unknown = leaf;
    for (let level = 0; level < DEPTH; level++) at = level % 2 ? { at } : [at];
    return at;
  };
  const get = new Endpoint(async () => await Promise.resolve(), { name: "get", schema: { node: Node, more: "" } });
  const controller = new Controller();
  controller.setResponse(get, { node: { id: "1", data: make(1) }, more: make(1) });
  const before = controller.getResponse(get).data!;
  controller.setResponse(get, { node: { id: "1", data: make(1) }, more: make(1) });
  assertStrictEquals(controller.getResponse(get).data, before);
  controller.setResponse(get, { node: { id: "1", data: make(2) }, more: make(1) });
  const after = controller.getResponse(get).data!;
  assert(after.node !== before.node && after.node!.data !== before.node!.data);
  assertStrictEquals(after.more, before.more);
});

/** A tree of plain objects: a declaration that contains itself. */
interface Tree {
  readonly [member: string]: AnySchema;
}
const Tree: { [member: string]: AnySchema } = { value: Node, next: undefined };
Tree.next = Tree;
Tree.branches = [Tree];

class Forest extends Entity {
  id = "";
  n = 0;
  tree: TreeValue | undefined = undefined;
  pk() {
    return this.id;
  }
  static key = "Forest";
  static schema: FieldSchemas = { tree: Tree };
}
interface TreeValue {
  value?: Node;
  next?: TreeValue;
  branches?: TreeValue[];
}

Deno.test(`H5: a declaration that contains itself, ${DEPTH} deep: at the root, and in an entity`, () => {
  const make = (leaf: number) => {
    let at: object = { value: { id: "leaf", n: leaf } };
    for (let id = 0; id < DEPTH; id++) {
      at = id % 2 ? { value: { id: `${id % 100}` }, next: at } : { value: { id: `${id % 100}` }, branches: [at] };
    }
    return at;
  };
  const down = (root: TreeValue) => {
    let depth = 0;
    let at = root;
    for (;; depth++) {
      const next: TreeValue | undefined = at.next ?? at.branches?.[0];
      if (next === undefined) return [depth, at.value!.n];
      at = next;
    }
  };
  const get = new Endpoint(async () => await Promise.resolve(), {
    name: "get",
    schema: { tree: Tree, forest: Forest },
  });
  const controller = new Controller();
  controller.setResponse(get, { tree: make(1), forest: { id: "f", tree: make(1) } });
  const read = () => controller.getResponse(get).data as unknown as { tree: TreeValue; forest: Forest };
  const before = read();
  assertEquals([down(before.tree), down(before.forest.tree!)], [[DEPTH, 1], [DEPTH, 1]]);
  controller.setResponse(get, { tree: make(1), forest: { id: "f", tree: make(1) } });
  assertStrictEquals(read(), before);
  controller.set(Forest, "f", { n: 1 });
  assertStrictEquals(read().tree, before.tree);
  controller.set(Node, "leaf", { n: 2 });
  assertEquals([down(read().tree), down(read().forest.tree!)], [[DEPTH, 2], [DEPTH, 2]]);
});

/** Entities without a pk are told of once a store; where there are many stores, that is noise. */
function quietly(run: () => void): void {
  const { warn } = console;
  console.warn = () => {};
  try {
    run();
  } finally {
    console.warn = warn;
  }
}

/** A graph of objects: how many, and which of them each one points to. */
const graph = fc.integer({ min: 1, max: 60 }).chain((size) =>
  fc.array(
    fc.record({
      one: fc.option(fc.nat(size - 1), { freq: 3 }),
      many: fc.array(fc.nat(size - 1), { maxLength: 4 }),
      saved: fc.boolean(),
    }),
    { minLength: size, maxLength: size },
  )
);
type Shape = readonly { readonly one: number | null; readonly many: readonly number[]; readonly saved: boolean }[];

/** Links objects as the shape says; cycles and shared objects included. */
function link(shape: Shape, one: string, many: string, make: (index: number) => Record<string, unknown>): object[] {
  const objects = shape.map((_, index) => make(index));
  shape.forEach((node, index) => {
    if (node.one !== null) objects[index]![one] = objects[node.one];
    objects[index]![many] = node.many.map((to) => objects[to]);
  });
  return objects;
}

/** Whether two graphs are the same but for the objects themselves: pairs go together everywhere, or nowhere. */
function assertIsomorphic(
  shape: Shape,
  root: unknown,
  of: (object: unknown) => { index: unknown; one: unknown; many: readonly unknown[] },
): void {
  const objects = new Map<number, unknown>([[0, root]]);
  for (const [index, object] of objects) {
    const { one, many, index: named } = of(object);
    const node = shape[index]!;
    assertEquals(named, index);
    const targets = [
      ...node.one === null ? [] : [[node.one, one] as const],
      ...node.many.map((to, at) => [to, many[at]] as const),
    ];
    if (node.one === null) assertEquals(one, undefined);
    assertEquals(many.length, node.many.length);
    for (const [to, below] of targets) {
      if (objects.has(to)) assertStrictEquals(below, objects.get(to), `${index} → ${to}`);
      else objects.set(to, below);
    }
  }
  assertEquals(new Set(objects.values()).size, objects.size);
}

/** A graph in which a list names each once, as those of entities do. */
const once = (shape: Shape): Shape => shape.map((node) => ({ ...node, many: [...new Set(node.many)] }));

Deno.test("H6: graphs of entities with arbitrary back edges end, are isomorphic to the input, and leave it alone", async () => {
  const property = breathing(graph, fc.boolean(), (drawn, allSaved) =>
    quietly(() => {
      const shape = once(drawn);
      const inputs = link(shape, "child", "children", (index) => ({
        ...(allSaved || shape[index]!.saved ? { id: `${index}` } : {}),
        n: index,
      }));
      inputs.forEach((input) => {
        Object.freeze((input as unknown as Node).children);
        Object.freeze(input);
      });
      const of = (object: unknown) => {
        assert(object instanceof Node);
        return { index: object.n, one: object.child, many: object.children };
      };
      const { result, entities } = normalize(Node, inputs[0]);
      assertIsomorphic(shape, denormalize(Node, result, entities), of);
      const get = new Endpoint(async () => await Promise.resolve(), { name: "get", schema: Node });
      const controller = new Controller({ strict: true });
      controller.setResponse(get, inputs[0]);
      const before = controller.getResponse(get).data;
      assertIsomorphic(shape, before, of);
      controller.setResponse(get, inputs[0]);
      // Where everything has an identity, the same again is the same.
      if (allSaved) assertStrictEquals(controller.getResponse(get).data, before);
      else assert(deepEqual(controller.getResponse(get).data, before));
    }));
  await check(property, { name: "normalize_entity_graphs", runs: runs(1_000, 10_000) });
});

Deno.test("H6: graphs of plain objects under a declaration that contains itself end, and are isomorphic to the input", async () => {
  const Plain: { [member: string]: AnySchema } = { value: Node };
  Plain.one = Plain;
  Plain.many = [Plain];
  class Holder extends Entity {
    id = "";
    held: unknown = undefined;
    pk() {
      return this.id;
    }
    static key = "Holder";
    static schema: FieldSchemas = { held: Plain };
  }
  type Value = { index: number; value: Node; one?: Value; many: Value[] };
  const property = breathing(graph, (shape) => {
    const make = () => link(shape, "one", "many", (index) => ({ index, value: { id: `${index % 5}` } }));
    const of = (object: unknown) => {
      const { index, value, one, many } = object as Value;
      assert(value instanceof Node && value.id === `${index % 5}`);
      return { index, one, many };
    };
    const root = normalize(Plain as { value: typeof Node }, make()[0]);
    assertIsomorphic(shape, denormalize(Plain as { value: typeof Node }, root.result, root.entities), of);
    const get = new Endpoint(async () => await Promise.resolve(), {
      name: "get",
      schema: { top: Plain, holder: Holder },
    });
    const controller = new Controller();
    controller.setResponse(get, { top: make()[0], holder: { id: "h", held: make()[0] } });
    const holder = controller.get(Holder, "h")!;
    assertIsomorphic(shape, holder.held, of);
    assertIsomorphic(shape, (controller.getResponse(get).data as { top?: unknown }).top, of);
    controller.setResponse(get, { top: make()[0], holder: { id: "h", held: make()[0] } });
    assertStrictEquals(controller.get(Holder, "h"), holder);
    controller.set(Node, "0", { n: 1 });
    assertIsomorphic(shape, controller.get(Holder, "h")!.held, of);
    assertIsomorphic(shape, (controller.getResponse(get).data as { top?: unknown }).top, of);
  });
  await check(property, { name: "normalize_plain_graphs", runs: runs(1_000, 10_000) });
});

class User extends Entity {
  url = "";
  login = "";
  pk() {
    return this.url;
  }
  static key = "User";
}
class Label extends Entity {
  url = "";
  name = "";
  pk() {
    return this.url;
  }
  static key = "Label";
}
class Issue extends Entity {
  url = "";
  title = "";
  user = User.fromJS();
  assignee: User | null = null;
  assignees: User[] = [];
  labels: Label[] = [];
  created_at = new Date(0);
  pk() {
    return this.url;
  }
  static key = "Issue";
  static schema = { user: User, assignee: User, assignees: [User], labels: [Label], created_at: Date };
  static validate(record: { title?: unknown }) {
    return record.title === undefined ? "title is missing" : undefined;
  }
}
class Repository extends Entity {
  url = "";
  owner = User.fromJS();
  organization: User | undefined = undefined;
  pk() {
    return this.url;
  }
  static key = "Repository";
  static schema = { owner: User, organization: User };
}

const account = new schema.Union({ User, Organization: User }, "type");
/** The same issues by everything else that the language has. */
const dashboard = new schema.Object({
  url: "",
  user: account,
  assignees: new schema.Array(account),
  labels: new schema.Lazy([Label]),
  reactions: {},
  created_at: Date,
});

/** What GitHub answered, with the schema of an app. */
const ANSWERS: readonly (readonly [AnySchema, unknown])[] = [
  ...readRecordings("paginate-issues").map(({ response }) => [[Issue], response] as const),
  ...readRecordings("paginate-issues").map(({ response }) => [new schema.Collection([Issue]), response] as const),
  ...readRecordings("paginate-issues").map(({ response }) => [[dashboard], response] as const),
  ...readRecordings("paginate-issues").map(({ response }) =>
    [
      new Query(new schema.Array(Issue), { Sorter, sort: (a, b) => String(a?.url) < String(b?.url) ? -1 : 1 }),
      response,
    ] as const
  ),
  ...readRecordings("get-repository").map(({ response }) =>
    [new schema.Object({ owner: account, organization: account, name: "" }), response] as const
  ),
  ...readRecordings("search-issues").map(({ response }) => [{ items: [Issue], total_count: 0 }, response] as const),
  ...readRecordings("labels").slice(0, 1).map(({ response }) => [new schema.All(Label), response] as const),
  ...readRecordings("get-repository").map(({ response }) => [Repository, response] as const),
  ...readRecordings("get-organization").map(({ response }) => [User, response] as const),
];

Deno.test("H8: a broken answer is a typed error that leaves the state as it was, or it is read without a crash", async () => {
  let refused = 0;
  let accepted = 0;
  const endpoints = ANSWERS.map(([declared], index) =>
    new Endpoint(async () => await Promise.resolve(), { name: `answer ${index}`, schema: declared as typeof Issue })
  );
  const script = fc.tuple(fc.nat(ANSWERS.length - 1), mutations, fc.boolean());
  const property = breathing(script, ([index, changes, strict]) => {
    const controller = new Controller({ strict });
    quietly(() => {
      const endpoint = endpoints[index]!;
      controller.setResponse(endpoint, ANSWERS[index]![1]);
      const before = stateOf(controller);
      const data = controller.getResponse(endpoint).data;
      const body = mutate(ANSWERS[index]![1], changes);
      try {
        controller.setResponse(endpoint, body);
        accepted++;
      } catch (error) {
        assert(error instanceof NormalizeError || error instanceof ValidationError, String(error));
        assert(RejoinError.is(error) && error.message.length > 0);
        refused++;
        assertStrictEquals(stateOf(controller), before);
        assertStrictEquals(controller.getResponse(endpoint).data, data);
        return;
      }
      const read = controller.getResponse(endpoint).data;
      for (const entity of [Issue, User, Label, Repository] as const) {
        for (const instance of controller.get(new schema.All(entity as typeof User)) ?? []) {
          assertStrictEquals(Object.getPrototypeOf(instance), entity.prototype);
          if (instance instanceof Issue) assert(instance.created_at === null || instance.created_at instanceof Date);
        }
      }
      controller.setResponse(endpoint, body);
      assert(deepEqual(controller.getResponse(endpoint).data, read));
      controller.setResponse(endpoint, ANSWERS[index]![1]);
      controller.getResponse(endpoint);
    });
  });
  const count = runs(10_000, 1_000_000);
  await check(property, { name: "normalize_broken_answers", runs: count });
  // Both happen, or the test tests nothing.
  assert(refused > count / 20 && accepted > count / 20, `${refused} refused, ${accepted} accepted`);
});
