import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { Controller, denormalize, Endpoint, Entity, normalize, schema, SchemaError, WriteError } from "@rejoin/data";
import { warnings } from "../support/warnings.ts";

class User extends Entity {
  id = "";
  name = "";
  static override key = "User";
}
class Article extends Entity {
  id = "";
  title = "";
  author: User | undefined = undefined;
  createdAt = new Date(0);
  static override key = "Article";
  static override schema = { author: User, createdAt: Date };
}
const getAll = new Endpoint(() => Promise.resolve(), { name: "getAll", schema: [Article] });

Deno.test("rule 1: a member with a name of the prototype is stored in the record, and not put on the instance", () => {
  class Odd extends Entity {
    id = "";
    get shout() {
      return `${this.id}!`;
    }
    static override key = "Odd";
    static override schema = { shout: User };
  }
  const body = JSON.parse(
    '{"id":"1","pk":5,"constructor":6,"shout":{"id":"u"},"__proto__":{"bad":1},"toString":7,"more":8}',
  );
  const { result, entities } = normalize(Odd, body), odd = denormalize(Odd, result, entities)!;
  assertEquals([odd.pk(), odd.constructor, odd.shout, `${odd}`], ["1", Odd, "1!", "[object Object]"]);
  assertEquals([Reflect.get(odd, "bad"), Reflect.get(odd, "more")], [undefined, 8]);
  assertEquals(Object.keys(entities.Odd!["1"]!), ["id", "pk", "constructor", "shout", "__proto__", "toString", "more"]);
});

Deno.test("rule 1: __proto__ is an ordinary name of a table, a record and a member", () => {
  class Proto extends User {
    static override key = "__proto__";
  }
  const { result, entities } = normalize([Proto], [{ id: "__proto__", name: "Ann" }]);
  assertEquals(denormalize([Proto], result, entities)!.map(({ name }) => name), ["Ann"]);
  assertEquals(Object.getPrototypeOf({}).name, undefined);
});

Deno.test("rule 2: a record without a pk stays in its place, and development warns once per class", () => {
  class Draft extends Entity {
    id = "";
    title = "";
    static override key = "Draft";
  }
  const lines = warnings(() => {
    const { result, entities } = normalize([Draft], [{ title: "a" }, { id: "", title: "b" }, { id: NaN }, { id: 1 }, {
      id: 2n,
    }]);
    assertEquals(result.slice(3), ["1", "2"]);
    assertEquals(Object.keys(entities.Draft!), ["1", "2"]);
    assertEquals(denormalize([Draft], result, entities)!.slice(0, 2).map(({ title }) => title), ["a", "b"]);
  });
  assertEquals(lines.length, 1);
  assert(lines[0]!.includes("Draft"), lines[0]);
});

Deno.test("rules 2, 4, 5: a reference that is no pk replaces the old one, and reads as absent", () => {
  class Ticket extends Entity {
    id = "";
    owner: Entity | undefined = undefined;
    static override schema = { owner: Ticket, tags: [Ticket] };
  }
  for (const none of ["", false, 0 / 0]) {
    const value = [{ id: "1", owner: { id: "2" } }, { id: "1", owner: none, tags: [none, "1"] }];
    const { result, entities } = normalize([Ticket], value), [ticket] = denormalize([Ticket], result, entities)!;
    assertEquals([ticket!.owner, Object(ticket).tags.length], [undefined, 1]);
  }
});

Deno.test("rule 3: two classes with one default key are an error in development; with one `static key` they share records", () => {
  const twins = [1, 2].map(() => class Twin extends Entity {});
  assertThrows(() => normalize({ a: twins[0]!, b: twins[1]! }, { a: { id: 1 }, b: { id: 2 } }), SchemaError, '"Twin"');
  class Summary extends Entity {
    id = "";
    static override key = "Article";
  }
  const controller = new Controller();
  controller.set(Article, { id: "1" }, { title: "x" });
  assertEquals(controller.get(Summary, { id: "1" })!.constructor, Summary);
});

Deno.test("rule 4: an equal reply keeps every object; a changed record replaces only the objects that embed it", () => {
  const controller = new Controller();
  const body = () => [{ id: "1", author: { id: "u", name: "Ann" }, tags: ["a"] }, { id: "2" }];
  controller.setResponse(getAll, body());
  const before = controller.getResponse(getAll).data!;
  controller.setResponse(getAll, body());
  assertStrictEquals(controller.getResponse(getAll).data, before);
  controller.set(User, { id: "u" }, { name: "Bo" });
  const after = controller.getResponse(getAll).data!;
  assertEquals(after.map((one, at) => one === before[at]), [false, true]);
  assertStrictEquals(Reflect.get(after[0]!, "tags"), Reflect.get(before[0]!, "tags"));
  assertEquals([before[0]!.author!.name, after[0]!.author!.name], ["Ann", "Bo"]);
});

Deno.test("rule 4: a merge that concatenates lists of entities gives each record once", () => {
  class Team extends Entity {
    id = "";
    members: User[] = [];
    static override key = "Team";
    static override schema = { members: [User] };
    static override merge(existing: Team, incoming: Team) {
      return { ...existing, ...incoming, members: [...existing.members, ...incoming.members] };
    }
  }
  const controller = new Controller(), page = (...ids: string[]) => ({ members: ids.map((id) => ({ id })) });
  controller.set(Team, { id: "1" }, page("a", "b"));
  controller.set(Team, { id: "1" }, page("b", "c"));
  const team = controller.get(Team, { id: "1" })!;
  assertEquals(team.members.map(({ id }) => id), ["a", "b", "c"]);
  controller.set(Team, { id: "1" }, page("b", "c"));
  assertStrictEquals(controller.get(Team, { id: "1" }), team);
});

Deno.test("rule 5: a reference to a missing record reads as the field's default, and is left out of lists", () => {
  class Book extends Entity {
    id = "";
    writer = User.fromJS();
    editor: User | undefined = undefined;
    readers: User[] = [];
    static override key = "Book";
    static override schema = { writer: User, editor: User, readers: [User] };
  }
  const controller = new Controller();
  controller.set(Book, { id: "1" }, { writer: "x", editor: "y", readers: ["x", { id: "z" }] });
  const book = controller.get(Book, { id: "1" })!;
  assertEquals([book.writer, book.editor, book.readers.map(({ id }) => id)], [User.fromJS(), undefined, ["z"]]);
  controller.set(User, { id: "x" }, { name: "Xi" });
  const again = controller.get(Book, { id: "1" })!;
  assertEquals([again.writer.name, again.readers.map(({ id }) => id)], ["Xi", ["x", "z"]]);
});

Deno.test("rule 8: a Date is the same object until its stored value changes", () => {
  const controller = new Controller();
  controller.set(Article, { id: "1" }, { createdAt: new Date(5) });
  const { createdAt } = controller.get(Article, { id: "1" })!;
  assertEquals(createdAt, new Date(5));
  controller.set(Article, { id: "1" }, { title: "new" });
  assertStrictEquals(controller.get(Article, { id: "1" })!.createdAt, createdAt);
  controller.set(Article, { id: "1" }, { createdAt: new Date(6) });
  assertEquals(controller.get(Article, { id: 1 })!.createdAt, new Date(6));
});

Deno.test("rule 9: 100,000 levels of nested entities are stored and read, and so is a cycle of that length", () => {
  class Knot extends Entity {
    id = "";
    next: Knot | undefined = undefined;
    static override key = "Knot";
    static override schema = {};
  }
  Knot.schema = { next: Knot };
  let chain: object = { id: "0" };
  for (let at = 1; at < 100_000; at++) chain = { id: `${at}`, next: chain };
  const controller = new Controller();
  controller.set(Knot, { id: "99999" }, chain);
  let knot = controller.get(Knot, { id: "99999" }), depth = 0;
  for (; knot; knot = knot.next) depth++;
  assertEquals(depth, 100_000);
  // The last record refers to the first: the change makes the first one dirty through 100,000 parents.
  controller.set(Knot, { id: "0" }, { next: "99999" });
  const first = controller.get(Knot, { id: "99999" })!;
  for (knot = first, depth = 0; depth < 100_000; depth++) knot = knot!.next;
  assertStrictEquals(knot, first);
});

Deno.test("rule 14: a reply whose merge throws leaves the store as it was", async () => {
  class Touchy extends Entity {
    id = "";
    text = "";
    static override key = "Touchy";
    static override merge(existing: Touchy, incoming: Touchy) {
      if (incoming.text === "bad") throw new RangeError("no");
      return { ...existing, ...incoming };
    }
  }
  const controller = new Controller(), schema = { users: [User], touchy: Touchy };
  const save = new Endpoint((reply: object) => Promise.resolve(reply), { name: "save", schema, sideEffect: true });
  controller.set(User, { id: "u" }, { name: "Ann" });
  controller.set(Touchy, { id: "t" }, { text: "good" });
  const user = controller.get(User, { id: "u" });
  const reply = { users: [{ id: "u", name: "Bo" }], touchy: { id: "t", text: "bad" } };
  const error = await controller.fetch(save, reply).catch((error: unknown) => error);
  assert(error instanceof WriteError && error.cause instanceof RangeError);
  assertEquals(error.code, 401);
  assertStrictEquals(controller.get(User, { id: "u" }), user);
  assertEquals(controller.get(Touchy, { id: "t" })!.text, "good");
});
Deno.test("rule 13: an instance that was read earlier undoes an edit, and brings back a record that was deleted", () => {
  const controller = new Controller(), undo = () => controller.set(User, { id: "1" }, before);
  controller.set(User, { id: "1" }, { name: "Ann" });
  const before = controller.get(User, "1")!;
  controller.set(User, { id: "1" }, { name: "Bo" });
  undo();
  assertEquals(controller.get(User, "1")!.name, "Ann");
  controller.set(new schema.Invalidate(User), { id: "1" });
  undo();
  assertEquals(controller.get(User, "1")?.name, "Ann");
});
Deno.test("rule 13: an instance inside of another one takes back no edit, and brings back a record that was deleted", () => {
  const controller = new Controller(), name = () => controller.get(User, "u")?.name;
  controller.set(Article, { id: "1" }, { author: { id: "u", name: "Ann" } } as never);
  const before = controller.get(Article, "1")!;
  controller.set(User, { id: "u" }, { name: "Bo" });
  controller.set(Article, { id: "1" }, { ...before, title: "new" });
  assertEquals(name(), "Bo");
  const { author } = controller.get(Article, "1")!;
  controller.set(new schema.Invalidate(User), { id: "u" });
  controller.set(Article, { id: "1" }, { ...before, author });
  assertEquals(name(), "Bo");
});
Deno.test("Invalidate deletes the record of a value that `process` leaves out", () => {
  class Hidden extends User {
    static override process = () => undefined as never;
  }
  const controller = new Controller();
  controller.set(User, { id: "1" }, { name: "Ann" });
  controller.set(new schema.Invalidate(Hidden), { id: "1" });
  assertEquals(controller.get(User, "1"), undefined);
});
