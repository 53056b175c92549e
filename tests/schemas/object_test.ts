import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  Controller,
  denormalize,
  Endpoint,
  Entity,
  normalize,
  NormalizeError,
  Query,
  type Schema,
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
class Article extends Entity {
  id = "";
  author = User.fromJS();
  static key = "Article";
  static schema = { author: User };
}

const MEMBERS = {
  results: [Article],
  best: Article,
  at: Date,
  next: "",
  total: 0,
  cursor: "" as string | null,
  nested: { user: User, rows: [{ user: User, note: "none" }], label: "x" },
};
const BODY = {
  results: [{ id: "1", author: { id: "u", name: "Ann" } }, { id: "2", author: "u" }],
  best: { id: "2", author: "u" },
  at: "2026-01-01T00:00:00.000Z",
  next: "n",
  total: 2,
  cursor: null,
  nested: { user: { id: "u" }, rows: [{ user: { id: "v", name: "Bo" } }], label: "y" },
  extra: { __proto__: null, kept: true },
};

/** Members and the schema that is made of them, in every place where they may stand. */
const PLACES: Record<string, readonly [declare: (members: Schema) => Schema, put: (body: unknown) => unknown]> = {
  "at the root": [(members) => members, (body) => body],
  "in an object": [(members) => ({ page: members, more: "" }), (body) => ({ page: body })],
  "in an array": [(members) => [members], (body) => [body, body]],
  "in Values": [(members) => new schema.Values(members), (body) => ({ a: body })],
  "in a Query": [(members) => new Query(members), (body) => body],
  "in an entity": [
    (members) =>
      class extends Entity {
        id = "";
        page: unknown = undefined;
        static key = "Page";
        static schema = { page: members } as never;
      },
    (body) => ({ id: "p", page: body }),
  ],
  "in an array of an entity": [
    (members) =>
      class extends Entity {
        id = "";
        pages: unknown[] = [];
        static key = "Page";
        static schema = { pages: [members] } as never;
      },
    (body) => ({ id: "p", pages: [body] }),
  ],
};
const BODIES: readonly unknown[] = [
  ...[
    BODY,
    {},
    { next: "x" },
    { next: null, results: null, nested: null, best: null },
    { nested: {} },
    null,
    undefined,
  ],
  ...[[], "text", 5, { results: {} }, { nested: [] }, { best: [] }, { results: [true] }],
];

/** What a store makes of a body, and reads when things in it are gone: in one text, errors included. */
function story(declared: Schema, body: unknown): unknown[] {
  const controller = new Controller({ strict: true });
  const endpoint = new Endpoint(async () => await Promise.resolve(), {
    name: "page",
    schema: declared as typeof MEMBERS,
  });
  const remove = (entity: typeof User, pk: string) =>
    controller.setResponse(
      new Endpoint(async () => await Promise.resolve(), {
        name: "x",
        schema: new schema.Invalidate(entity),
        sideEffect: true,
      }),
      pk,
    );
  const reader = readerOfResponse<unknown>(controller, endpoint);
  const seen: unknown[] = [reader.value];
  try {
    controller.setResponse(endpoint, body);
  } catch (error) {
    return [(error as Error).name, (error as Error).message.replace(/Query \d+/, "Query")];
  }
  const note = () => seen.push(structuredClone(JSON.parse(JSON.stringify(reader.value ?? null))), reader.told);
  note();
  controller.set(User, "v", { id: "v", name: "Bob" });
  note();
  remove(Article as never, "1");
  note();
  remove(User, "v");
  note();
  remove(User, "u");
  note();
  seen.push(JSON.stringify(stateOf(controller).entities), JSON.stringify(stateOf(controller).endpoints));
  const { result, entities } = normalize(declared, body);
  seen.push(JSON.stringify([result, entities, denormalize(declared, result, entities)]));
  return seen;
}

for (const [place, [declare, put]] of Object.entries(PLACES)) {
  for (const [index, body] of BODIES.entries()) {
    Deno.test(`new schema.Object(members) ${place} is what members are, whatever comes, case ${index}`, () => {
      const literal = story(declare(MEMBERS), put(body));
      assertEquals(story(declare(new schema.Object(MEMBERS)), put(body)), literal);
      assertEquals(story(declare(new schema.Object(new schema.Object(MEMBERS).plain)), put(body)), literal);
    });
  }
}

Deno.test("an object that is asked for by arguments reads its members, as the literal does", () => {
  const all = new schema.All(User);
  const members = { user: User, all, next: "", list: [User] };
  const controller = new Controller();
  const declared = new schema.Object(members);
  const read = (schema: Schema) => readerOf<Record<string, unknown>>(controller, schema, { id: "1" }).value;
  assertEquals(read(declared), undefined);
  controller.set(User, "1", { id: "1", name: "Ann" });
  const { user, all: everybody, next, list } = read(declared);
  assertEquals(Object.keys(read(declared)), Object.keys(read(members)));
  assertStrictEquals(user, controller.get(User, "1"));
  assertStrictEquals(everybody, controller.get(all));
  assertEquals([next, list], ["", []]);
});

Deno.test("an endpoint of an object is inferred from its arguments where it wraps one entity, as that of the literal is", () => {
  const controller = new Controller();
  controller.set(User, "1", { id: "1" });
  const read = (members: { [name: string]: typeof User | [typeof User] | string }) =>
    [members, new schema.Object(members)].map((declared) => {
      const get = new Endpoint(async (_params: { id: string }) => await Promise.resolve(), {
        name: "get",
        schema: declared,
      });
      return controller.getResponse(get, { id: "1" }).data;
    });
  const user = controller.get(User, "1")!;
  assertEquals(read({ user: User, next: "" }), [{ user, next: "" }, { user, next: "" }] as never);
  assertEquals(read({ user: User, others: [User] }), [undefined, undefined]);
});

Deno.test("what is no object of members is a typed error when it is declared", () => {
  for (const wrong of [User, [User], "x", 5, null, new schema.Array(User), new schema.Object({ user: User })]) {
    assertThrows(() => new schema.Object(wrong as never), SchemaError);
  }
});

Deno.test("reserved names are ordinary members", () => {
  const members = JSON.parse(
    '{ "__proto__": 1, "constructor": 2, "toString": 3 }',
    (_name, value) => typeof value === "number" ? User : value,
  );
  const declared = new schema.Object(members as { user: typeof User });
  const body = JSON.parse('{ "__proto__": { "id": "a" }, "constructor": { "id": "b" }, "toString": { "id": "c" } }');
  const { result, entities } = normalize(declared, body);
  assertEquals(Object.keys(entities.User!), ["a", "b", "c"]);
  const read = denormalize(declared, result, entities) as unknown as object;
  assertEquals(Object.entries(read).map(([name, user]) => [name, user.id]), [["__proto__", "a"], ["constructor", "b"], [
    "toString",
    "c",
  ]]);
  assertStrictEquals(Object.getPrototypeOf(read), Object.prototype);
});

Deno.test("an error names the members and the path", () => {
  assertThrows(
    () => normalize({ page: new schema.Object({ users: [User] }) }, { page: { users: [{ id: "1" }, { id: {} }] } }),
    NormalizeError,
    'Cannot normalize "User" at page.users[1]: pk() returned {}; return a string or a number',
  );
});

Deno.test("a declaration that contains itself is asked by arguments once, and is not there below", () => {
  const controller = new Controller();
  controller.set(User, "1", { id: "1", name: "Ann" });
  const entry = new schema.Object({ user: User, n: 1 });
  entry.define({ next: entry });
  const literal: Record<string, Schema> = { user: User };
  literal.wrapped = new Query({ again: literal } as never);
  const user = controller.get(User, "1");
  assertEquals(controller.get(entry, "1" as never) as unknown, { user, n: 1, next: undefined });
  assertEquals(controller.get(literal as unknown as typeof User, "1") as unknown, { user, wrapped: undefined });
});
