import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  Controller,
  denormalize,
  Endpoint,
  Entity,
  normalize,
  NormalizeError,
  schema,
  SchemaError,
  stateOf,
} from "@rejoin/data";
import { readerOf, readerOfResponse } from "../contracts/reader.ts";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}
class Bot extends Entity {
  id = "";
  static key = "Bot";
}
const remove = new Endpoint(async (_id: string) => await Promise.resolve(), {
  name: "remove",
  schema: new schema.Invalidate(User),
  sideEffect: true,
});

/** Arrays of users, and what makes an item of each. */
const ARRAYS = {
  "Array of an entity": [new schema.Array(User), (user: object) => user],
  "Array of a mapping": [
    new schema.Array({ user: User, bot: Bot }, "type"),
    (user: object) => ({ type: "user", ...user }),
  ],
  "Array of a Union": [
    new schema.Array(new schema.Union({ user: User }, () => "user")),
    (user: object) => user,
  ],
  "array literal": [[User], (user: object) => user],
} as const;

for (const [name, [declared, item]] of Object.entries(ARRAYS)) {
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: declared as [typeof User] });

  Deno.test(`${name}: undefined is left out, null is kept, missing entities are left out on read`, () => {
    const controller = new Controller();
    controller.setResponse(list, [item({ id: "1" }), undefined, null, item({ id: "2" })]);
    const reader = readerOfResponse<(User | null)[]>(controller, list);
    assertEquals(reader.value.map((user) => user?.id), ["1", undefined, "2"]);
    assertStrictEquals(reader.value[1], null);
    controller.setResponse(remove, "1", "1");
    assertEquals(reader.value.map((user) => user?.id), [undefined, "2"]);
    const { result, entities } = normalize(declared as [typeof User], [undefined, null]);
    assertEquals([result as unknown, entities], [[null], {}]);
    assertEquals(denormalize(declared as [typeof User], [undefined, null], {}) as unknown, [null]);
  });

  Deno.test(`${name}: anything but an array is a typed error with its path; an object is not turned into its values`, () => {
    for (const wrong of [{}, { a: item({ id: "1" }) }, "text", 5, true]) {
      assertThrows(() => normalize(declared as [typeof User], wrong), NormalizeError, "expected an array");
      assertThrows(() => normalize({ users: declared as [typeof User] }, { users: wrong }), NormalizeError, "at users");
    }
  });

  Deno.test(`${name} of an entity is read as a member, and follows its items`, () => {
    class Team extends Entity {
      id = "";
      members: User[] = [];
      static key = "Team";
      static schema = { members: declared as [typeof User] };
    }
    const controller = new Controller({ strict: true });
    controller.set(Team, "t", { id: "t", members: [item({ id: "1" }), item({ id: "2" }), null] as never });
    const reader = readerOf<Team>(controller, Team, "t");
    const [one, two] = reader.value.members;
    assertStrictEquals(one, controller.get(User, "1"));
    controller.set(User, "2", { id: "2", name: "new" });
    assertStrictEquals(reader.value.members[0], one);
    assertEquals([reader.value.members[1]!.name, two!.name, reader.value.members[2] as unknown], ["new", "", null]);
    controller.setResponse(remove, "1", "1");
    assertEquals(reader.value.members.map((user) => user?.id), ["2", undefined]);
    assertEquals(controller.get(Team, "t")!.members.length, 2);
    controller.set(Team, "u", { id: "u" });
    assertEquals(controller.get(Team, "u")!.members, []);
  });

  Deno.test(`${name} that is absent as a member of an object reads as an empty array`, () => {
    const page = new Endpoint(async () => await Promise.resolve({}), {
      name: "page",
      schema: { users: declared as [typeof User], next: "" },
    });
    const controller = new Controller();
    controller.setResponse(page, { next: "n" });
    assertEquals(controller.getResponse(page).data, { users: [], next: "n" });
  });
}

Deno.test("items of an Array get the parent and the key that those of an array literal get", () => {
  const seen: unknown[] = [];
  class Seen extends User {
    static override process(value: object, parent: unknown, key: string | undefined) {
      seen.push(parent, key);
      return { ...value };
    }
  }
  const body = { users: [{ id: "1" }] };
  normalize({ users: [Seen] }, body);
  normalize({ users: new schema.Array(Seen) }, body);
  normalize({ users: new schema.Array({ user: Seen }, () => "user") }, body);
  assertEquals(seen, [body, "users", body, "users", body, "users"]);
  seen.length = 0;
  normalize([Seen], body.users);
  normalize(new schema.Array(Seen), body.users);
  assertEquals(seen, [body.users, undefined, body.users, undefined]);
});

Deno.test("a schema.Array of an entity inside an entity holds each record once, also when merge concatenates", () => {
  class Team extends Entity {
    id = "";
    members: User[] = [];
    static key = "Team";
    static schema = { members: new schema.Array(User) };
    static merge(existing: { members?: string[] }, incoming: { members?: string[] }) {
      return { ...existing, ...incoming, members: [...existing.members ?? [], ...incoming.members ?? []] };
    }
  }
  const controller = new Controller();
  const getTeam = new Endpoint(async () => await Promise.resolve(), { name: "getTeam", schema: Team });
  for (let times = 0; times < 3; times++) {
    controller.setResponse(getTeam, { id: "t", members: [{ id: "1" }, { id: "2" }, { id: "1" }] });
  }
  assertEquals(stateOf(controller).entities.Team!.t!.members, ["1", "2"]);
});

Deno.test("Array of objects, of arrays, of serializers and of Values is read as such", () => {
  const declared = {
    objects: new schema.Array({ user: User, note: "none" }),
    arrays: new schema.Array(new schema.Array(User)),
    dates: new schema.Array(Date),
    values: new schema.Array(new schema.Values(User)),
  };
  const { result, entities } = normalize(declared, {
    objects: [{ user: { id: "1" } }, { note: "x" }],
    arrays: [[{ id: "2" }], []],
    dates: ["2026-01-01", null],
    values: [{ a: { id: "3" } }],
  });
  assertEquals(Object.keys(entities.User!), ["1", "2", "3"]);
  const read = denormalize(declared, result, entities)!;
  assertEquals(read.objects.map(({ user, note }) => [user?.id, note]), [["1", "none"], [undefined, "x"]]);
  assertEquals([read.arrays.map((list) => list.map(({ id }) => id)), read.values[0]!.a!.id], [[["2"], []], "3"]);
  assertEquals(read.dates, [new Date("2026-01-01"), null as never]);
});

Deno.test("what an Array cannot be of is a typed error that says what to write", () => {
  for (const wrong of [null, "User", 5, true]) assertThrows(() => new schema.Array(wrong as never), SchemaError);
  for (const wrong of [User, [User], "user", new schema.Union({ user: User }, "type")]) {
    assertThrows(() => new schema.Array(wrong as never, "type"), SchemaError, "new schema.Array({ article: Article");
  }
  assertThrows(() => new schema.Array({ user: [User] } as never, "type"), SchemaError, '"user"');
  assertThrows(() => normalize(new schema.Array(URL as never), ["x"]), SchemaError, "new URL(value)");
});

Deno.test("arrays that are declared alike give one answer for one key, those of another attribute do not", () => {
  const declare = (declared: unknown) =>
    new Endpoint(async () => await Promise.resolve(), { name: "list", schema: declared as [typeof User] });
  const mapping = { user: User, bot: Bot };
  const controller = new Controller();
  controller.setResponse(declare(new schema.Array({ ...mapping }, "type")), [{ type: "user", id: "1" }]);
  const isKnown = (declared: unknown) => controller.getResponse(declare(declared)).data !== undefined;
  const byType = ({ type }: { type: string }) => type;
  assertEquals(
    [
      ...[new schema.Array(mapping, "type"), new schema.Array(new schema.Union(mapping, "type"))],
      ...[new schema.Array(mapping, "kind"), new schema.Array(mapping, byType), new schema.Values(mapping, "type")],
      ...[new schema.Array({ user: User }, "type"), new schema.Array(User), new schema.Array()],
    ].map((declared, index) => index < 7 && isKnown(declared)),
    [true, true, false, false, false, false, false, false],
  );
});
