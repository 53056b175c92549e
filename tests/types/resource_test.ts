/** What must compile, and what must not: `deno check` is the test. */
import { assertEquals } from "@std/assert";
import {
  type AnySearch,
  type CollectionResource,
  Controller,
  createResource,
  Entity,
  type EntityInput,
  hookifyResource,
  type PathValue,
  type Resource,
  resource,
  RestEndpoint,
  typed,
} from "@rejoin/data";
import {
  type DetailResource,
  explain,
  type ReadEndpoint,
  schema,
  StreamManager,
  type StreamSource,
} from "@rejoin/data";
import { same } from "../support/same.ts";

class User extends Entity {
  id = "";
  username = "";
  static key = "User";
}
class Article extends Entity {
  id = "";
  title = "";
  author = User.fromJS();
  createdAt = new Date(0);
  tags: string[] = [];
  static key = "Article";
  static schema = { author: User, createdAt: Date };
  // A resource of the class, as a static member of the class itself.
  static resource = createResource({ path: "/articles/:id", schema: Article });
}

const ArticleResource = createResource({
  urlPrefix: "https://api.example.com",
  path: "/articles/:id",
  schema: Article,
});

Deno.test("a resource is typed by path, schema, search parameters and body", () => {
  same<
    typeof ArticleResource,
    Resource<"/articles/:id", typeof Article, AnySearch | undefined, EntityInput<Article>>
  >();
  same<typeof Article.resource, typeof ArticleResource>();
  const { get, getList, create, update, partialUpdate } = ArticleResource;
  same<Parameters<typeof get>, [params: { id: PathValue }]>();
  same<Parameters<typeof getList>, [params?: AnySearch]>();
  same<Parameters<typeof create>, [body: EntityInput<Article>] | [params: AnySearch, body: EntityInput<Article>]>();
  same<Parameters<typeof update>, [params: { id: PathValue }, body: EntityInput<Article>]>();
  same<Parameters<typeof partialUpdate>, [params: { id: PathValue }, body: Partial<EntityInput<Article>>]>();
  same<Parameters<typeof ArticleResource.delete>, [params: { id: PathValue }]>();
  same<typeof get["~types"]["data"], Article>();
  same<typeof getList["~types"]["data"], Article[]>();
  same<typeof create["~types"]["data"], Article>();
  same<typeof getList["path"], "/articles">();
  same<typeof getList["schema"], (typeof Article)[]>();
  same<typeof ArticleResource.delete["schema"], schema.Invalidate<typeof Article>>();
  const reads: ReadEndpoint[] = [get, getList];
  // @ts-expect-error update has side effects
  const mutation: ReadEndpoint = update;
  assertEquals([reads.length, mutation.sideEffect], [2, true]);
});

Deno.test("bodies are inputs of the entity; other mistakes in calls are in messages_test.ts", () => {
  // @ts-expect-error titel
  void (() => ArticleResource.create({ titel: "x" }));
  void (() => [
    ArticleResource.create({ title: "x", author: "5" }),
    ArticleResource.create({ draft: true }, { title: "x", createdAt: "2026-01-01" }),
    ArticleResource.partialUpdate({ id: 5n }, { tags: ["a"], title: undefined }),
    ArticleResource.getList({ tag: "x" }),
  ]);
});

Deno.test("13.B3 an entity names itself in the calls of its resource, its members do not", () => {
  const controller = new Controller();
  const article = Article.fromJS({ id: "5", title: "x" });
  void (() => [
    controller.fetch(ArticleResource.get, article),
    controller.fetch(ArticleResource.update, article, { title: "y" }),
    controller.fetch(ArticleResource.partialUpdate, article, { title: "y" }),
    controller.fetch(ArticleResource.delete, article),
    ArticleResource.partialUpdate(article, { title: "y" }),
  ]);
  // @ts-expect-error a member of the entity that is neither in the path nor in the search
  void (() => controller.fetch(ArticleResource.get, { id: "5", title: "x" }));
  // @ts-expect-error the same
  void (() => controller.fetch(ArticleResource.update, { id: "5", title: "x" }, { title: "y" }));
  // @ts-expect-error the same
  void (() => controller.fetch(ArticleResource.partialUpdate, { id: "5", title: "x" }, { title: "y" }));
  // @ts-expect-error the same
  void (() => controller.fetch(ArticleResource.delete, { id: "5", title: "x" }));
  // @ts-expect-error an article lacks the parameter of this path
  void (() => controller.fetch(createResource({ path: "/articles/:slug", schema: Article }).get, article));
  const searched = ArticleResource.get.extend({ searchParams: {} as { title?: string } });
  void (() => controller.fetch(searched, { id: "5", title: "x" }));
  assertEquals(article.id, "5");
});

Deno.test("what is no entity has no resource; other mistakes in declarations are in messages_test.ts", () => {
  class NotEntity {
    id = "";
  }
  // @ts-expect-error no entity
  void (() => createResource({ path: "/articles/:id", schema: NotEntity }));
});

Deno.test("search parameters and bodies are declared by a value of their type", () => {
  const strict = createResource({
    path: "/groups/:group/articles/:id",
    schema: Article,
    searchParams: {} as { page: number },
    body: {} as { title: string; tags?: string[] },
  });
  same<Parameters<typeof strict.getList>, [params: { group: PathValue; page: number }]>();
  same<Parameters<typeof strict.partialUpdate>[1], Partial<{ title: string; tags?: string[] }>>();
  // @ts-expect-error page is missing
  void (() => strict.getList({ group: 1 }));
  // @ts-expect-error title is missing
  void (() => strict.create({ group: 1, page: 1 }, { tags: [] }));
  void (() => strict.create({ group: 1, page: 1 }, { title: "x" }));
  const none = createResource({ path: "/articles/:id", schema: Article, searchParams: undefined, body: undefined });
  same<Parameters<typeof none.getList>, []>();
  same<Parameters<typeof none.create>, []>();
  same<Parameters<typeof none.update>, [params: { id: PathValue }]>();
});

Deno.test("13.D3 typed() declares what a value of that type does", () => {
  interface Search {
    page?: number;
  }
  const searched = createResource({
    path: "/articles/:id",
    schema: Article,
    searchParams: typed<Search>(),
    body: typed<{ title: string }>(),
  });
  same<Parameters<typeof searched.getList>, [params?: Search]>();
  same<Parameters<typeof searched.update>[1], { title: string }>();
  const post = new RestEndpoint({ path: "/x", body: typed<{ a: number }>(), searchParams: typed<{ b: string }>() });
  same<Parameters<typeof post>, [params: { b: string }, body: { a: number }]>();
  assertEquals([post.method, searched.create.method], ["POST", "POST"]);
});

Deno.test("13.D3 an entity among the members of an object schema may be absent, the only member of one may not", () => {
  const get = ArticleResource.get.extend({ schema: { data: Article } });
  same<typeof get["~types"]["data"], { data: Article }>();
  const list = ArticleResource.getList.extend({ schema: [{ owner: User, score: 0, articles: [Article] }] });
  same<typeof list["~types"]["data"], { owner: User | undefined; score: number; articles: Article[] }[]>();
  const controller = new Controller();
  controller.setResponse(list, [{ score: 1, articles: [] }]);
  assertEquals(controller.getResponse(list).data?.[0]?.owner, undefined);
});

Deno.test("13.D3 a Date by schema is a Date by its field", () => {
  class Dated extends Entity {
    id = "";
    at: Date | undefined = undefined;
    until: Date | null = null;
    static key = "Dated";
    static schema = { at: Date, until: Date };
  }
  assertEquals(createResource({ path: "/x/:id", schema: Dated }).get.path, "/x/:id");
});

Deno.test("where text follows the last parameter there are no lists in the type", () => {
  const settings = createResource({ path: "/users/:id/settings", schema: User });
  same<typeof settings, DetailResource<"/users/:id/settings", typeof User, EntityInput<User>>>();
  void (() => settings.get({ id: 5 }));
});

Deno.test("members are replaced by spreading", () => {
  const replaced = {
    ...ArticleResource,
    get: ArticleResource.get.extend({ searchParams: {} as { full?: boolean } }),
    getList: ArticleResource.getList.extend({ schema: { results: [Article], cursor: "" } }),
  };
  same<Parameters<typeof replaced.get>, [params: { id: PathValue; full?: boolean }]>();
  same<typeof replaced.getList["~types"]["data"], { results: Article[]; cursor: string }>();
  same<Parameters<typeof replaced.update>, Parameters<typeof ArticleResource.update>>();
});

Deno.test("a type that is written out is enough", () => {
  const written: Resource<"/articles/:id", typeof Article> = ArticleResource;
  assertEquals(written.get.name, "Article.get");
  // Optional results of helpers are accepted, also with exactOptionalPropertyTypes.
  const maybe: string | undefined = undefined;
  const flag: boolean | undefined = undefined;
  const optional = createResource({
    path: "/articles/:id",
    schema: Article,
    urlPrefix: maybe,
    optimistic: flag,
    dataExpiryLength: undefined,
  });
  assertEquals(optional.get.url({ id: 5 }), "/articles/5");
});

const Grouped = resource({
  path: "/groups/:group/articles/:id",
  schema: Article,
  searchParams: {} as { tag?: string } | undefined,
  body: {} as { title: string; tags?: string[] },
});

Deno.test("a resource whose lists grow is typed alike, and its verbs by list, item and body", () => {
  same<
    typeof Grouped,
    CollectionResource<
      "/groups/:group/articles/:id",
      typeof Article,
      { tag?: string } | undefined,
      { title: string; tags?: string[] }
    >
  >();
  const { getList, create } = Grouped;
  same<typeof getList["~types"]["data"], Article[]>();
  same<typeof create["~types"]["data"], Article>();
  same<Parameters<typeof getList>, [params: { group: PathValue; tag?: string }]>();
  same<Parameters<typeof create>, Parameters<typeof getList.push>>();
  same<Parameters<typeof getList.push>[1], { title: string; tags?: string[] }>();
  same<Parameters<typeof getList.remove>[1], Partial<{ title: string; tags?: string[] }>>();
  same<Parameters<typeof getList.move>[0], { group: PathValue; id: PathValue }>();
  same<typeof getList.unshift["~types"]["data"], Article>();
  same<typeof getList.push["method"], "POST">();
  same<typeof getList.move["method"], "PATCH">();
  const read: ReadEndpoint = getList;
  // @ts-expect-error a verb has side effects
  const mutation: ReadEndpoint = getList.push;
  assertEquals([read.sideEffect, mutation.sideEffect], [undefined, true]);
});

Deno.test("verbs follow what the list is extended with", () => {
  const other = Grouped.getList.extend({ path: "/users/:user/articles", searchParams: {} as { q: string } });
  same<Parameters<typeof other.push>[0], { user: PathValue; q: string }>();
  const wrapped = Grouped.getList.extend({ schema: { results: new schema.Collection([User]), total: 0 } });
  same<typeof wrapped.push["~types"]["data"], User>();
  same<typeof wrapped["~types"]["data"], { results: User[]; total: number }>();
  const alone = new RestEndpoint({ path: "/x", schema: new schema.Collection([Article]) });
  same<Parameters<typeof alone.push>, [body: EntityInput<Article>] | [params: AnySearch, body: EntityInput<Article>]>();
  same<Parameters<typeof alone.assign>[1], { readonly [name: string]: EntityInput<Article> } | undefined>();
  // @ts-expect-error titel
  void (() => Grouped.getList.push({ group: 1 }, { titel: "x" }));
  // @ts-expect-error the group is missing
  void (() => Grouped.create({ title: "x" }));
  // @ts-expect-error without a Collection there is nothing to push to
  void (() => Grouped.getList.extend({ schema: [Article] }).push({ group: 1 }, { title: "x" }));
  // @ts-expect-error Did you mean nonFilterArgumentKeys?
  void (() => resource({ path: "/x/:id", schema: Article, nonFilterArgumentKey: ["x"] }));
});

Deno.test("13.D4 what holds a list is one option, and all else is typed by it", () => {
  const Wrapped = resource({
    path: "/groups/:group/articles/:id",
    schema: Article,
    searchParams: {} as { tag?: string } | undefined,
    paginationField: "cursor",
    list: (articles) => ({ data: { items: articles }, total: 0, next: "" as string | null }),
  });
  type Page = { data: { items: Article[] }; total: number; next: string | null };
  same<typeof Wrapped.getList["~types"]["data"], Page>();
  same<typeof Wrapped.getList.getPage["~types"]["data"], Page>();
  same<Parameters<typeof Wrapped.getList>, [params: { group: PathValue; tag?: string }]>();
  same<typeof Wrapped.create["~types"]["data"], Article>();
  same<typeof Wrapped.getList.push["~types"]["data"], Article>();
  same<Parameters<typeof Wrapped.create>, Parameters<typeof Wrapped.getList.push>>();
  same<typeof Wrapped.get["~types"]["data"], Article>();
  const Plain = createResource({ path: "/articles/:id", schema: Article, list: (articles) => ({ results: articles }) });
  same<typeof Plain.getList["~types"]["data"], { results: Article[] }>();
  same<typeof Plain.create["~types"]["data"], Article>();
  const hooks = hookifyResource(Wrapped);
  same<ReturnType<typeof hooks.useGetList>, typeof Wrapped.getList>();
  // @ts-expect-error a Map is no schema
  void (() => resource({ path: "/x/:id", schema: Article, list: () => new Map() }));
  // @ts-expect-error list is a function
  void (() => resource({ path: "/x/:id", schema: Article, list: "results" }));
  const bare = Wrapped.getList.extend({ schema: [Article] });
  // @ts-expect-error without a Collection there is nothing to push to
  void (() => bare.push({ group: 1 }, { title: "x" }));
});

Deno.test("hookifyResource: a hook for each endpoint, own members too, and nothing else", () => {
  const hooks = hookifyResource({ ...Grouped, publish: Grouped.update.extend({ path: "/publish/:id" }), limit: 5 });
  same<
    keyof typeof hooks,
    "useGet" | "useGetList" | "useCreate" | "useUpdate" | "usePartialUpdate" | "useDelete" | "usePublish"
  >();
  same<ReturnType<typeof hooks.useGetList>, typeof Grouped.getList>();
  same<Parameters<ReturnType<typeof hooks.usePublish>>[0], { id: PathValue }>();
  // @ts-expect-error a number is no endpoint
  void (() => hooks.useLimit);
  // @ts-expect-error a hook cannot be async
  void (() => hookifyResource(Grouped, async () => await Promise.resolve({ headers: {} })));
  void (() => hookifyResource(Grouped, () => undefined));
});

Deno.test("pages: what says which page is an argument of its own", () => {
  const Paged = resource({
    path: "/groups/:group/articles/:id",
    schema: Article,
    paginationField: "cursor",
    searchParams: {} as { tag?: string } | undefined,
  });
  const { getPage } = Paged.getList;
  same<Parameters<typeof getPage>, [params: { group: PathValue; tag?: string; cursor: PathValue }]>();
  same<typeof getPage["~types"]["data"], Article[]>();
  const read: ReadEndpoint = getPage;
  const next = Paged.getList.extend({ schema: { results: [Article], next: "" } })
    .paginated(({ after: _, ...rest }: { group: PathValue; after: string }) => [rest]);
  same<Parameters<typeof next>[0]["after"], string>();
  same<typeof next["~types"]["data"], { results: Article[]; next: string }>();
  const byName = ArticleResource.getList.paginated("page");
  void (() => byName({ page: 2, tag: "x" }));
  // @ts-expect-error page is missing
  void (() => getPage({ group: 1 }));
  // @ts-expect-error page is missing
  void (() => next({ group: 1 }));
  // @ts-expect-error page is missing
  void (() => byName({ tag: "x" }));
  // @ts-expect-error the list has no parameter for pages
  void (() => Grouped.getList.getPage({ group: 1 }));
  assertEquals(read.sideEffect, undefined);
});

Deno.test("extend of a resource, in its three forms", () => {
  const one = Grouped.extend("getList", { schema: { results: [Article], total: 0 } });
  same<typeof one.getList["~types"]["data"], { results: Article[]; total: number }>();
  same<typeof one.get, typeof Grouped.get>();
  const more = Grouped.extend("preview", { path: "/previews/:id", searchParams: {} as { size: number } });
  same<Parameters<typeof more.preview>, [params: { id: PathValue; size: number }]>();
  same<typeof more.preview["~types"]["data"], Article>();
  const several = Grouped.extend({ get: { searchParams: {} as { full?: boolean } }, create: { body: {} as { x: 1 } } });
  same<Parameters<typeof several.get>, [params: { group: PathValue; id: PathValue; full?: boolean }]>();
  same<Parameters<typeof several.create>[1], { x: 1 }>();
  const made = several.extend((base) => ({ publish: base.update.extend({ path: "/publish/:id" }), limit: 5 }));
  same<Parameters<typeof made.publish>[0], { id: PathValue }>();
  same<typeof made.limit, number>();
  same<Parameters<typeof made.create>[1], { x: 1 }>();
  // @ts-expect-error there is no member getLists
  void (() => Grouped.extend({ getLists: { path: "/x" } }));
  // @ts-expect-error Did you mean schema?
  void (() => Grouped.extend("get", { shcema: Article }));
  // @ts-expect-error the schema, which is kept, needs JSON
  void (() => Grouped.get.extend({ content: "blob" }));
  void (() => Grouped.update.extend({ expires: (_args, reply) => (same<typeof reply, unknown>(), []) }));
  void (() => createResource({ path: "/x/:id", schema: Article, process: ({ data }: { data: unknown }) => data }));
  // @ts-expect-error a member of the messages of a stream is a schema or a function
  void ((source: StreamSource) => new StreamManager({ source, messages: { film: 5 } }));
  // @ts-expect-error the path has no slug
  void (() => explain(new Controller(), ArticleResource.get, { slug: 5 }));
  assertEquals(made.publish.path, "/publish/:id");
});
