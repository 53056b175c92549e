/** The types that Union, All and Invalidate read, store and accept: `deno check` is the test. */
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
