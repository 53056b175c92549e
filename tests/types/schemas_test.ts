/** How schemas are declared, and what must not compile: `deno check` is the test. */
import { assertEquals, assertStrictEquals } from "@std/assert";
import {
  type AnyEntity,
  Controller,
  Endpoint,
  Entity,
  type EntityMeta,
  type FieldSchemas,
  normalize,
  Query,
  type Schema,
  schema,
  type SchemaObject,
  type SchemaReading,
  type SchemaTables,
  type SchemaTypes,
  type SchemaWalk,
} from "@rejoin/data";
import { same } from "../support/same.ts";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}

Deno.test("an entity needs no override under noImplicitOverride: statics, pk with fewer parameters, assigned later", () => {
  class Article extends Entity {
    id = 0;
    author = User.fromJS();
    createdAt = new Date(0);
    pk(parent?: { id: string }) {
      return parent === undefined ? this.id : `${parent.id}/${this.id}`;
    }
    static key = "Article";
    static schema: FieldSchemas = { author: User, createdAt: Date };
    static process(value: { ID: number }) {
      return { id: value.ID };
    }
    static merge(existing: Partial<Article>, incoming: Partial<Article>) {
      return { ...existing, ...incoming };
    }
    static validate(record: Partial<Article>) {
      return record.author === undefined ? "author is missing" : super.validate(record);
    }
  }
  Article.schema = { ...Article.schema, author: User };
  class Detail extends Article {
    text = "";
    static override schema = { ...Article.schema, editor: User };
  }
  same<Detail["author"], User>();
  assertEquals(Object.keys(Detail.schema), ["author", "createdAt", "editor"]);
});

Deno.test("every static of an entity may be replaced without override, and super reaches that of the base", () => {
  class Film extends Entity {
    id = "";
    title = "";
    static key = "Film";
    static schema = { director: User };
    static pk(value: { id: string }) {
      return super.pk(value);
    }
    static process(value: { id: string }, parent: unknown, key: string | undefined, args: readonly [{ id: string }]) {
      return super.process(value, parent, key, args);
    }
    static merge(existing: Partial<Film>, incoming: Partial<Film>) {
      return super.merge(existing, incoming);
    }
    static shouldUpdate(a: EntityMeta, b: EntityMeta, existing: Partial<Film>, incoming: Partial<Film>) {
      return a.seq < b.seq && super.shouldUpdate(a, b, existing, incoming);
    }
    static validate(record: Partial<Film>) {
      return record.title === undefined ? "title is missing" : super.validate(record);
    }
    static createIfValid(record: Partial<Film>) {
      return super.createIfValid(record) as Film | undefined;
    }
    static queryKey(args: readonly [{ title: string }], tables: SchemaTables) {
      return args[0].title === "" ? undefined : super.queryKey(args, tables);
    }
  }
  // The same with the keyword `override`, which an editor may insert.
  class Marked extends Entity {
    id = "";
    override pk() {
      return `${super.pk()}!`;
    }
    static override key = "Marked";
  }
  class Short extends Film {
    static override validate() {
      return undefined;
    }
  }
  assertEquals([Film.key, Marked.fromJS({ id: "1" }).pk(), Short.key], ["Film", "1!", "Film"]);
});

Deno.test("statics that give something else than they must do not compile", () => {
  // @ts-expect-error Class static side incorrectly extends: validate returns text or nothing
  class A extends Entity {
    id = "";
    static validate() {
      return 5;
    }
  }
  // @ts-expect-error the same for shouldUpdate
  class B extends Entity {
    id = "";
    static shouldUpdate() {
      return "yes";
    }
  }
  // @ts-expect-error the same for createIfValid
  class C extends Entity {
    id = "";
    static createIfValid() {
      return null;
    }
  }
  // @ts-expect-error the same for queryKey
  class D extends Entity {
    id = "";
    static queryKey() {
      return true;
    }
  }
  assertEquals([A, B, C, D].length, 4);
});

Deno.test("a class needs no pk() when it has an id: of any usable type, its own or inherited, read-only or optional", () => {
  class Text extends Entity {
    id = "";
  }
  class Big extends Entity {
    readonly id: bigint | number = 0;
    next: Big | undefined = undefined;
    static schema = { next: Big };
  }
  class Maybe extends Text {
    title = "";
  }
  class Slug extends Entity {
    slug = "";
    pk() {
      return this.slug;
    }
  }
  class Generic<T> extends Entity {
    id: string | undefined;
    content: T | undefined = undefined;
  }
  const declared = { text: Text, bigs: [Big], maybe: new schema.All(Maybe), slug: Slug, generic: Generic<string> };
  const endpoint = new Endpoint(() => Promise.resolve(), { name: "all", schema: declared });
  same<typeof endpoint["~types"]["data"]["bigs"], Big[]>();
  same<typeof endpoint["~types"]["data"]["maybe"], Maybe[]>();
  same<ReturnType<Slug["pk"]>, string>();
  assertEquals(endpoint.schema, declared);
});

Deno.test("a class without an id and without pk() does not compile where it is used, nor one whose id can be no pk", () => {
  class Bare extends Entity {
    slug = "";
  }
  class Strange extends Entity {
    id = new Date(0);
  }
  // @ts-expect-error the entity has no id: write pk() { return this.… }
  void (() => normalize(Bare, {}));
  // @ts-expect-error the same in an array
  void (() => new Endpoint(() => Promise.resolve(), { name: "bare", schema: [Bare] }));
  // @ts-expect-error the same in a schema object
  void (() => new schema.All(Bare));
  // @ts-expect-error a Date is no pk
  void (() => normalize(Strange, {}));
  class Odd extends Entity {
    // @ts-expect-error an object is no pk
    pk() {
      return {};
    }
  }
  // If types are ignored, it is a record without a pk like any other: not saved yet.
  assertEquals(normalize(Bare as never, { slug: "x" }).result, { slug: "x" });
  assertEquals(Odd.name, "Odd");
});

Deno.test("private and protected constructors, generic and abstract classes, mixins are schemas", () => {
  class Sealed extends Entity {
    id = "";
    private constructor() {
      super();
    }
    pk() {
      return this.id;
    }
    static key = "Sealed";
  }
  class Guarded extends Entity {
    id = "";
    protected constructor() {
      super();
    }
    static key = "Guarded";
  }
  class Box<T> extends Entity {
    id = "";
    content: T | undefined = undefined;
    static key = "Box";
  }
  abstract class Base extends Entity {
    id = "";
    abstract readonly kind: string;
    pk() {
      return this.id;
    }
    static key = "Base";
  }
  const Stamped = <C extends new () => Entity>(base: C) =>
    class extends (base as new () => Entity) {
      stampedAt = new Date(0);
      pk() {
        return "1";
      }
    };
  class Letter extends Stamped(User) {
    static key = "Letter";
  }
  const list: readonly AnyEntity[] = [Sealed, Guarded, Box<string>, Base, Letter];
  const declared = { sealed: Sealed, guarded: [Guarded], box: Box<number>, base: Base, letter: Letter };
  const endpoint = new Endpoint(() => Promise.resolve(), { name: "all", schema: declared });
  same<typeof endpoint["~types"]["data"]["sealed"], Sealed | undefined>();
  same<typeof endpoint["~types"]["data"]["guarded"], Guarded[]>();
  // The type of a generic class's prototype has no type arguments.
  same<NonNullable<typeof endpoint["~types"]["data"]["box"]>["id"], string>();
  same<NonNullable<typeof endpoint["~types"]["data"]["base"]>["kind"], string>();
  same<NonNullable<typeof endpoint["~types"]["data"]["letter"]>["stampedAt"], Date>();
  same<ReturnType<typeof Sealed.fromJS<Sealed>>, Sealed>();
  assertEquals(list.map(({ key }) => key), ["Sealed", "Guarded", "Box", "Base", "Letter"]);
});

Deno.test("a class may mention itself in its static schema, through every schema of this issue", () => {
  class Comment extends Entity {
    id = "";
    parent: Comment | undefined = undefined;
    replies: Comment[] = [];
    deep: { best: Comment | undefined; all: Comment[] } = { best: undefined, all: [] };
    static key = "Comment";
    static schema = {
      parent: Comment,
      replies: [Comment],
      deep: { best: Comment, all: [Comment] },
      all: new schema.All(Comment),
      gone: new schema.Invalidate(Comment),
      top: new Query(new schema.All(Comment), (all) => all.slice(0, 3)),
      list: new schema.Array(Comment),
      lists: new schema.Array({ comment: Comment, user: User }, "type"),
      byName: new schema.Values(Comment),
      about: new schema.Union({ comment: Comment, user: User }, "type"),
      byKind: new schema.Union({ comment: Comment }, (value: { kind: string }) => value.kind),
      everything: new schema.All({ comment: Comment, user: User }, "type"),
      page: new schema.Object({ best: Comment, next: "", more: new schema.Array(Comment) }),
      removed: new schema.Invalidate([Comment]),
    };
  }
  same<Comment["replies"], Comment[]>();
  const { entities } = normalize(Comment, { id: "1", replies: [{ id: "2", parent: "1" }] });
  assertEquals(Object.keys(entities.Comment!), ["1", "2"]);
});

Deno.test("what is no schema does not compile", () => {
  class NotEntity {
    id = "";
  }
  // @ts-expect-error a class that is no entity
  void (() => normalize(NotEntity, {}));
  // @ts-expect-error the same in an array
  void (() => normalize([NotEntity], []));
  // @ts-expect-error the same in an object
  void (() => normalize({ user: NotEntity }, {}));
  // @ts-expect-error a class that cannot be called
  void (() => normalize({ link: URL }, {}));
  // @ts-expect-error a literal is a schema as a member only
  void (() => normalize("User", {}));
  // @ts-expect-error an instance is no schema
  void (() => normalize(new NotEntity(), {}));
  // @ts-expect-error the same for All
  void (() => new schema.All(NotEntity));
  // @ts-expect-error the same for Invalidate
  void (() => new schema.Invalidate(NotEntity));
  // @ts-expect-error the same for Query
  void (() => new Query(NotEntity));
  // @ts-expect-error an endpoint is no schema
  void (() => new schema.Collection([new Endpoint(() => Promise.resolve(), { name: "users", schema: User })]));
  // @ts-expect-error Class static side incorrectly extends: its schema is no schema
  class Wrong extends Entity {
    pk() {
      return "1";
    }
    static key = "Wrong";
    static schema = { link: NotEntity };
  }
  const link: Schema = { user: User, users: [User], at: Date, n: Number, next: "", all: new schema.All(User) };
  assertEquals([Wrong.key, Object.keys(link).length], ["Wrong", 6]);
});

Deno.test("fromJS knows the members: no methods, nothing unknown, undefined allowed", () => {
  class Film extends Entity {
    id = "";
    votes = 0;
    at = new Date(0);
    author = User.fromJS();
    label(): string {
      return "";
    }
    static key = "Film";
  }
  const maybe: string | undefined = undefined;
  const film = Film.fromJS({ id: maybe, votes: 1, at: "2026-01-01", author: { id: "5" } });
  same<typeof film, Film>();
  same<typeof film.votes, number>();
  // @ts-expect-error votes is a number
  void (() => Film.fromJS({ votes: "1" }));
  // @ts-expect-error there is no titel
  void (() => Film.fromJS({ titel: "" }));
  // @ts-expect-error methods are no members
  void (() => Film.fromJS({ label: () => "" }));
  assertEquals([film.votes, film.id], [1, ""]);
});

Deno.test("an unannotated process infers its arguments from its defaults", () => {
  const newest = new Query(
    new schema.All(User),
    (all, { max = 5, name = "" } = {}) => all.filter((user) => user.name >= name).slice(0, max),
  );
  same<Parameters<typeof newest.key>, [({ max?: number | undefined; name?: string | undefined } | undefined)?]>();
  same<typeof newest["~types"]["data"], User[]>();
  same<typeof newest["~types"]["nullable"], User[] | undefined>();
  const counted = new Query(new schema.All(User), (all, min: number, label?: string) => `${label}${all.length + min}`);
  same<Parameters<typeof counted.key>, [min: number, label?: string | undefined]>();
  same<typeof counted["~types"]["data"], string>();
  const plain = new Query(new schema.All(User));
  same<typeof plain["~types"]["data"], User[]>();
  same<typeof plain["~types"]["args"], readonly []>();
  const byId = new Query(User, (user) => user.name);
  same<typeof byId["~types"]["data"], string>();
  const controller = new Controller();
  controller.set(User, "1", { id: "1", name: "Ann" });
  assertEquals(controller.get(newest, { max: 3 })!.length, 1);
  assertEquals(controller.get(counted, 1, "n"), "n2");
  assertEquals(controller.get(byId, { id: "1" }), "Ann");
  // @ts-expect-error max is a number
  void (() => controller.get(newest, { max: "3" }));
  // @ts-expect-error there is no maximum
  void (() => controller.get(newest, { maximum: 3 }));
  // @ts-expect-error min is missing
  void (() => controller.get(counted));
  // @ts-expect-error one argument too many
  void (() => controller.get(plain, 1));
  // @ts-expect-error it may be undefined
  void (() => controller.get(newest).length);
});

Deno.test("what may be missing must be handled", () => {
  const controller = new Controller();
  const page = new Endpoint(() => Promise.resolve(), {
    name: "page",
    schema: { results: [User], best: User, next: "" },
  });
  // @ts-expect-error the record may not be there
  void (() => controller.get(User, "1").name);
  // @ts-expect-error the page may not be in the store
  void (() => controller.getResponse(page).data.results);
  // @ts-expect-error best may be missing in the response
  void (() => controller.getResponse(page).data!.best.name);
  // @ts-expect-error the arguments must name the record
  void (() => controller.get(User));
  // @ts-expect-error there is no login
  void (() => controller.get(User, { login: "a" }));
  const data = controller.getResponse(page).data;
  const names: string[] = data?.results.map(({ name }) => name) ?? [];
  assertEquals([names, controller.get(User, null), controller.get(User, 1)], [[], undefined, undefined]);
});

Deno.test("a custom schema declares its types, and they are what readers get", () => {
  interface PagedTypes<E extends AnyEntity> extends SchemaTypes {
    readonly data: { items: E["prototype"][]; total: number };
    readonly nullable: { items: E["prototype"][]; total: number } | undefined;
    readonly normalized: { pks: string[]; total: number };
    readonly args: readonly [];
  }
  class Paged<E extends AnyEntity> implements SchemaObject {
    declare readonly "~types": PagedTypes<E>;
    constructor(readonly entity: E) {}
    normalize(value: unknown, parent: unknown, key: string | undefined, walk: SchemaWalk): unknown {
      const rows = value as unknown[];
      return { pks: walk.visit([this.entity], rows, parent, key), total: rows.length };
    }
    denormalize(kept: { pks: string[]; total: number }, reading: SchemaReading): unknown {
      return { items: reading.shape([this.entity], kept.pks), total: kept.total };
    }
  }
  const users = new Endpoint(() => Promise.resolve(), { name: "users", schema: { page: new Paged(User) } });
  same<typeof users["~types"]["data"], { page: { items: User[]; total: number } }>();
  const controller = new Controller();
  controller.setResponse(users, { page: [{ id: "1" }] });
  const { page } = controller.getResponse(users).data!;
  same<typeof page, { items: User[]; total: number } | undefined>();
  assertStrictEquals(page!.items[0], controller.get(User, "1"));
});
