/** Callbacks in options know the arguments of their endpoint: `deno check` is the test. */
import { assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, type PathValue, resource, RestEndpoint, typed } from "@rejoin/data";
import { same } from "../support/same.ts";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}
const base = resource({ path: "/articles/:id", schema: Article, body: typed<{ title: string; tags?: string[] }>() });

Deno.test("functions in extend of a resource know the arguments of their member", () => {
  const extended = base.extend({
    partialUpdate: {
      getOptimisticResponse: (_snapshot, { id }, body) => {
        same<typeof id, PathValue>();
        same<typeof body, Partial<{ title: string; tags?: string[] }>>();
        return { id, ...body };
      },
      expires: ([{ id }]) => {
        same<typeof id, PathValue>();
        return [base.getList];
      },
    },
    get: { process: (value: { id: string }, { id }) => ({ ...value, id, size: 5 }) },
    getList: { searchParams: typed<{ tag: string }>(), key: ({ tag }) => `list ${tag.length}` },
  });
  same<Awaited<ReturnType<typeof extended.get>>["size"], number>();
  same<typeof extended.get["~types"]["data"], Article>();
  same<Parameters<typeof extended.getList>, [params: { tag: string }]>();
  same<typeof extended.update, typeof base.update>();
  same<Parameters<typeof extended.partialUpdate>, Parameters<typeof base.partialUpdate>>();
  const one = base.extend("publish", {
    path: "/articles/:slug/publish",
    method: "POST",
    body: undefined,
    // A path parameter names a record of the snapshot.
    getOptimisticResponse: (snapshot, { slug }) => ({
      id: slug,
      title: `${snapshot.get(Article, { id: slug })?.title}!`,
    }),
    process: (value: { article: { id: string } }, { slug }) => ({ ...value.article, slug }),
  });
  same<Parameters<typeof one.publish>, [params: { slug: PathValue }]>();
  same<Awaited<ReturnType<typeof one.publish>>, { slug: PathValue; id: string }>();
  const made = base.extend(({ get }) => ({ get: get.extend({ dataExpiryLength: 5 }), limit: 3 }));
  same<typeof made.limit, number>();
  // @ts-expect-error the path of this member has no slug
  void (() => base.extend({ get: { process: (value, { slug }) => [value, slug] } }));
  // @ts-expect-error a body has no titel
  void (() => base.extend({ partialUpdate: { getOptimisticResponse: (_s, _params, { titel }) => titel } }));
  // @ts-expect-error there is no member getOne
  void (() => base.extend({ getOne: { path: "/x" } }));
  assertEquals(extended.get.path, "/articles/:id");
});

Deno.test("functions in extend of an endpoint know the arguments that it then has", () => {
  const publish = base.partialUpdate.extend({
    path: "/articles/:slug/publish",
    body: typed<{ at: string }>(),
    getOptimisticResponse: (snapshot, { slug }, { at }) => {
      same<typeof at, string>();
      same<ReturnType<typeof snapshot.get<typeof Article>>, Article | undefined>();
      if (snapshot.get(Article, `${slug}`) === undefined) throw snapshot.abort;
      return { id: slug, at };
    },
    process: (_value, { slug }, { at }) => ({ slug, at }),
  });
  same<Parameters<typeof publish>, [params: { slug: PathValue }, body: { at: string }]>();
  same<Awaited<ReturnType<typeof publish>>["at"], string>();
  const same_ = base.partialUpdate.extend({ getOptimisticResponse: (_snapshot, { id }, { title }) => ({ id, title }) });
  same<typeof same_, typeof base.partialUpdate>();
  const created = new RestEndpoint({
    path: "/articles/:id",
    method: "PUT",
    body: typed<{ title: string }>(),
    schema: Article,
    getOptimisticResponse: (_snapshot, { id }, { title }) => ({ id, title }),
    expires: ([{ id }, { title }], reply) => {
      same<typeof reply, unknown>();
      return [base.getList.extend({ path: `/x/${id}/${title}` })];
    },
  });
  same<typeof created["~types"]["data"], Article>();
  // @ts-expect-error there is no slug
  void (() => base.get.extend({ process: (value, { slug }) => [value, slug] }));
  const add = new Endpoint(async (a: number, b: number) => await Promise.resolve(a + b), {
    name: "add",
    sideEffect: true,
    getOptimisticResponse: (_snapshot, a, b) => a + b,
    expires: ([a], sum) => {
      same<[typeof a, typeof sum], [number, number]>();
      return [];
    },
  });
  const added = add.extend({ getOptimisticResponse: (_snapshot, a, b) => a * b });
  same<typeof added["sideEffect"], true>();
  same<Parameters<typeof added>, [a: number, b: number]>();
  void new Controller();
  assertEquals(publish.path, "/articles/:slug/publish");
});
