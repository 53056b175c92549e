/** The types that Array and Object read, store and accept: `deno check` is the test. */
import { assertEquals } from "@std/assert";
import {
  Controller,
  type Denormalize,
  denormalize,
  type DenormalizeNullable,
  Endpoint,
  Entity,
  type EntityArgs,
  type Normalize,
  normalize,
  schema,
  type SchemaArgs,
} from "@rejoin/data";
import { same } from "../support/same.ts";

class User extends Entity {
  id = "";
  static key = "User";
}
class Bot extends Entity {
  id = "";
  static key = "Bot";
}
const users = new schema.Array(User);
const mixed = new schema.Array({ user: User, bot: Bot }, "type");
const rows = new schema.Array({ user: User, note: "", at: Date });
const page = new schema.Object({ users, next: "", best: User, literal: [User] });

Deno.test("an Array gives what its items are, through every nesting", () => {
  same<Denormalize<typeof users>, User[]>();
  same<DenormalizeNullable<typeof users>, User[] | undefined>();
  same<Normalize<typeof users>, string[]>();
  same<SchemaArgs<typeof users>, readonly []>();
  same<Denormalize<typeof mixed>, (User | Bot)[]>();
  same<Normalize<typeof mixed>[number]["schema"], "user" | "bot">();
  same<Denormalize<typeof rows>, { user: User | undefined; note: string; at: Date }[]>();
  const deep = new schema.Array(new schema.Array(mixed));
  same<Denormalize<typeof deep>, (User | Bot)[][][]>();
  same<Denormalize<{ list: typeof users; lists: (typeof mixed)[] }>, { list: User[]; lists: (User | Bot)[][] }>();
  // An absent member reads as an empty array.
  same<DenormalizeNullable<{ list: typeof users }>, { list: User[] } | undefined>();
  const read = denormalize(mixed, ...Object.values(normalize(mixed, [{ type: "bot", id: "1" }])) as [unknown, never]);
  same<typeof read, (User | Bot)[] | undefined>();
  const left = new schema.Array<typeof User>().define(User);
  same<Denormalize<typeof left>, User[]>();
  assertEquals(read?.[0]?.id, "1");
});

Deno.test("an Object gives what its members give", () => {
  same<Denormalize<typeof page>, { users: User[]; next: string; best: User | undefined; literal: User[] }>();
  same<
    DenormalizeNullable<typeof page>,
    { users: User[]; next: string; best: User | undefined; literal: User[] } | undefined
  >();
  same<Normalize<typeof page>, { users: string[]; next: string; best: string; literal: string[] }>();
  // An absent member reads as its skeleton, as in an object literal.
  same<
    DenormalizeNullable<{ page: typeof page }>,
    { page: { users: User[]; next: string; best: User | undefined; literal: User[] } } | undefined
  >();
  const more = new schema.Object({ user: User }).define({ bot: Bot, n: 0 });
  same<Denormalize<typeof more>["bot"], Bot | undefined>();
  same<Denormalize<typeof more>["n"], number>();
  const queried = new schema.Object({ user: User, all: new schema.All(Bot) });
  same<SchemaArgs<typeof queried>, [args: EntityArgs<User>] | readonly []>();
  const controller = new Controller();
  const getPage = new Endpoint(() => Promise.resolve(), { name: "getPage", schema: page });
  // @ts-expect-error nothing may have been fetched
  void (() => controller.getResponse(getPage).data.users);
  // @ts-expect-error best may be missing in the response
  void (() => controller.getResponse(getPage).data!.best.id);
  assertEquals(controller.getResponse(getPage).data?.users, undefined);
});

type CommentMembers = {
  readonly text: "";
  readonly author: typeof User;
  readonly replies: schema.Array<CommentSchema>;
};
interface CommentSchema extends schema.Object<CommentMembers> {}

Deno.test("a declaration that contains itself is written out as an interface, and its type goes as deep", () => {
  const replies = new schema.Array<CommentSchema>();
  const comment: CommentSchema = new schema.Object({ text: "", author: User, replies });
  replies.define(comment);
  const { result, entities } = normalize(comment, { text: "a", author: { id: "1" }, replies: [{ text: "b" }] });
  const read = denormalize(comment, result, entities)!;
  same<typeof read.text, string>();
  const reply = read.replies[0]?.replies?.[0]?.replies?.[0];
  const author: User | undefined = reply?.author;
  // @ts-expect-error there is no title, however deep
  void (() => reply?.title);
  assertEquals([read.replies[0]?.text, author], ["b", undefined]);
});

Deno.test("what is no array and no object of members does not compile", () => {
  class NotEntity {
    id = "";
  }
  // @ts-expect-error a class that is no entity
  void (() => new schema.Array(NotEntity));
  // @ts-expect-error a literal is a schema as a member only
  void (() => new schema.Array(""));
  // @ts-expect-error a class that cannot be called
  void (() => new schema.Array(URL));
  // @ts-expect-error only a mapping takes an attribute
  void (() => new schema.Array(User, "type"));
  // @ts-expect-error a mapping holds entities only
  void (() => new schema.Array({ user: [User] }, "type"));
  // @ts-expect-error it takes members, not an array
  void (() => new schema.Object([User]));
  // @ts-expect-error it takes members, not an entity
  void (() => new schema.Object(User));
  // @ts-expect-error a member is a schema or a literal
  void (() => new schema.Object({ user: NotEntity }));
  // @ts-expect-error the same for members that define() adds
  void (() => new schema.Object({ user: User }).define({ user: NotEntity }));
  assertEquals(NotEntity.name, "NotEntity");
});
