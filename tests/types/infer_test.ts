/** The types that schemas read, store and accept, in all nestings: `deno check` is the test. */
import { assertEquals } from "@std/assert";
import {
  type Denormalize,
  denormalize,
  type DenormalizeNullable,
  Entity,
  type EntityArgs,
  type EntityInput,
  type Normalize,
  normalize,
  type NullableArgs,
  Query,
  schema,
  type SchemaArgs,
} from "@rejoin/data";
import { same } from "../support/same.ts";

class User extends Entity {
  id = "";
  age = 0;
  hello(): string {
    return "hello";
  }
  static key = "User";
}
class Post extends Entity {
  id = 0;
  author = User.fromJS();
  at = new Date(0);
  tags: string[] = [];
  place: [x: number, y: number] = [0, 0];
  last = { at: new Date(0), by: User.fromJS() };
  readers: User[] = [];
  static key = "Post";
  static schema = { author: User, at: Date, readers: [User], last: { at: Date, by: User } };
}

const all = new schema.All(User);
const gone = new schema.Invalidate(User);
const counted = new Query(all, (users, _min: number) => users.length);
const page = {
  results: [Post],
  best: User,
  next: "",
  total: 0,
  more: false,
  cursor: "" as string | null,
  at: Date,
  size: Number,
  price: (value: string) => ({ value }),
  nested: { users: [User], rows: [{ user: User, days: [Date], note: "" }] },
  all,
  counted,
} as const;
type Page = typeof page;

Deno.test("Denormalize is what a read gives when everything is there", () => {
  same<Denormalize<typeof User>, User>();
  same<Denormalize<(typeof User)[]>, User[]>();
  same<Denormalize<readonly [typeof User]>, User[]>();
  same<Denormalize<(typeof User)[][]>, User[][]>();
  same<Denormalize<typeof Date>, Date>();
  same<Denormalize<typeof Number>, number>();
  same<Denormalize<(value: string) => URL>, URL>();
  same<Denormalize<typeof all>, User[]>();
  same<Denormalize<typeof gone>, string>();
  same<Denormalize<typeof counted>, number>();
  same<Denormalize<Page>, {
    results: Post[];
    best: User | undefined;
    next: string;
    total: number;
    more: boolean;
    cursor: string | null;
    at: Date;
    size: number;
    price: { value: string };
    nested: { users: User[]; rows: { user: User | undefined; days: Date[]; note: string }[] };
    all: User[];
    counted: number;
  }>();
});

Deno.test("DenormalizeNullable is what a read gives when there may be nothing, or parts may be missing", () => {
  same<DenormalizeNullable<typeof User>, User | undefined>();
  same<DenormalizeNullable<(typeof User)[]>, User[] | undefined>();
  same<DenormalizeNullable<typeof Date>, Date | undefined>();
  same<DenormalizeNullable<typeof all>, User[] | undefined>();
  same<DenormalizeNullable<typeof gone>, string | undefined>();
  same<DenormalizeNullable<typeof counted>, number | undefined>();
  same<
    DenormalizeNullable<Page>,
    {
      results: Post[];
      best: User | undefined;
      next: string;
      total: number;
      more: boolean;
      cursor: string | null;
      at: Date | undefined;
      size: number | undefined;
      price: { value: string } | undefined;
      nested: { users: User[]; rows: { user: User | undefined; days: Date[]; note: string }[] };
      all: User[] | undefined;
      counted: number | undefined;
    } | undefined
  >();
});

Deno.test("Normalize is what is kept: pks in the original shape", () => {
  same<Normalize<typeof User>, string>();
  same<Normalize<(typeof User)[]>, string[]>();
  same<Normalize<typeof gone>, string>();
  same<Normalize<{ users: (typeof User)[]; next: ""; nested: { user: typeof User } }>, {
    users: string[];
    next: string;
    nested: { user: string };
  }>();
});

Deno.test("SchemaArgs is what names something without a response", () => {
  same<SchemaArgs<typeof User>, [args: EntityArgs<User>]>();
  same<SchemaArgs<typeof all>, readonly []>();
  same<SchemaArgs<typeof counted>, [min: number]>();
  same<SchemaArgs<{ user: typeof User; all: typeof all }>, [args: EntityArgs<User>] | readonly []>();
  const args: EntityArgs<Post>[] = [1, "1", 1n, { id: 1 }, { id: "1" }, { tags: ["a"] }, {}];
  // @ts-expect-error methods cannot name a record
  const method: EntityArgs<User> = { hello: () => "" };
  // @ts-expect-error a member of another type
  const wrong: EntityArgs<Post> = { tags: "a" };
  same<NullableArgs<[a: number, b?: string]>, [a: number | null, b?: string | null]>();
  same<NullableArgs<[]>, [inactive?: null]>();
  assertEquals([args.length, typeof method, typeof wrong], [7, "object", "object"]);
});

Deno.test("EntityInput is what a body may hold", () => {
  const inputs: EntityInput<Post>[] = [
    { author: { id: "1" }, at: "2026-01-01", readers: [{ id: "1" }, "2", 3] },
    { author: "1", at: new Date(0), readers: [User.fromJS({ id: "1" })], tags: undefined },
    { last: { at: "2026-01-01", by: "1" }, place: [1, 2] },
  ];
  // @ts-expect-error a place has two numbers
  void ({ place: [1, 2, 3] } satisfies EntityInput<Post>);
  // @ts-expect-error a number is no date
  const date: EntityInput<Post> = { at: true };
  // @ts-expect-error there is no autor
  const typo: EntityInput<Post> = { autor: "1" };
  // @ts-expect-error tags are texts
  const tags: EntityInput<Post> = { tags: [1] };
  assertEquals([inputs.length, typeof date, typeof typo, typeof tags], [3, "object", "object", "object"]);
});

Deno.test("normalize and denormalize keep the types without as const", () => {
  const { result, entities } = normalize({ posts: [Post], next: "" }, {
    posts: [{ id: 1, author: { id: "1" } }],
    next: "n",
  });
  same<typeof result, { posts: string[]; next: string }>();
  const read = denormalize({ posts: [Post], next: "" }, result, entities);
  same<typeof read, { posts: Post[]; next: string } | undefined>();
  assertEquals([result.posts, read?.posts[0]?.author.id, read?.next], [["1"], "1", "n"]);
  const one = denormalize(User, "1", entities);
  same<typeof one, User | undefined>();
  // @ts-expect-error it may be undefined
  void (() => one.age);
});
