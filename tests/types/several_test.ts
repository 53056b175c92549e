/** The types that Array, Object, Values, Union, All and Invalidate read, store and accept: `deno check` is the test. */
import { assertEquals, assertStringIncludes } from "@std/assert";
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
  Query,
  schema,
  type SchemaArgs,
} from "@rejoin/data";
import { compile } from "../support/compile.ts";
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

class Text extends Entity {
  id = "";
  static key = "Text";
}
class Video extends Entity {
  id = "";
  static key = "Video";
}
const texts = new schema.Values(Text);
const media = new schema.Values({ text: Text, video: Video }, (value: { kind: string }) => value.kind);

Deno.test("Values give what each of them is, through every nesting", () => {
  same<Denormalize<typeof texts>, { [name: string]: Text }>();
  same<DenormalizeNullable<typeof texts>, { [name: string]: Text } | undefined>();
  same<Normalize<typeof texts>, { [name: string]: string }>();
  same<SchemaArgs<typeof texts>, readonly []>();
  same<Denormalize<typeof media>, { [name: string]: Text | Video }>();
  const deep = new schema.Values({ lists: [texts], note: "" });
  same<Denormalize<typeof deep>, { [name: string]: { lists: { [name: string]: Text }[]; note: string } }>();
  // An absent member reads as an empty object.
  same<DenormalizeNullable<{ texts: typeof texts }>, { texts: { [name: string]: Text } } | undefined>();
  const { result, entities } = normalize(texts, { de: { id: "1" } });
  const read = denormalize(texts, result, entities);
  // @ts-expect-error the store may have nothing
  void (() => read.de);
  // @ts-expect-error there may be no text of that name
  void (() => read!.de.id);
  assertEquals([read?.de?.id, result.de], ["1", "1"]);
});

Deno.test("what can be no Values does not compile, nor can they be asked", () => {
  // @ts-expect-error a literal is a schema as a member only
  void (() => new schema.Values(""));
  // @ts-expect-error a class that cannot be called
  void (() => new schema.Values(URL));
  // @ts-expect-error only a mapping takes an attribute
  void (() => new schema.Values(Text, "type"));
  const controller = new Controller();
  // @ts-expect-error Values cannot be read by arguments
  void (() => controller.get(texts, "1"));
  const getTexts = new Endpoint(() => Promise.resolve(), { name: "getTexts", schema: texts });
  same<typeof getTexts["~types"]["data"], { [name: string]: Text }>();
  assertEquals(controller.getResponse(getTexts).data, undefined);
});

class Photo extends Entity {
  id = "";
  url = "";
  static key = "Photo";
}
class Note extends Entity {
  id = 0;
  text = "";
  static key = "Note";
}
const item = new schema.Union({ photo: Photo, note: Note }, "type");
const byFunction = new schema.Union({ photo: Photo, note: Note }, (value: { kind: string }) => value.kind);
const all = new schema.All(item);
const mapped = new schema.All({ photo: Photo, note: Note }, "type");
const gone = new schema.Invalidate(item);
type Reference = schema.UnionReference<{ readonly photo: typeof Photo; readonly note: typeof Note }>;

Deno.test("a Union gives one of its entities, through every nesting", () => {
  same<Denormalize<typeof item>, Photo | Note>();
  same<Denormalize<typeof byFunction>, Photo | Note>();
  same<DenormalizeNullable<typeof item>, Photo | Note | undefined>();
  same<Normalize<typeof item>, Reference>();
  same<Reference["schema"], "photo" | "note">();
  same<
    Denormalize<{ best: typeof item; list: (typeof item)[] }>,
    { best: Photo | Note | undefined; list: (Photo | Note)[] }
  >();
  same<
    DenormalizeNullable<{ best: typeof item; list: (typeof item)[] }>,
    { best: Photo | Note | undefined; list: (Photo | Note)[] } | undefined
  >();
  same<Denormalize<typeof all>, (Photo | Note)[]>();
  same<Denormalize<typeof mapped>, (Photo | Note)[]>();
  same<DenormalizeNullable<typeof mapped>, (Photo | Note)[] | undefined>();
  same<SchemaArgs<typeof mapped>, readonly []>();
  same<Denormalize<typeof gone>, Reference>();
  same<Normalize<typeof gone>, Reference>();
  const list = new schema.Invalidate([Photo]);
  same<Denormalize<typeof list>, string[]>();
  same<Normalize<typeof list>, string[]>();
  const more = new schema.Union({ photo: Photo }, "type").define({ note: Note });
  same<Denormalize<typeof more>, Photo | Note>();
  const { result, entities } = normalize([item], [{ type: "note", id: 1 }]);
  const read = denormalize([item], result, entities)!;
  same<typeof read, (Photo | Note)[]>();
  const [first] = read;
  // @ts-expect-error it may be a Photo, or nothing
  void (() => first.text);
  assertEquals([first instanceof Note && first.id, result[0]!.schema], [1, "note"]);
});

Deno.test("a Union is asked with the arguments of one of its entities, with the tag or without", () => {
  const controller = new Controller();
  const arguments_: SchemaArgs<typeof item>[0][] = ["1", 1, 1n, { id: "1" }, { type: "photo", url: "/" }, {
    type: "note",
    id: 1,
  }];
  const photo: EntityArgs<Photo> extends SchemaArgs<typeof item>[0] ? true : false = true;
  // @ts-expect-error neither class has a title
  void (() => controller.get(item, { title: "1" }));
  // @ts-expect-error the arguments must name the record
  void (() => controller.get(item));
  // @ts-expect-error All takes no arguments
  void (() => controller.get(all, { id: "1" }));
  // @ts-expect-error it may be undefined
  void (() => controller.get(item, "1").id);
  const ids = new Query(all, (items) => items.map((one) => one.id));
  same<Denormalize<typeof ids>, (string | number)[]>();
  const getItem = new Endpoint((_params: { id: string }) => Promise.resolve({}), { name: "getItem", schema: item });
  same<typeof getItem["~types"]["data"], Photo | Note>();
  assertEquals([arguments_.length, photo, controller.get(ids), controller.get(item, null)], [
    6,
    true,
    undefined,
    undefined,
  ]);
});

Deno.test("what is no union does not compile", () => {
  // @ts-expect-error a mapping holds no list
  void (() => new schema.Union({ photo: [Photo] }, "type"));
  // @ts-expect-error the attribute is a member's name or a function
  void (() => new schema.Union({ photo: Photo }, 5));
  // @ts-expect-error the function must return a tag
  void (() => new schema.Union({ photo: Photo }, () => Photo));
  // @ts-expect-error a single entity takes no attribute
  void (() => new schema.All(Photo, "type"));
  // @ts-expect-error a mapping needs an attribute
  void (() => new schema.All({ photo: Photo }));
  // @ts-expect-error All takes no array
  void (() => new schema.All([Photo]));
  // @ts-expect-error a mapping needs an attribute
  void (() => new schema.Invalidate({ photo: Photo }));
  // @ts-expect-error only entities and unions of them can be deleted
  void (() => new schema.Invalidate(new schema.Values(Photo)));
  // @ts-expect-error define adds entities
  void (() => new schema.Union({ photo: Photo }, "type").define({ note: Date }));
});

Deno.test("mistakes with a Union are explained", () => {
  const { errors } = compile({
    "all.ts": `
import { Controller, Entity, schema } from "@rejoin/data";
class Photo extends Entity { id = ""; static key = "Photo"; }
class NotEntity { id = ""; }
new schema.Union({ photo: Photo });
new schema.Union({ photo: NotEntity }, "type");
new Controller().get(new schema.Union({ photo: Photo }, "type"), { type: "foto", id: "1" });
`,
  });
  const said = errors.join("\n");
  for (
    const text of [
      "Expected 2 arguments, but got 1",
      "is missing in type 'typeof NotEntity' but required in type 'AnyEntity'",
      `Type '"foto"' is not assignable to type '"photo"'`,
    ]
  ) assertStringIncludes(said, text);
});
