/** The types of declared orders, joins, relations and collections: `deno check` is the test. */
import { assertEquals } from "@std/assert";
import { Controller, type Denormalize, Entity, Query, schema, Sorter } from "@rejoin/data";
import { same } from "../support/same.ts";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
  static issues = new schema.HasMany(() => Issue, "author");
  static badge = new schema.HasOne(() => Badge, "userId");
}
class Issue extends Entity {
  id = "";
  votes = 0;
  author = User.fromJS();
  related: string[] = [];
  static key = "Issue";
  static schema = { author: User, related: new schema.Lazy([User]) };
}
class Badge extends Entity {
  id = "";
  userId = "";
  static key = "Badge";
}

const all = new schema.All(Issue);
const controller = new Controller();

Deno.test("a declared order takes the arguments of whichever function takes most, and gives the entries", () => {
  const top = new Query(all, {
    Sorter,
    filter: (row) => row.votes > 1,
    sort: (a, b) => a.votes - b.votes,
    limit: (n: number) => n,
  });
  const some = new Query(all, {
    Sorter,
    filter: (row, { min }: { min: number; max?: number }) => row.votes > min,
    limit: ({ max = 5 }: { min: number; max?: number }) => max,
  });
  const plain = new Query(all, { Sorter, sort: (a, b) => a.votes - b.votes, limit: 3 });
  const perhaps = new Query(all, { Sorter, filter: (row, min?: number) => row.votes > (min ?? 0) });
  same<Denormalize<typeof top>, Issue[]>();
  same<(typeof top)["~types"]["args"], [n: number]>();
  assertEquals(
    [
      controller.get(top, 5),
      controller.get(some, { min: 1 }),
      controller.get(plain),
      controller.get(perhaps),
      controller.get(perhaps, 4),
    ],
    [undefined, undefined, undefined, undefined, undefined],
  );
  // @ts-expect-error the argument is a number
  controller.get(top, "x");
  // @ts-expect-error min is missing
  controller.get(some, {});
  // @ts-expect-error an issue has no such member
  new Query(all, { Sorter, sort: (a, b) => a.nothing - b.nothing });
  // @ts-expect-error filtre is no option of an order
  new Query(all, { filtre: () => true });
});

Deno.test("a query of a collection takes the arguments of the collection, and gives its items", () => {
  const list = new schema.Collection([Issue]);
  const sorted = new Query(list, { Sorter, sort: (a, b) => a.votes - b.votes });
  same<Denormalize<typeof sorted>, Issue[]>();
  same<Denormalize<typeof list>, Issue[]>();
  same<Denormalize<typeof list.push>, Issue>();
  assertEquals(controller.get(sorted, { author: "1" }), undefined);
  // @ts-expect-error arguments are an object
  assertEquals(controller.get(list, 5), undefined);
});

Deno.test("a join gives members that may be missing", () => {
  const join = new Query({ user: User, all }, ({ user, all }, _args: { id: string }) => {
    same<typeof user, User | undefined>();
    same<typeof all, Issue[] | undefined>();
    // @ts-expect-error the user may be missing
    const name = () => user.name;
    return [typeof name, all?.length];
  });
  void (() => controller.get(join, { id: "1" }));
  assertEquals(typeof join.key, "function");
});

Deno.test("a relation knows its member, what it is asked with, and what it gives", () => {
  same<Denormalize<typeof User.issues>, Issue[]>();
  same<Denormalize<typeof User.badge>, Badge>();
  assertEquals(controller.get(User.issues, new User()), undefined);
  assertEquals(controller.get(User.issues, "1"), undefined);
  assertEquals(controller.get(User.badge, "1"), undefined);
  // @ts-expect-error an issue has no such member
  new schema.HasMany(Issue, "writer");
  // @ts-expect-error a method is no member
  new schema.HasMany(Issue, "pk");
  // @ts-expect-error a user has no such member
  const wrong = () => controller.get(User.issues, { nothing: 1 });
  assertEquals(typeof wrong, "function");
});

Deno.test("a lazy member gives keys, and its query what they name", () => {
  same<Denormalize<typeof Issue.schema.related>, string[]>();
  same<Denormalize<typeof Issue.schema.related.query>, User[]>();
});
