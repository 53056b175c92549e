/** What fixtures take: `deno check` is the test. */
import { Endpoint, Entity, resource, schema } from "@rejoin/data";
import { fixtures, mockInitialState, renderDataHook } from "@rejoin/data/testing";
import { assertEquals } from "@std/assert";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}
/** A class of the app, made of a text by its serializer. */
class Money {
  constructor(readonly cents: number) {}
  plus(other: Money): Money {
    return new Money(this.cents + other.cents);
  }
}
class Article extends Entity {
  id = "";
  title = "";
  author: User | undefined = undefined;
  createdAt = new Date(0);
  price = new Money(0);
  static key = "Article";
  static schema = { author: User, createdAt: Date, price: (cents: number) => new Money(cents) };
}
const ArticleResource = resource({
  urlPrefix: "https://api.test",
  path: "/articles/:id",
  schema: Article,
  searchParams: {} as { tag?: string },
});
const ping = new Endpoint(async (n: number) => await Promise.resolve({ pong: n }), { name: "ping" });
const loose = new Endpoint(async (n: number): Promise<unknown> => await Promise.resolve(n), { name: "loose" });
const page = new Endpoint(async (_: { n: number }): Promise<unknown> => await Promise.resolve({}), {
  name: "page",
  schema: { articles: [Article], next: "" },
});
const byName = new Endpoint(async (): Promise<unknown> => await Promise.resolve({}), {
  name: "byName",
  schema: new schema.Values(Article),
});

Deno.test("15. a response is what a server sends of the endpoint's data, and arguments are the endpoint's own", () => {
  const api = fixtures([
    {
      endpoint: ArticleResource.get,
      args: [{ id: "5" }],
      response: { id: 5, title: "Hi", more: 1, author: { id: "1", role: "x" }, createdAt: "2024", price: "500" },
    },
    { endpoint: ArticleResource.get, args: [{ id: 6 }], response: { id: "6", author: "1" } },
    { endpoint: ArticleResource.getList, args: [], response: [{ id: "5", author: null }] },
    { endpoint: ArticleResource.getList, args: [{ tag: "x" }], response: [], delay: 5 },
    { endpoint: ArticleResource.partialUpdate, response: ({ id }, body) => ({ ...body, id }) },
    { endpoint: ArticleResource.create, response: (...args) => ({ ...args.at(-1), id: 7 }) },
    { endpoint: ArticleResource.delete, args: [{ id: "5" }], response: undefined },
    { endpoint: ArticleResource.delete, response: null },
    { endpoint: ArticleResource.get, error: 404 },
    { endpoint: ping, args: [5], response: { pong: 1 } },
    { endpoint: ping, response: async (n) => await Promise.resolve({ pong: n + 1 }) },
    { endpoint: loose, response: (n) => n.toFixed() },
    { endpoint: loose, args: [1], response: [1] },
    { endpoint: page, args: [{ n: 1 }], response: { articles: [{ id: "4" }], next: "x" } },
    { endpoint: byName, response: { a: { id: "4" } } },
  ]);
  assertEquals(api.calls.length, 0);
});

Deno.test("15. interceptors know the state that was given", () => {
  fixtures([
    {
      endpoint: ping,
      response(n) {
        return { pong: n + this.count++ };
      },
    },
    { endpoint: ArticleResource.get, response: ({ id }) => ({ id }) },
  ], { state: () => ({ count: 0 }) });
  fixtures([
    {
      endpoint: ping,
      response(n) {
        // @ts-expect-error there is no such state
        return { pong: n + this.cont };
      },
    },
  ], { state: () => ({ count: 0 }) });
});

Deno.test("15. what is wrong in a fixture does not compile", () => {
  fixtures([
    // @ts-expect-error the path has no such parameter
    { endpoint: ArticleResource.get, args: [{ slug: "5" }], response: { id: "5" } },
  ]);
  fixtures([
    // @ts-expect-error the arguments of another endpoint
    { endpoint: ping, args: ["5"], response: { pong: 1 } },
    { endpoint: ArticleResource.get, args: [{ id: "5" }], response: { id: "5" } },
  ]);
  fixtures([
    // @ts-expect-error a title is text
    { endpoint: ArticleResource.get, args: [{ id: "5" }], response: { id: "5", title: 5 } },
  ]);
  fixtures([
    // @ts-expect-error in a list, too
    { endpoint: ArticleResource.getList, response: [{ id: "5", title: 5 }] },
  ]);
  fixtures([
    // @ts-expect-error a list is a list
    { endpoint: ArticleResource.getList, response: { id: "5" } },
  ]);
  fixtures([
    // @ts-expect-error a read is answered with something
    { endpoint: ArticleResource.get, response: null },
  ]);
  fixtures([
    // @ts-expect-error pong is a number
    { endpoint: ping, response: (n) => ({ pong: `${n}` }) },
  ]);
  fixtures([
    // @ts-expect-error no member of a fixture
    { endpoint: ping, args: [5], respond: { pong: 1 } },
  ]);
  // @ts-expect-error the path has no such parameter
  const wrong = () => mockInitialState([{ endpoint: ArticleResource.get, args: [{ slug: "5" }], response: {} }]);
  assertEquals(typeof wrong, "function");
});

Deno.test("15. props and values of a hook are inferred", () => {
  const run = () => {
    const hook = renderDataHook(({ id }) => id.length, { initialProps: { id: "5" } });
    const current: number | undefined = hook.result.current;
    hook.rerender({ id: "6" });
    // @ts-expect-error an id is text
    hook.rerender({ id: 6 });
    // @ts-expect-error there may be none
    const sure: number = hook.result.current;
    const wider = renderDataHook(({ id }: { id: string | null; ms?: number }) => id, { initialProps: { id: "1" } });
    wider.rerender({ id: null, ms: 5 });
    return [current, sure];
  };
  assertEquals(typeof run, "function");
});
