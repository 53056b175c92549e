/** No public value has the type `any`: `deno check` is the test. */
import { assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, NetworkError, Query, resource, RestEndpoint, schema, typed } from "@rejoin/data";
import {
  useCache,
  useDLE,
  useError,
  useFetch,
  useInfinite,
  useLive,
  useMutation,
  useQuery,
  useSuspense,
} from "@rejoin/data/preact";
import { readQuery, readResponse, signalOf } from "@rejoin/data/signals";

type IsAny<T> = 0 extends 1 & T ? true : false;
/** Compiles if neither the value nor what its promise resolves with is `any`. */
function typedValue<T>(_value: T, ..._any: IsAny<T> | IsAny<Awaited<T>> extends false ? [] : [never]): void {}

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}
const Articles = resource({ path: "/articles/:id", schema: Article, paginationField: "page" });
const bare = new RestEndpoint({ path: "/rates/:day", searchParams: typed<{ currency?: string } | undefined>() });
const ping = new Endpoint(async (id: string) => await Promise.resolve({ id, at: 5 }), { name: "ping" });
const titles = new Query(new schema.All(Article), (all) => all.map(({ title }) => title));

Deno.test("what calls, the controller and hooks give is typed", () => {
  const controller = new Controller();
  void (async () => {
    typedValue(Articles.get({ id: 5 }));
    typedValue(bare({ day: 5 }));
    typedValue(ping("1"));
    typedValue(controller.fetch(Articles.get, { id: 5 }));
    typedValue(controller.fetch(Articles.getList));
    typedValue(controller.fetch(Articles.create, { title: "x" }));
    typedValue(controller.fetch(Articles.delete, { id: 5 }));
    typedValue(controller.fetch(Articles.getList.push, { title: "x" }));
    typedValue(controller.fetch(Articles.getList.getPage, { page: 2 }));
    typedValue(controller.fetch(Articles.getList.paginated("cursor"), { cursor: 2 }));
    typedValue(controller.fetch(bare, { day: 5 }));
    typedValue(controller.fetch(ping, "1"));
    typedValue(controller.fetchIfStale(Articles.get, { id: 5 }));
    typedValue(controller.get(Article, "5"));
    typedValue(controller.get(titles));
    typedValue(signalOf(controller, Article, "5").value);
    typedValue(signalOf(controller, titles).value);
    typedValue(signalOf(controller, Articles.getList, { tag: "x" }).value);
    typedValue(readQuery(controller, Article, { id: 5 }));
    typedValue(readResponse(controller, Articles.get, { id: 5 }).data);
    // @ts-expect-error: a parameter that the path does not have
    void signalOf(controller, Articles.get, { slug: "x" });
    typedValue(controller.getResponse(Articles.getList).data);
    typedValue(controller.getResponse(bare, { day: 5 }).data);
    typedValue(controller.getError(Articles.get, { id: 5 }));
    typedValue(Articles.get.extend({ process: (value: { a: 1 }) => value.a })({ id: 5 }));
    typedValue(Articles.extend("get", { dataExpiryLength: 5 }).get({ id: 5 }));
    typedValue(Articles.get.path);
    typedValue(Articles.get.url({ id: 5 }));
    typedValue(Articles.get.key({ id: 5 }));
    typedValue(Articles.get.schema);
    typedValue(Articles.get.sideEffect);
    await Promise.resolve();
  });
  void (() => {
    typedValue(useSuspense(Articles.get, { id: 5 }));
    typedValue(useSuspense(Articles.get, null));
    typedValue(useLive(Articles.getList));
    typedValue(useCache(Articles.getList));
    typedValue(useCache(titles));
    typedValue(useQuery(titles));
    typedValue(useQuery(Article, "5"));
    typedValue(useFetch(Articles.get, { id: 5 }));
    typedValue(useError(Articles.get, { id: 5 }));
    const { data, error, loading } = useDLE(Articles.getList);
    typedValue(data);
    typedValue(error);
    typedValue(loading);
    typedValue(useDLE(ping, "1").data);
    const update = useMutation(Articles.update);
    typedValue(update.data);
    typedValue(update.error);
    typedValue(update.mutateAsync({ id: 5 }, {}));
    typedValue(
      useInfinite(Articles.getList, [], {
        next: (page, { page: n = 1 } = {}) => page.length && { page: Number(n) + 1 },
      }).items,
    );
  });
  assertEquals(typeof titles, "object");
});

Deno.test("a NetworkError says what the server sent, as far as the app says what that is", () => {
  interface Problem {
    readonly errors: { readonly title?: string };
  }
  void ((error: Error | undefined, problem: NetworkError<Problem>) => {
    const title: string | undefined = problem.body.errors.title;
    // An error that instanceof narrows has an untyped body, so the app needs no cast.
    const found: string | undefined = error instanceof NetworkError ? error.body.errors.title : title;
    return found;
  });
  assertEquals(typeof NetworkError, "function");
});
