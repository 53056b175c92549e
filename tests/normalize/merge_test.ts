import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { Controller, Endpoint, Entity, normalize, NormalizeError, stateOf } from "@rejoin/data";
import { readerOf } from "../contracts/reader.ts";

class Node extends Entity {
  id = "";
  at = "";
  child: Node | undefined = undefined;
  children: Node[] = [];
  data: unknown = undefined;
  pk() {
    return this.id;
  }
  static key = "Node";
  static schema: { child: typeof Node; children: (typeof Node)[] };
}
Node.schema = { child: Node, children: [Node] };

const getNode = new Endpoint(async (id: string) => await Promise.resolve({ id }), { name: "getNode", schema: Node });

/** The order in which occurrences were merged: each leaves its mark. */
class Marked extends Node {
  marks: string[] = [];
  static override key = "Marked";
  static override schema: { child: typeof Marked; children: (typeof Marked)[] };
  static override merge(existing: { marks: string[] }, incoming: { marks: string[] }) {
    return { ...existing, ...incoming, marks: [...existing.marks, ...incoming.marks] };
  }
}
Marked.schema = { child: Marked, children: [Marked] };

Deno.test("occurrences of one record merge in document order: a parent before what it nests, an earlier item first", () => {
  const x = (mark: string, more: object = {}) => ({ id: "x", marks: [mark], ...more });
  const { entities } = normalize([Marked], [
    x("1", { child: { id: "y", marks: [], child: x("2") }, children: [x("3"), { id: "z", marks: [], child: x("4") }] }),
    { id: "w", marks: [], children: [x("5"), x("6")], child: x("7") },
    x("8"),
  ]);
  assertEquals(entities.Marked!.x!.marks, ["1", "2", "3", "4", "5", "6", "7", "8"]);
});

Deno.test("document order holds for a class that nests nothing: behind its parent of the same key, and behind what an earlier item holds", () => {
  class Tag extends Entity {
    id = "";
    at = "";
    static key = "Tag";
  }
  class Note extends Entity {
    id = "";
    tag: Tag | undefined = undefined;
    static key = "Note";
    static schema = { tag: Tag };
  }
  class Page extends Entity {
    id = "";
    note: Note | undefined = undefined;
    tag: Tag | undefined = undefined;
    tags: Tag[] = [];
    static key = "Page";
    static schema = { note: Note, tag: Tag, tags: [Tag] };
  }
  /** The same table as `Tag`, and it holds some. */
  class TagPage extends Entity {
    id = "";
    at = "";
    similar: Tag[] = [];
    page: Page | undefined = undefined;
    static key = "Tag";
    static schema = { similar: [Tag], page: Page };
  }
  const tag = (at: string) => ({ id: "t", at });
  const atOf = (schema: typeof Page | typeof TagPage, response: object) => {
    const args = { id: "t" };
    const getIt = new Endpoint(() => Promise.resolve(response), { name: "getIt", schema });
    const controller = new Controller();
    controller.setResponse(getIt, response);
    const stored = controller.get(Tag, args)?.at;
    // Again, over what is there; and from the pure function.
    controller.setResponse(getIt, structuredClone(response));
    assertEquals(controller.get(Tag, args)?.at, stored);
    const { entities } = normalize(schema, response);
    assertEquals(entities.Tag!.t!.at, stored);
    return stored;
  };
  assertEquals(atOf(Page, { id: "p", tag: tag("1"), tags: [tag("2"), tag("3")] }), "3");
  assertEquals(atOf(Page, { id: "p", note: { id: "n", tag: tag("1") }, tag: tag("2") }), "2");
  assertEquals(atOf(Page, { id: "p", tag: tag("1"), note: { id: "n", tag: tag("2") } }), "2");
  assertEquals(atOf(TagPage, { ...tag("parent"), similar: [tag("nested")] }), "nested");
  assertEquals(atOf(TagPage, { similar: [tag("nested")], ...tag("parent") }), "nested");
  // In an entity without a pk, which is walked as a part of the one that holds it.
  assertEquals(atOf(TagPage, { page: { tags: [tag("nested")] }, ...tag("parent") }), "nested");
});

Deno.test("document order is the order of the response, not of the schema", () => {
  const declared = { b: [Marked], a: { c: Marked }, d: Marked };
  const response = {
    a: { c: { id: "x", marks: ["a"] } },
    d: { id: "x", marks: ["d"] },
    b: [{ id: "x", marks: ["b"] }],
  };
  assertEquals(normalize(declared, response).entities.Marked!.x!.marks, ["a", "d", "b"]);
});

Deno.test("merging is shallow by default: incoming wins, undefined is absence, null is data", () => {
  const { entities } = normalize([Node], [
    { id: "1", at: "a", data: { deep: 1, more: 2 }, gone: 1, kept: 1 },
    { id: "1", at: "b", data: { deep: 3 }, gone: null, kept: undefined },
  ]);
  assertEquals(entities.Node!["1"]! as unknown, { id: "1", at: "b", data: { deep: 3 }, gone: null, kept: 1 });
  assert(!Object.hasOwn(normalize(Node, { id: "1", x: undefined }).entities.Node!["1"]!, "x"));
});

Deno.test("a member deep-equal to the stored one keeps the stored reference", () => {
  const controller = new Controller();
  const data = { list: [{ a: 1 }], when: new Date(5), none: null };
  controller.setResponse(getNode, "1", { id: "1", at: "a", data, children: [{ id: "2" }, { id: "3" }] });
  const before = stateOf(controller).entities.Node!["1"]!;
  controller.setResponse(getNode, "1", {
    id: "1",
    at: "b",
    data: structuredClone(data),
    children: [{ id: "2" }, { id: "3" }],
  });
  const after = stateOf(controller).entities.Node!["1"]!;
  assertNotStrictEquals(after, before);
  assertStrictEquals(after.data, before.data);
  assertStrictEquals(after.children, before.children);
});

for (const hasMerge of [false, true]) {
  const of = hasMerge ? "the class's own merge" : "the default merge";
  class Own extends Node {
    static override key = "Own";
    static override schema: { child: typeof Own; children: (typeof Own)[] };
  }
  Own.schema = { child: Own, children: [Own] };
  if (hasMerge) Object.assign(Own, { merge: (existing: object, incoming: object) => ({ ...existing, ...incoming }) });
  const getOwn = getNode.extend({ schema: Own });
  const body = () => ({ id: "1", at: "a", data: { x: [1] }, child: { id: "2" }, children: [{ id: "3" }, { id: "4" }] });

  Deno.test(`with ${of} an equal record changes nothing and tells nobody`, () => {
    const controller = new Controller();
    controller.setResponse(getOwn, "1", body());
    const readers = ["1", "2", "3", "4"].map((id) => readerOf(controller, Own, id));
    const before = readers.map(({ value }) => value);
    const records = Object.values(stateOf(controller).entities.Own!);
    controller.setResponse(getOwn, "1", body());
    readers.forEach((reader, index) => assertStrictEquals(reader.value, before[index]));
    Object.values(stateOf(controller).entities.Own!).forEach((record, index) =>
      assertStrictEquals(record, records[index])
    );
    assertEquals(readers.map(({ told }) => told), [0, 0, 0, 0]);
  });

  Deno.test(`with ${of} a part that is sent changes only that part`, () => {
    const controller = new Controller();
    controller.setResponse(getOwn, "1", body());
    const before = stateOf(controller).entities.Own!["1"]!;
    controller.setResponse(getOwn, "1", { id: "1", at: "b" });
    const after = stateOf(controller).entities.Own!["1"]!;
    assertEquals(after, { ...before, at: "b" });
    assertEquals(Object.keys(after), Object.keys(before));
    for (const name of ["data", "children"]) assertStrictEquals(after[name], before[name]);
  });

  Deno.test(`with ${of} names of the prototype are members like others`, () => {
    const controller = new Controller();
    const hostile = (n: number) =>
      JSON.parse(`{"id": "1", "__proto__": {"n": ${n}}, "constructor": ${n}, "toString": ${n}, "pk": {"n": ${n}}}`);
    controller.setResponse(getOwn, "1", { id: "1" });
    controller.setResponse(getOwn, "1", hostile(1));
    controller.setResponse(getOwn, "1", hostile(2));
    const record = stateOf(controller).entities.Own!["1"]!;
    assertEquals(JSON.stringify(record), JSON.stringify(hostile(2)));
    assertStrictEquals(Object.getPrototypeOf(record), Object.prototype);
    controller.setResponse(getOwn, "1", hostile(2));
    assertStrictEquals(stateOf(controller).entities.Own!["1"], record);
    assertEquals(controller.get(Own, "1")!.pk(), "1");
  });
}

Deno.test("merge may take members away: what it leaves out, or leaves undefined, is absent", () => {
  for (const gone of [{}, { b: undefined }]) {
    class Whole extends Entity {
      id = "";
      a = { n: 0 };
      b = "default";
      pk() {
        return this.id;
      }
      static key = "Whole";
      static merge(_existing: object, incoming: object) {
        return { ...incoming, ...gone };
      }
    }
    const controller = new Controller();
    const get = getNode.extend({ schema: Whole });
    controller.setResponse(get, "1", { id: "1", a: { n: 1 }, b: "b" });
    const before = stateOf(controller).entities.Whole!["1"]!;
    controller.setResponse(get, "1", { id: "1", a: { n: 1 } });
    const after = stateOf(controller).entities.Whole!["1"]!;
    assertEquals(after as unknown, { id: "1", a: { n: 1 } });
    assertStrictEquals(after.a, before.a);
    assertEquals(controller.get(Whole, "1")!.b, "default");
    controller.setResponse(get, "1", { id: "1", a: { n: 1 } });
    assertStrictEquals(stateOf(controller).entities.Whole!["1"], after);
  }
});

Deno.test("merge that gives back what was stored changes nothing", () => {
  class First extends Node {
    static override key = "First";
    static override merge(existing: object) {
      return existing;
    }
  }
  const controller = new Controller();
  const get = getNode.extend({ schema: First });
  controller.setResponse(get, "1", { id: "1", at: "a" });
  const before = controller.get(First, "1");
  controller.setResponse(get, "1", { id: "1", at: "b" });
  assertStrictEquals(controller.get(First, "1"), before);
});

for (const wrong of [undefined, null, "text", 5, ["array"]]) {
  Deno.test(`merge that returns ${JSON.stringify(wrong)} is a typed error, and nothing is written`, () => {
    class Bad extends Node {
      static override key = "Bad";
      static override merge(): object {
        return wrong as never;
      }
    }
    const controller = new Controller();
    const get = getNode.extend({ schema: Bad });
    controller.setResponse(get, "1", { id: "1", at: "a" });
    const before = stateOf(controller);
    assertThrows(() => controller.setResponse(get, "1", { id: "1", at: "b" }), NormalizeError, "merge() returned");
    assertStrictEquals(stateOf(controller), before);
    assertThrows(() => normalize([Bad], [{ id: "1" }, { id: "1" }]), NormalizeError, "merge() returned");
  });
}

Deno.test("a list of entities inside an entity holds each record once, in the order of the first", () => {
  const pks = (children: object[]) => normalize(Node, { id: "1", children }).entities.Node!["1"]!.children;
  assertEquals(pks([{ id: "2" }, { id: 3 }, { id: "2" }, { id: "3" }, { id: "1" }]), ["2", "3", "1"]);
  const many = Array.from({ length: 100 }, (_, index) => ({ id: index % 10 }));
  assertEquals(pks(many), ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  // What has no pk has no identity; null is data.
  assertEquals(pks([{ at: "a" }, { at: "a" }, null as never, null as never]), [{ at: "a" }, { at: "a" }, null, null]);
});

Deno.test("refetching a reverse relation does not grow it, also when merge concatenates", () => {
  for (const length of [3, 30]) {
    class Team extends Entity {
      id = "";
      members: Node[] = [];
      pk() {
        return this.id;
      }
      static key = "Team";
      static schema = { members: [Node] };
      static merge(existing: { members: unknown[] }, incoming: { members: unknown[] }) {
        return { ...existing, ...incoming, members: [...existing.members, ...incoming.members] };
      }
    }
    const controller = new Controller();
    const get = getNode.extend({ schema: Team });
    const members = (from: number) => Array.from({ length }, (_, index) => ({ id: `${from + index}` }));
    controller.setResponse(get, "1", { id: "1", members: members(0) });
    const before = controller.get(Team, "1");
    controller.setResponse(get, "1", { id: "1", members: members(0) });
    assertStrictEquals(controller.get(Team, "1"), before);
    controller.setResponse(get, "1", { id: "1", members: members(1) });
    assertEquals(
      controller.get(Team, "1")!.members.map(({ id }) => id),
      members(0).concat({ id: `${length}` }).map(({ id }) => id),
    );
  }
});

Deno.test("merge gets nested entities as pks, and serialized members as stored", () => {
  const seen: unknown[] = [];
  class Dated extends Node {
    when = new Date(0);
    static override key = "Dated";
    static override schema = { child: Node, children: [Node], when: Date };
    static override merge(existing: object, incoming: object) {
      seen.push(structuredClone(existing), structuredClone(incoming));
      return { ...existing, ...incoming };
    }
  }
  const body = { id: "1", child: { id: "2" }, children: [{ id: 3 }], when: "2026-01-01" };
  normalize([Dated], [body, { ...body, when: new Date(5) }]);
  const stored = { id: "1", child: "2", children: ["3"], when: "2026-01-01" };
  assertEquals(seen, [stored, { ...stored, when: "1970-01-01T00:00:00.005Z" }]);
});

Deno.test("an object with inherited members gives its own members only", () => {
  const inherited = Object.assign(Object.create({ inherited: 1 }), { id: "1", at: "b" });
  const { entities } = normalize([Node], [{ id: "1", at: "a" }, inherited]);
  assertEquals(entities.Node!["1"]! as unknown, { id: "1", at: "b" });
});
