/** What compiles if the entity class or the path is a type parameter or a union: `deno check` is the test. */
import { assertEquals } from "@std/assert";
import {
  type AnyEntity,
  Controller,
  createResource,
  Entity,
  type EntityInstance,
  keyOf,
  type Pk,
  resource,
  RestEndpoint,
  schema,
} from "@rejoin/data";

class Post extends Entity {
  id = "";
  type = "post";
  title = "";
  static key = "Post";
}
class Link extends Entity {
  id = 0;
  type = "link";
  url = "";
  static key = "Link";
}

Deno.test("13.E5 helpers whose entity class is a type parameter compile, and give what it gives", () => {
  const make = <S extends typeof Entity>(schema: S) => createResource({ path: "/x/:id", schema });
  const makeAny = <S extends AnyEntity, const N extends string>(schema: S, name: N) =>
    resource({ path: `/${name}/:id` as const, schema });
  const makeAt = <const P extends string, S extends typeof Entity>(path: P, schema: S) =>
    resource({ path, schema, optimistic: true });
  const makeOne = <const P extends string, S extends typeof Entity>(path: P, schema: S) =>
    new RestEndpoint({ path, schema }).extend({ dataExpiryLength: 5 });
  const wrap = <S extends typeof Entity>(entity: S) => {
    const base = resource({ path: "/x/:id", schema: entity });
    return { ...base, getList: base.getList.extend({ schema: { rows: new schema.Collection([entity]), total: 0 } }) };
  };
  const controller = new Controller();
  void (async () => {
    const a: Post = await controller.fetch(make(Post).get, { id: 5 });
    const b: Link[] = await controller.fetch(makeAny(Link, "links").getList, { page: 1 });
    const c: Post = await controller.fetch(makeAt("/posts/:id", Post).get, { id: 5 });
    const d: Post = await controller.fetch(makeOne("/posts/:id", Post), { id: 5 });
    const e: { rows: Post[]; total: number } = await controller.fetch(wrap(Post).getList);
    // @ts-expect-error the path has another parameter
    await controller.fetch(makeAt("/posts/:slug", Post).get, { id: 5 });
    return [a, b, c, d, e];
  });
  assertEquals(makeAny(Link, "links").getList.path satisfies "/links", "/links");
});

Deno.test("13.E5 a resource of a Union compiles, and gives one of its entities", () => {
  const item = new schema.Union({ post: Post, link: Link }, "type");
  const plain = createResource({ path: "/feed/:id", schema: item });
  const growing = resource({ path: "/feed/:id", schema: item });
  const controller = new Controller();
  void (async () => {
    const one: Post | Link = await controller.fetch(plain.get, { id: 5 });
    const all: (Post | Link)[] = await controller.fetch(growing.getList);
    await controller.fetch(plain.create, { type: "post", title: "x" });
    await controller.fetch(growing.getList.push, { type: "link", url: "/" });
    await controller.fetch(growing.delete, { id: 5 });
    // @ts-expect-error neither has a titel
    await controller.fetch(growing.create, { titel: "x" });
    return [one, all];
  });
  assertEquals(growing.getList.path, "/feed");
});

Deno.test("13.E5 pk() is called on one of several, on a type parameter, and on a base class", () => {
  abstract class Base extends Entity {
    created = "";
    get label() {
      return `${this.pk()}`;
    }
    own(): Pk {
      return this.pk();
    }
  }
  class Sub extends Base {
    slug = "";
    pk() {
      return this.slug;
    }
    static key = "Sub";
  }
  const pkOf = (entity: Post | Link) => entity.pk();
  const pkOfAny = <E extends Entity>(entity: E): Pk => {
    const instance: EntityInstance = entity;
    return keyOf(instance) === "" ? undefined : entity.pk();
  };
  const base: Base = Sub.fromJS({ slug: "a" });
  const pk: Pk = base.pk();
  const entities: AnyEntity[] = [Sub, Post, Link];
  assertEquals([pkOf(Link.fromJS({ id: 1 })), pkOfAny(Post.fromJS({ id: "2" })), pk, base.label, base.own()], [
    1,
    "2",
    "a",
    "a",
    "a",
  ]);
  assertEquals(entities.length, 3);
});
