/** The sections "Entity" and "Schema forms" of the declared interface. */
import { assert, assertEquals, assertInstanceOf, assertStrictEquals } from "@std/assert";
import { Controller, createResource, Entity, normalize, RestEndpoint, schema, validateRequired } from "@rejoin/data";
import { serve } from "../support/api.ts";

class User extends Entity {
  id = "";
  name = "";
  override pk() {
    return this.id;
  }
  static override key = "User";
}
class Post extends Entity {
  id = "";
  title = "";
  author: User | undefined = undefined;
  likes: User[] = [];
  at = new Date(0);
  override pk() {
    return this.id;
  }
  static override key = "Post";
  static override schema = { author: User, likes: [User], at: Date };
}
const post = {
  id: "1",
  title: "Hello",
  author: { id: "a", name: "Ann" },
  likes: [{ id: "b", name: "Bo" }],
  at: "2026-01-02T00:00:00.000Z",
};

Deno.test("Entity: members that are absent have their defaults", async () => {
  await using api = serve(() => ({ id: "1", title: "Hello" }));
  const R = createResource({ urlPrefix: api.urlPrefix, path: "/posts/:id", schema: Post });
  using controller = new Controller();
  const { title, author, likes, at } = await controller.fetch(R.get, { id: "1" });
  assertEquals([title, author, likes, at], ["Hello", undefined, [], new Date(0)]);
});
Deno.test("Entity: pk() names the record; a record that is not saved yet is in no table", () => {
  assertEquals(Object.keys(normalize(Post, post).entities.Post!), ["1"]);
  class Draft extends Entity {
    id: string | undefined = undefined;
    override pk() {
      return this.id;
    }
    static override key = "Draft";
  }
  assertEquals(normalize([Draft], [{ text: "x" }, { id: "1" }]).entities, { Draft: { 1: { id: "1" } } });
});
Deno.test("Entity: static schema hoists nested entities, arrays of them, and dates", async () => {
  await using api = serve(() => post);
  const R = createResource({ urlPrefix: api.urlPrefix, path: "/posts/:id", schema: Post });
  using controller = new Controller();
  const { author, likes, at } = await controller.fetch(R.get, { id: "1" });
  assertStrictEquals(author, controller.get(User, { id: "a" }));
  assertStrictEquals(likes[0], controller.get(User, { id: "b" }));
  assertInstanceOf(at, Date);
  assertEquals(at.toISOString(), post.at);
});
Deno.test("Entity: rule 1: one instance wherever a record is referenced", async () => {
  await using api = serve(({ path }) => path === "/posts" ? [post, { ...post, id: "2" }] : { id: "a", name: "Anna" });
  const R = createResource({ urlPrefix: api.urlPrefix, path: "/posts/:id", schema: Post });
  const getUser = new RestEndpoint({ urlPrefix: api.urlPrefix, path: "/users/:id", schema: User });
  using controller = new Controller();
  const [one, two] = await controller.fetch(R.getList);
  assertStrictEquals(one?.author, two?.author);
  const user = await controller.fetch(getUser, { id: "a" });
  const now = controller.getResponse(R.getList).data!;
  assertStrictEquals(now[0]?.author, user);
  assertStrictEquals(now[1]?.author, user);
});
Deno.test("Entity: rule 2: circular references by assigning static schema afterwards; spread keeps what was there", () => {
  class Parent extends Entity {
    id = "";
    child: Child | undefined = undefined;
    friend: User | undefined = undefined;
    static override key = "Parent";
    static override schema: typeof Entity.schema = { friend: User };
  }
  class Child extends Entity {
    id = "";
    parent: Parent | undefined = undefined;
    static override key = "Child";
    static override schema: typeof Entity.schema = { parent: Parent };
  }
  Parent.schema = { ...Parent.schema, child: Child };
  const controller = new Controller();
  const value = { id: "1", friend: { id: "u", name: "x" }, child: { id: "2", parent: "1" } };
  // deno-lint-ignore no-explicit-any -- plain data
  controller.set(Parent, { id: "1" }, value as any);
  const parent = controller.get(Parent, { id: "1" })!;
  assertStrictEquals(parent.child?.parent, parent);
  assertEquals(parent.friend?.name, "x");
});
Deno.test("Entity: rules 3, 4: summary and detail share a key; validate with validateRequired makes a detail be fetched", async () => {
  await using api = serve(({ path }) =>
    path === "/films" ? [{ id: "1", title: "Alien" }] : { id: "1", title: "Alien", meta: { id: "m", views: 5 } }
  );
  class Meta extends Entity {
    id = "";
    views = 0;
    static override key = "Meta";
  }
  class Summary extends Entity {
    id = "";
    title = "";
    override pk() {
      return this.id;
    }
    static override key = "Film";
  }
  class Detail extends Summary {
    meta: Meta | undefined = undefined;
    static override schema = { meta: Meta };
    static override validate(record: Record<string, unknown>) {
      return validateRequired(record, this.defaults) || super.validate(record);
    }
  }
  const base = createResource({ urlPrefix: api.urlPrefix, path: "/films/:id", schema: Detail });
  const R = { ...base, getList: base.getList.extend({ schema: [Summary] }) };
  using controller = new Controller();
  const [summary] = await controller.fetch(R.getList);
  assertEquals(summary?.title, "Alien");
  assertEquals(controller.getResponse(R.get, { id: "1" }).data, undefined, "a summary does not satisfy a detail read");
  const detail = await controller.fetchIfStale(R.get, { id: "1" });
  assertEquals([detail.meta?.views, api.lines()], [5, ["GET /films", "GET /films/1"]]);
  assertStrictEquals(detail.meta, controller.get(Meta, "m"));
  assertEquals(controller.getResponse(R.getList).data?.[0]?.title, "Alien");
});
Deno.test("Entity: pk() that gives `${this.id}` of a record without id names none", async () => {
  class Todo extends Entity {
    id: number | undefined = undefined;
    title = "";
    static override key = "Todo";
    override pk() {
      return `${this.id}`;
    }
  }
  await using api = serve(({ method }) => method === "GET" ? [{ id: 1, title: "x" }] : { message: "saved" });
  const R = createResource({ urlPrefix: api.urlPrefix, path: "/todos/:id", schema: Todo });
  using controller = new Controller();
  await controller.fetch(R.getList);
  await controller.fetch(R.partialUpdate, { id: 1 }, { title: "new" });
  assertEquals([controller.get(Todo, 1)?.title, controller.get(Todo, "undefined")], ["new", undefined]);
});
Deno.test("Entity: rule 5: process records the parent's pk, merge concatenates", () => {
  class Tag extends Entity {
    id = "";
    posts: string[] = [];
    override pk() {
      return this.id;
    }
    static override key = "Tag";
    // deno-lint-ignore no-explicit-any -- plain data
    static override process(value: any, parent: any, key: any) {
      return { ...value, posts: [key + parent.id] };
    }
    // deno-lint-ignore no-explicit-any -- plain data
    static override merge(existing: any, incoming: any) {
      return { ...existing, ...incoming, posts: [...existing.posts, ...incoming.posts] };
    }
  }
  class Tagged extends Entity {
    id = "";
    tags: Tag[] = [];
    override pk() {
      return this.id;
    }
    static override key = "Tagged";
    static override schema = { tags: [Tag] };
  }
  const { entities } = normalize([Tagged], [{ id: "1", tags: [{ id: "t" }] }, { id: "2", tags: [{ id: "t" }] }]);
  assertEquals(entities.Tag, { t: { id: "t", posts: ["tags1", "tags2"] } });
});
Deno.test("Entity: fromJS builds an instance from plain members; without them all are defaults", () => {
  const user = User.fromJS({ id: "1" });
  assertInstanceOf(user, User);
  assertEquals([user.id, user.name, User.fromJS().id], ["1", "", ""]);
});
Deno.test("Schema forms: an object; members that are absent read as their defaults", async () => {
  await using api = serve(() => ({ results: [{ id: "1", name: "Ann" }] }));
  const getUsers = new RestEndpoint({
    urlPrefix: api.urlPrefix,
    path: "/users",
    schema: { results: [User], nextPage: "", prevPage: "" },
  });
  using controller = new Controller();
  const { results, nextPage, prevPage } = await controller.fetch(getUsers);
  assertEquals([results[0] instanceof User, nextPage, prevPage], [true, "", ""]);
});
Deno.test("Schema forms: Invalidate marks the referenced entity as deleted", async () => {
  await using api = serve(({ method }) =>
    method === "POST" ? { id: "1" } : [{ id: "1", name: "Ann" }, { id: "2", name: "Bo" }]
  );
  const { urlPrefix } = api;
  const getUsers = new RestEndpoint({ urlPrefix, path: "/users", schema: [User] });
  const ban = new RestEndpoint({
    urlPrefix,
    path: "/users/:id/ban",
    method: "POST",
    schema: new schema.Invalidate(User),
  });
  using controller = new Controller();
  await controller.fetch(getUsers);
  await controller.fetch(ban, { id: "1" });
  assertEquals(controller.get(User, { id: "1" }), undefined);
  assertEquals(controller.getResponse(getUsers).data?.map(({ id }) => id), ["2"]);
  assert(controller.get(User, { id: "2" }));
});
