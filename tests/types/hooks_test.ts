/** The types that hooks accept and return: `deno check` is the test. Messages of mistakes are in messages_test.ts. */
import { assertEquals } from "@std/assert";
import {
  type AnyEndpoint,
  createResource,
  Endpoint,
  Entity,
  type NullableArgs,
  Query,
  type ReadEndpoint,
  resource,
  RestEndpoint,
  schema,
  typed,
} from "@rejoin/data";
import {
  type FetchedPromise,
  type Mutation,
  useCache,
  useDeferredArgs,
  useDLE,
  useError,
  useFetch,
  useInfinite,
  useLive,
  useLoading,
  useMutation,
  useSelect,
  useSignalOf,
  useSuspense,
  useSuspenseInfinite,
} from "@rejoin/data/preact";
import { same } from "../support/same.ts";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}
const ArticleResource = createResource({ path: "/articles/:id", schema: Article });
const add = new Endpoint(async (a: number, b: string) => await Promise.resolve(a + b), { name: "add" });

for (const [name, hook] of Object.entries({ useSuspense, useLive })) {
  Deno.test(`13.D3 ${name} gives data, or what may be missing where the first argument may be null`, () => {
    void ((id: string | undefined, anything: never) => {
      const one = hook(ArticleResource.get, { id: 5 });
      same<typeof one, Article>();
      const maybe = hook(ArticleResource.get, id ? { id } : null);
      same<typeof maybe, Article | undefined>();
      const none = hook(ArticleResource.getList, null);
      same<typeof none, Article[] | undefined>();
      const [list, filtered] = [hook(ArticleResource.getList), hook(ArticleResource.getList, { page: 1 })];
      same<typeof list, Article[]>();
      same<typeof filtered, Article[]>();
      const [sum, noSum] = [hook(add, 1, "x"), hook(add, null, null)];
      same<typeof sum, string>();
      same<typeof noSum, string | undefined>();
      const either = hook(id ? ArticleResource.get : ArticleResource.get.extend({ schema: { data: Article } }), {
        id: 5,
      });
      same<typeof either, Article | { data: Article }>();
      const any = hook(ArticleResource.get, anything);
      same<typeof any, Article>();
    });
    assertEquals(typeof hook, "function");
  });
}

Deno.test("13.D3 hooks of an app may pass a type parameter on", () => {
  const useRead = <E extends ReadEndpoint>(endpoint: E, ...args: E["~types"]["args"]): E["~types"]["data"] =>
    useSuspense(endpoint, ...args);
  const useMaybe = <E extends ReadEndpoint>(
    endpoint: E,
    ...args: NullableArgs<E["~types"]["args"]>
  ): E["~types"]["nullable"] => useSuspense(endpoint, ...args);
  const useStarted = <E extends ReadEndpoint>(
    endpoint: E,
    ...args: NullableArgs<E["~types"]["args"]>
  ): FetchedPromise<E["~types"]["data"]> | undefined => useFetch(endpoint, ...args);
  void (() => {
    const article: Article = useRead(ArticleResource.get, { id: 5 });
    const maybe: Article | undefined = useMaybe(ArticleResource.get, null);
    return [article, maybe, useStarted(ArticleResource.get, { id: 5 })];
  });
  assertEquals(useRead.length, 1);
});

Deno.test("13.D3 what useFetch gives is narrowed by its status, and has catch", () => {
  void (() => {
    const article = useFetch(ArticleResource.get, { id: 5 });
    if (article?.status === "fulfilled") same<typeof article["value"], Article>();
    if (article?.status === "rejected") same<typeof article["value"], undefined>();
    if (article !== undefined && !article.resolved) same<typeof article["status"], "pending">();
    // @ts-expect-error the promise may be pending
    void article?.value.title;
    return article?.catch(() => undefined).finally(() => {});
  });
  assertEquals(useFetch.length, 1);
});

Deno.test("what useDLE gives is narrowed by loading and error", () => {
  void ((id: string | undefined) => {
    const { data, loading, error } = useDLE(ArticleResource.get, { id: 5 });
    if (loading) same<typeof data, undefined>();
    else if (error === undefined) same<typeof data, Article>();
    else same<typeof error, Error>();
    const maybe = useDLE(ArticleResource.get, id ? { id } : null);
    if (!maybe.loading && maybe.error === undefined) same<typeof maybe.data, Article | undefined>();
    // @ts-expect-error it may be loading
    void useDLE(ArticleResource.get, { id: 5 }).data.title;
    // @ts-expect-error a mutation is no read
    useDLE(ArticleResource.create, { title: "" });
    // @ts-expect-error a parameter is missing
    useDLE(ArticleResource.get);
    same<ReturnType<typeof useError>, Error | undefined>();
  });
  assertEquals([useDLE.length, useError.length], [1, 1]);
});

Deno.test("15.4 what only looks into the store takes no mutation, and hooks of an app may pass a type parameter on", () => {
  const lists = resource({ path: "/articles/:id", schema: Article });
  const articles = new Query(new schema.All(Article));
  const useStored = <E extends ReadEndpoint>(
    endpoint: E,
    ...args: NullableArgs<E["~types"]["args"]>
  ): E["~types"]["nullable"] => useCache(endpoint, ...args);
  void ((id: string | undefined) => {
    const one = useCache(ArticleResource.get, { id: 5 });
    same<typeof one, Article | undefined>();
    const all = useCache(articles);
    same<typeof all, Article[] | undefined>();
    const either = useCache(id ? lists.getList : articles);
    same<typeof either, Article[] | undefined>();
    useCache(ArticleResource.get, id ? { id } : null);
    useError(ArticleResource.get, id ? { id } : null);
    const stored: Article | undefined = useStored(ArticleResource.get, { id: 5 });
    void stored;
    // @ts-expect-error a mutation
    useCache(ArticleResource.update, { id: 5 }, {});
    // @ts-expect-error a resource
    useCache(ArticleResource);
    // @ts-expect-error an entity
    useCache(Article, { id: 5 });
    // @ts-expect-error a parameter is missing
    useCache(ArticleResource.get);
    // @ts-expect-error a mutation
    useError(lists.getList.push, { title: "" });
    // @ts-expect-error a mutation
    useSelect(ArticleResource.update, [{ id: 5 }, {}], (article) => article);
    // @ts-expect-error a mutation
    useSignalOf(ArticleResource.delete, [{ id: 5 }]);
    // @ts-expect-error a resource
    useSignalOf(ArticleResource, []);
  });
  assertEquals([useCache.length, useStored.length], [1, 1]);
});

Deno.test("15.2 useDeferredArgs gives what its endpoint takes", () => {
  const search = resource({
    path: "/articles/:id",
    schema: Article,
    searchParams: typed<{ q: string; page?: number }>(),
  });
  void ((q: string | undefined) => {
    const [args, isPending] = useDeferredArgs(search.getList, { q: "x" });
    same<typeof isPending, boolean>();
    same<typeof args[0]["q"], string>();
    const list = useSuspense(search.getList, ...args);
    same<typeof list, Article[]>();
    const { data, loading, error } = useDLE(search.getList, ...args);
    if (!loading && !error) same<typeof data, Article[]>();
    const [maybe] = useDeferredArgs(search.getList, q ? { q } : null);
    const found = useSuspense(search.getList, ...maybe);
    same<typeof found, Article[] | undefined>();
    const [all] = useDeferredArgs(ArticleResource.getList);
    const articles = useSuspense(ArticleResource.getList, ...all);
    same<typeof articles, Article[]>();
    const [sums] = useDeferredArgs(add, 1, "x");
    same<typeof sums, [a: number, b: string]>();
    useInfinite(search.getList, args, { next: () => null });
    // @ts-expect-error no such parameter
    useDeferredArgs(search.getList, { q: "x", tagg: "" });
    // @ts-expect-error a parameter is missing
    useDeferredArgs(search.getList);
    // @ts-expect-error a mutation
    useDeferredArgs(search.update, { id: 5 }, {});
    // @ts-expect-error a resource
    useDeferredArgs(search);
    // @ts-expect-error the arguments belong to another endpoint
    useSuspense(ArticleResource.get, ...args);
  });
  assertEquals(useDeferredArgs.length, 1);
});

Deno.test("15.3 useSuspenseInfinite knows what useInfinite does, and nothing of loading", () => {
  const getPages = new RestEndpoint({
    path: "/articles",
    searchParams: typed<{ tag: string; after?: string }>(),
    schema: { results: [Article], next: "" as string | null },
  });
  void ((tag: string | undefined) => {
    const read = useSuspenseInfinite(getPages, tag === undefined ? null : [{ tag }], {
      next: ({ next }, { after }) => {
        same<typeof after, string | undefined>();
        return next && { after: next };
      },
    });
    same<typeof read.items, readonly Article[]>();
    // @ts-expect-error it suspends, so there is no loading
    void read.loading;
    // @ts-expect-error a mutation
    useSuspenseInfinite(ArticleResource.create, [{ title: "x" }], { next: () => null });
  });
  assertEquals(useSuspenseInfinite.length, 3);
});

Deno.test("useSelect and useSignalOf know what they read", () => {
  const articles = new Query(new schema.All(Article));
  void (() => {
    const title = useSelect(ArticleResource.get, [{ id: 5 }], (article) => article?.title);
    same<typeof title, string | undefined>();
    const count = useSelect(articles, [], (all) => all?.length ?? 0);
    same<typeof count, number>();
    const one = useSignalOf(Article, [{ id: "5" }]);
    same<typeof one.value, Article | undefined>();
    const list = useSignalOf(ArticleResource.getList, [], (all) => all?.length);
    same<typeof list.value, number | undefined>();
    // @ts-expect-error the article may not be in the store
    useSelect(ArticleResource.get, [{ id: 5 }], (article) => article.title);
    // @ts-expect-error a parameter is missing
    useSelect(ArticleResource.get, [], (article) => article);
  });
  assertEquals([useSelect.length, useSignalOf.length], [3, 2]);
});

Deno.test("15 useMutation takes and gives what its endpoint does", () => {
  const lists = resource({ path: "/articles/:id", schema: Article });
  const shout = new Endpoint(async (text: string) => await Promise.resolve(text.length), {
    name: "shout",
    sideEffect: true,
  });
  void (() => {
    const update = useMutation(ArticleResource.update);
    same<typeof update, Mutation<typeof ArticleResource.update>>();
    same<typeof update.data, Article | undefined>();
    same<typeof update.error, Error | undefined>();
    same<Parameters<typeof update.mutate>, Parameters<typeof ArticleResource.update>>();
    same<ReturnType<typeof update.mutateAsync>, Promise<Article>>();
    same<ReturnType<typeof update.mutate>, void>();
    const push = useMutation(lists.getList.push);
    push.mutate({ title: "x" });
    push.mutate({ tag: "x" }, { title: "x" });
    const pushed = push.data;
    same<typeof pushed, Article | undefined>();
    const { mutate, data } = useMutation(shout);
    same<typeof data, number | undefined>();
    mutate("x");
    // @ts-expect-error a text is missing
    mutate();
    // @ts-expect-error the text may not be a number
    mutate(1);
    const either = useMutation(shout as AnyEndpoint);
    same<typeof either, Mutation<AnyEndpoint>>();
    useMutation(lists.getList.push, {
      onSuccess: (article, [first, second]) => {
        same<typeof article, Article>();
        same<typeof first extends object ? true : false, true>();
        void second;
      },
      onError: (error) => same<typeof error, Error>(),
    });
    useMutation(ArticleResource.update, {
      onSuccess: async (_, args) => {
        same<typeof args, Parameters<typeof ArticleResource.update>>();
        await Promise.resolve();
      },
      onError: undefined,
    });
    // @ts-expect-error no such member
    useMutation(ArticleResource.update, { onSuccess: ({ titel }) => titel });
    // @ts-expect-error no such option
    useMutation(ArticleResource.update, { onSettled: () => {} });
    // @ts-expect-error a read
    useMutation(add);
    // @ts-expect-error a resource
    useMutation(ArticleResource);
    // @ts-expect-error a list of createResource does not grow
    useMutation(ArticleResource.getList.push);
    // @ts-expect-error isPending is read-only
    update.isPending = true;
    // @ts-expect-error there is no titel
    update.mutate({ id: 5 }, { titel: "x" });
  });
  const useSave = <E extends AnyEndpoint & { readonly sideEffect: true }>(endpoint: E): Mutation<E> =>
    useMutation(endpoint);
  assertEquals(useSave.length, 1);
});

Deno.test("15 useLoading takes and gives what its function does", () => {
  void (() => {
    const [run, isLoading, error] = useLoading(async (a: number, b?: string) => await Promise.resolve(`${a}${b}`));
    same<typeof run, (a: number, b?: string) => Promise<string>>();
    same<typeof isLoading, boolean>();
    same<typeof error, Error | undefined>();
    const [now] = useLoading(() => 1);
    same<typeof now, () => Promise<number>>();
    // @ts-expect-error a number is missing
    run();
  });
  assertEquals(useLoading.length, 1);
});

Deno.test("15 useInfinite knows its pages, their rows and the parameters of the next one", () => {
  const lists = resource({
    path: "/articles/:id",
    schema: Article,
    searchParams: typed<{ tag?: string } | undefined>(),
    paginationField: "page",
  });
  const getPages = new RestEndpoint({
    path: "/articles",
    searchParams: typed<{ tag: string; after?: string }>(),
    schema: { results: [Article], next: "" as string | null, total: 0 },
  });
  void ((tag: string | undefined) => {
    const { pages, items } = useInfinite(getPages, [{ tag: "x" }], {
      next: ({ next, results }, { after }) => {
        same<typeof results, Article[]>();
        same<typeof after, string | undefined>();
        return next && { after: next };
      },
      previous: () => ({ after: undefined }),
    });
    same<typeof items, readonly Article[]>();
    same<typeof pages[0], { results: Article[]; next: string | null; total: number }>();
    const collection = useInfinite(lists.getList, [{ tag: "x" }], {
      next: (articles, { page = 1 }) => articles.length === 20 && { page: Number(page) + 1 },
    });
    same<typeof collection.items, readonly Article[]>();
    same<typeof collection.pages, readonly Article[][]>();
    useInfinite(lists.getList, [], { next: () => undefined });
    useInfinite(getPages, tag === undefined ? null : [{ tag }], { next: () => null });
    useInfinite(lists.getList.getPage, [{ page: 1 }], { next: (_, { page }) => ({ page: Number(page) + 1 }) });
    // @ts-expect-error no such parameter
    useInfinite(getPages, [{ tag: "x" }], { next: () => ({ afer: "x" }) });
    // @ts-expect-error a parameter is missing
    useInfinite(getPages, [{}], { next: () => null });
    // @ts-expect-error next is missing
    useInfinite(getPages, [{ tag: "x" }], {});
    // @ts-expect-error a mutation
    useInfinite(lists.create, [{ title: "x" }], { next: () => null });
    // @ts-expect-error a resource
    useInfinite(lists, [], { next: () => null });
  });
  assertEquals(useInfinite.length, 3);
});
