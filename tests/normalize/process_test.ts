import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { denormalize, Entity, normalize, NormalizeError, schema } from "@rejoin/data";

interface Call {
  readonly value: unknown;
  readonly parent: unknown;
  readonly key: string | undefined;
  readonly args: readonly unknown[];
}
let calls: Call[] = [];

class Tag extends Entity {
  id = "";
  pk() {
    return this.id;
  }
  static key = "Tag";
  static process(value: object, parent: unknown, key: string | undefined, args: readonly unknown[]) {
    calls.push({ value, parent, key, args });
    return { ...value };
  }
}
class Post extends Entity {
  id = "";
  main: Tag | undefined = undefined;
  tags: Tag[] = [];
  meta: { first?: Tag; others: Tag[] } = { others: [] };
  pk() {
    return this.id;
  }
  static key = "Post";
  static schema = { main: Tag, tags: [Tag], meta: { first: Tag, others: [Tag] } };
}

function callsOf(declared: Parameters<typeof normalize>[0], response: unknown, ...args: unknown[]): Call[] {
  calls = [];
  normalize(declared, response, args);
  return calls;
}

/** Compares by identity: what is equal but another object is not what was asked for. */
function assertCalls(actual: Call[], expected: readonly (readonly [unknown, unknown, string | undefined])[]): void {
  assertEquals(actual.length, expected.length);
  expected.forEach(([value, parent, key], index) => {
    assertStrictEquals(actual[index]!.value, value);
    assertStrictEquals(actual[index]!.parent, parent);
    assertEquals(actual[index]!.key, key);
  });
}

Deno.test("process gets a root entity as its own parent, without a key, and the arguments of the call", () => {
  const tag = { id: "1" };
  const made = callsOf(Tag, tag, { page: 2 }, "x");
  assertCalls(made, [[tag, tag, undefined]]);
  assertEquals(made[0]!.args, [{ page: 2 }, "x"]);
});

Deno.test("process gets the array as parent of the items of a root array, without a key", () => {
  const list = [{ id: "1" }, { id: "2" }];
  assertCalls(callsOf([Tag], list), [[list[0], list, undefined], [list[1], list, undefined]]);
  assertCalls(callsOf(new schema.All(Tag), list), [[list[0], list, undefined], [list[1], list, undefined]]);
});

Deno.test("process gets the owning entity and the name of the member, for items of its lists, too", () => {
  const post = { id: "1", main: { id: "a" }, tags: [{ id: "b" }, { id: "c" }] };
  assertCalls(callsOf(Post, post), [
    [post.main, post, "main"],
    [post.tags[0], post, "tags"],
    [post.tags[1], post, "tags"],
  ]);
});

Deno.test("process gets the owning object and the name of the member in object schemas", () => {
  const page = { first: { id: "a" }, results: [{ id: "b" }] };
  assertCalls(callsOf({ first: Tag, results: [Tag] }, page), [
    [page.first, page, "first"],
    [page.results[0], page, "results"],
  ]);
  const post = { id: "1", meta: { first: { id: "a" }, others: [{ id: "b" }] } };
  assertCalls(callsOf([Post], [post]), [
    [post.meta.first, post.meta, "first"],
    [post.meta.others[0], post.meta, "others"],
  ]);
});

Deno.test("process gets the raw parent, not what the parent's own process made of it", () => {
  class Renamed extends Post {
    static override key = "Renamed";
    static override process(value: { post_id: string; main_tag: object }) {
      return { id: value.post_id, main: value.main_tag };
    }
  }
  const raw = { post_id: "1", main_tag: { id: "a" } };
  assertCalls(callsOf(Renamed, raw), [[raw.main_tag, raw, "main"]]);
});

Deno.test("process that returns undefined leaves the item out: of the root, lists, members, and All", () => {
  class Visible extends Entity {
    id = "";
    hidden = false;
    pk() {
      return this.id;
    }
    static key = "Visible";
    static process(value: { hidden?: boolean }) {
      return value.hidden ? undefined : value;
    }
  }
  class Owner extends Entity {
    id = "";
    one: Visible | undefined = undefined;
    many: Visible[] = [];
    pk() {
      return this.id;
    }
    static key = "Owner";
    static schema = { one: Visible, many: [Visible] };
  }
  const hidden = { id: "h", hidden: true };
  assertEquals(normalize(Visible, hidden), { result: undefined as never, entities: Object.create(null) });
  assertEquals(normalize([Visible], [hidden, { id: "1" }]).result, ["1"]);
  assertEquals(normalize({ one: Visible, many: [Visible] }, { one: hidden, many: [hidden] }).result as unknown, {
    many: [],
  });
  const { entities } = normalize(Owner, { id: "1", one: hidden, many: [{ id: "2" }, hidden] });
  assertEquals(entities.Owner!["1"]! as unknown, { id: "1", many: ["2"] });
  assertEquals(Object.keys(entities.Visible!), ["2"]);
  // Over a record that had one: absent, not gone.
  const both = normalize([Owner], [{ id: "1", one: { id: "2" } }, { id: "1", one: hidden }]);
  assertEquals(both.entities.Owner!["1"]!.one, "2");
  const { tables } = { tables: normalize(new schema.All(Visible), [hidden, { id: "1" }]).entities };
  assertEquals(Object.keys(tables.Visible!), ["1"]);
});

for (const wrong of [null, "text", 5, true, ["array"]]) {
  Deno.test(`process that returns ${JSON.stringify(wrong)} is a typed error with the path`, () => {
    class Bad extends Entity {
      pk() {
        return "1";
      }
      static key = "Bad";
      static process() {
        return wrong;
      }
    }
    const error = assertThrows(() => normalize({ results: [Bad] }, { results: [{}] }), NormalizeError);
    assertEquals(error.path, "results[0]");
    assert(error.message.includes("process() returned"), error.message);
  });
}

Deno.test("an error of process reaches the caller as it is", () => {
  class Bad extends Entity {
    pk() {
      return "1";
    }
    static key = "Bad";
    static process(value: { name: { length: number } }) {
      return { length: value.name.length };
    }
  }
  assertThrows(() => normalize([Bad], [{ name: null }]), TypeError);
});

Deno.test("process may make another object of the same value for another place: all of it is merged", () => {
  class Person extends Entity {
    id = "";
    roles: string[] = [];
    pk() {
      return this.id;
    }
    static key = "Person";
    static process(value: object, parent: { id: string }, key: string | undefined) {
      return { ...value, roles: [`${key} of ${parent.id}`] };
    }
    static merge(existing: { roles: string[] }, incoming: { roles: string[] }) {
      return { ...existing, ...incoming, roles: [...existing.roles, ...incoming.roles] };
    }
    static schema = { friend: Tag };
  }
  class Work extends Entity {
    id = "";
    writer: Person | undefined = undefined;
    editor: Person | undefined = undefined;
    pk() {
      return this.id;
    }
    static key = "Work";
    static schema = { writer: Person, editor: Person };
  }
  // One object, as a fixture or a cache in memory has it.
  const ann = { id: "ann" };
  const works = ["1", "2", "3"].map((id) => ({ id, writer: ann, editor: ann }));
  const { entities } = normalize([Work], works);
  assertEquals(entities.Person!.ann!.roles, [
    ...["writer of 1", "editor of 1", "writer of 2", "editor of 2", "writer of 3", "editor of 3"],
  ]);
});

Deno.test("process may make a new object each time: values that contain themselves end, with pks and without", () => {
  class Knot extends Entity {
    id: string | undefined = undefined;
    next: Knot | undefined = undefined;
    all: Knot[] = [];
    pk() {
      return this.id;
    }
    static key = "Knot";
    static schema: { [member: string]: typeof Knot | (typeof Knot)[] } = {};
    static process(value: object) {
      return { ...value };
    }
  }
  Knot.schema = { next: Knot, all: [Knot] };
  for (const ids of [["a", "b"], [undefined, undefined], ["a", undefined]] as const) {
    const one: Record<string, unknown> = { id: ids[0], name: "one" };
    const two: Record<string, unknown> = { id: ids[1], name: "two", next: one, all: [one] };
    one.next = two;
    one.all = [one, two];
    const { result, entities } = normalize(Knot, one);
    const read = denormalize(Knot, result, entities) as unknown as { next: { name: string; all: { name: string }[] } };
    assertEquals([read.next.name, read.next.all[0]!.name], ["two", "one"]);
  }
});
