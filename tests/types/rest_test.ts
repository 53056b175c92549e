/**
 * What must compile, and what must not. `deno check` is the test: each `@ts-expect-error` fails it if the mistake below
 * compiles. The tests themselves run little.
 */
import { assertEquals } from "@std/assert";
import {
  cacheControl,
  conditional,
  Entity,
  idempotencyKey,
  ifMatch,
  type PathArgs,
  type PathValue,
  type ReadEndpoint,
  RestEndpoint,
  type RestGenerics,
  type RestOptions,
  type ShortenPath,
  type Snapshot,
} from "@rejoin/data";
import { same } from "../support/same.ts";

class Article extends Entity {
  id = "";
  title = "";
  createdAt = new Date(0);
  static key = "Article";
  static schema = { createdAt: Date };
}

Deno.test("paths give their parameters to the type checker", () => {
  same<PathArgs<"/users">, unknown>();
  same<PathArgs<"/users/:id">, { id: PathValue }>();
  same<PathArgs<"/users/:id/posts/:postId">, { id: PathValue; postId: PathValue }>();
  same<PathArgs<"/users/:id/posts{/:postId}">, { id: PathValue; postId?: PathValue | undefined }>();
  same<PathArgs<"/a{/:b{/:c}}/:d">, { d: PathValue; b?: PathValue | undefined; c?: PathValue | undefined }>();
  same<PathArgs<"/files/*path">, { path: readonly PathValue[] }>();
  same<PathArgs<"/files{/*path}">, { path?: readonly PathValue[] | undefined }>();
  same<PathArgs<'/:"first name"/x'>, { "first name": PathValue }>();
  same<PathArgs<'/:"a\\"b"'>, { 'a"b': PathValue }>();
  same<PathArgs<'/:"a/b"/:c'>, { "a/b": PathValue; c: PathValue }>();
  same<PathArgs<"https\\://example.com/:id">, { id: PathValue }>();
  same<PathArgs<"/\\{:id\\}">, { id: PathValue }>();
  same<PathArgs<"/:a-:b.json">, { a: PathValue; b: PathValue }>();
  same<PathArgs<"/:a*b:c">, { a: PathValue; c: PathValue; b: readonly PathValue[] }>();
  same<PathArgs<"/:größe/:$x/:_y">, { größe: PathValue; $x: PathValue; _y: PathValue }>();
  same<PathArgs<"/{:id}-:id">, { id: PathValue }>();
  same<keyof PathArgs<string>, string | number>();
});

Deno.test("paths shorten in the types as they do at runtime", () => {
  same<ShortenPath<"/articles/:id">, "/articles">();
  same<ShortenPath<"/articles/:id/">, "/articles/">();
  same<ShortenPath<"/:first">, "/">();
  same<ShortenPath<"/:first/:second">, "/:first">();
  same<ShortenPath<"/articles">, "/articles">();
  same<ShortenPath<"/x{/:id}">, "/x">();
  same<ShortenPath<"/x{/:id/edit}">, "/x">();
  same<ShortenPath<"/x/*rest">, "/x">();
  same<ShortenPath<"/x/:a-:b">, "/x/:a-">();
  same<ShortenPath<'/x/:"a/b"'>, "/x">();
  same<ShortenPath<"/x{.json}/:id">, "/x{.json}">();
  same<ShortenPath<"https\\://example.com/:id">, "https\\://example.com">();
  same<ShortenPath<string>, string>();
});

const get = new RestEndpoint({ path: "/articles/:id", schema: Article, searchParams: undefined });
const list = new RestEndpoint({ path: "/articles", schema: [Article], searchParams: {} as { tag?: string } });
const strictList = new RestEndpoint({ path: "/articles", schema: [Article], searchParams: {} as { tag: string } });
const update = new RestEndpoint({
  path: "/articles/:id",
  method: "PUT",
  schema: Article,
  body: {} as { title: string },
  searchParams: undefined,
});
const create = new RestEndpoint({ path: "/articles", method: "POST", body: {} as { title: string } });
const search = new RestEndpoint({ path: "/search", method: "POST", sideEffect: false, body: {} as { text: string } });

Deno.test("arguments follow from path, search parameters, method and body", () => {
  same<Parameters<typeof get>, [params: { id: PathValue }]>();
  same<Parameters<typeof list>, [params?: { tag?: string }]>();
  same<Parameters<typeof strictList>, [params: { tag: string }]>();
  same<Parameters<typeof update>, [params: { id: PathValue }, body: { title: string }]>();
  // @ts-expect-error id is missing
  void (() => get({}));
  // @ts-expect-error no parameters at all
  void (() => get());
  // @ts-expect-error a Date is no PathValue
  void (() => get({ id: new Date() }));
  // @ts-expect-error tag is not declared
  void (() => get({ id: 5, tag: "x" }));
  // @ts-expect-error tga is not declared
  void (() => list({ tga: "x" }));
  // @ts-expect-error the body is missing
  void (() => update({ id: 5 }));
  // @ts-expect-error titel
  void (() => update({ id: 5 }, { titel: "x" }));
  // @ts-expect-error a wrong key argument
  void (() => get.key({}));
  void (() => [
    get({ id: 5 }),
    get({ id: 5n }),
    list(),
    list({ tag: undefined! }),
    create({ title: "x" }),
    create({ notify: true }, { title: "x" }),
    search({ text: "x" }),
  ]);
});

Deno.test("search parameters that are not declared are loose", () => {
  const loose = new RestEndpoint({ path: "/articles/:id" });
  interface Filter {
    tag: string;
  }
  const filter: Filter = { tag: "x" };
  void (() => [loose({ id: 5 }), loose({ id: 5, tag: "x" }), loose({ id: 5, ...filter })]);
  // @ts-expect-error id is missing all the same
  void (() => loose({ tag: "x" }));
  const looseList = new RestEndpoint({ path: "/articles" });
  void (() => [looseList(), looseList({ tag: ["a"] }), looseList(filter)]);
});

Deno.test("side effects follow from the method", () => {
  same<typeof get["sideEffect"], undefined>();
  same<typeof update["sideEffect"], true>();
  same<typeof search["sideEffect"], false>();
  const viaBody = new RestEndpoint({ path: "/x", body: {} as { a: 1 } });
  same<typeof viaBody["sideEffect"], true>();
  const viaSideEffect = new RestEndpoint({ path: "/x", sideEffect: true });
  same<Parameters<typeof viaSideEffect>[0], unknown>();
  assertEquals([get.sideEffect, update.sideEffect, search.sideEffect, viaBody.sideEffect], [
    undefined,
    true,
    false,
    true,
  ]);
  assertEquals([viaBody.method, viaSideEffect.method], ["POST", "POST"]);
});

Deno.test("data follow from the schema, the answer of a call from process", () => {
  same<typeof get["~types"]["data"], Article>();
  same<typeof list["~types"]["data"], Article[]>();
  same<Awaited<ReturnType<typeof get>>, unknown>();
  const processed = new RestEndpoint({ path: "/x", process: (value: { items: string[] }) => value.items.length });
  same<Awaited<ReturnType<typeof processed>>, number>();
  same<typeof processed["~types"]["data"], number>();
  const asynchronous = new RestEndpoint({ path: "/x", process: (value: string) => Promise.resolve(value) });
  same<typeof asynchronous["~types"]["data"], string>();
});

Deno.test("extend infers anew", () => {
  const wider = get.extend({ path: "/v2/articles/:slug" });
  same<Parameters<typeof wider>, [params: { slug: PathValue }]>();
  same<typeof wider["~types"]["data"], Article>();
  const page = list.extend({ schema: { results: [Article], next: "" as string | null } });
  same<typeof page["~types"]["data"], { results: Article[]; next: string | null }>();
  same<Parameters<typeof page>, [params?: { tag?: string }]>();
  const publish = get.extend({ method: "POST", path: "/articles/:id/publish", body: undefined });
  same<Parameters<typeof publish>, [params: { id: PathValue }]>();
  same<typeof publish["sideEffect"], true>();
  const narrowed = get.extend({ process: (value: { id: string }) => value.id, schema: undefined });
  same<typeof narrowed["~types"]["data"], string>();
  const policy = get.extend({ dataExpiryLength: 5 });
  same<Parameters<typeof policy>, Parameters<typeof get>>();
});

Deno.test("an endpoint has a path and a schema; paths of older dialects are in messages_test.ts", () => {
  // @ts-expect-error an endpoint needs a path
  void (() => new RestEndpoint({ schema: Article }));
  // @ts-expect-error a name is no schema
  void (() => new RestEndpoint({ path: "/x", schema: "Article" }));
  const escaped = new RestEndpoint({ path: "/x\\?fixed=1" });
  assertEquals(escaped.url(), "/x?fixed=1");
});

class Api<O extends RestGenerics> extends RestEndpoint<O> {
  override urlPrefix = "https://api.example.com";
  override async getHeaders(headers: Record<string, string>) {
    return { ...headers, "Access-Token": await Promise.resolve("secret") };
  }
  override async parseResponse(response: Response) {
    return { ...await super.parseResponse(response) as object, link: response.headers.get("link") };
  }
  override process(value: { data: unknown }) {
    return value.data;
  }
  override getRequestInit(body?: unknown) {
    return { ...super.getRequestInit(body), credentials: "same-origin" as const };
  }
  override key(...args: Parameters<RestEndpoint<O>["key"]>) {
    return super.key(...args);
  }
}
class AsyncInit<const O extends RestGenerics> extends RestEndpoint<O> {
  override async getRequestInit(body?: unknown) {
    return { ...super.getRequestInit(body), credentials: await Promise.resolve("include" as const) };
  }
  override get urlPrefix() {
    return "https://api.example.com";
  }
}

Deno.test("13.D3 subclasses infer as RestEndpoint does, and need no any", () => {
  const api = new Api({ path: "/articles/:id", schema: Article, searchParams: undefined });
  same<Parameters<typeof api>, [params: { id: PathValue }]>();
  same<typeof api["~types"]["data"], Article>();
  same<typeof api["path"], "/articles/:id">();
  // @ts-expect-error shcema is not an option
  void (() => new Api({ path: "/x", shcema: Article }));
  assertEquals(api.url({ id: 5 }), "https://api.example.com/articles/5");
  const other = new AsyncInit({ path: "/x/:id" });
  void (() => other({ id: 5 }));
});

Deno.test("functions in options see the endpoint as this", () => {
  const named = new RestEndpoint({
    path: "/x",
    getHeaders(headers) {
      return { ...headers, "X-Name": this.name };
    },
    getRequestInit(body) {
      return { ...RestEndpoint.prototype.getRequestInit.call(this, body), credentials: "omit" };
    },
    getOptimisticResponse(snapshot) {
      throw snapshot.abort;
    },
  });
  assertEquals(named.getRequestInit(), { method: "GET", headers: {}, credentials: "omit" } as RequestInit);
});

Deno.test("the answer of a call follows from content, and from process before it", () => {
  const as = {
    json: new RestEndpoint({ path: "/x", content: "json" }),
    text: new RestEndpoint({ path: "/x", content: "text" }),
    blob: new RestEndpoint({ path: "/x", content: "blob" }),
    arrayBuffer: new RestEndpoint({ path: "/x" }).extend({ content: "arrayBuffer" }),
    stream: new RestEndpoint({ path: "/x", content: "stream" }),
  };
  same<Awaited<ReturnType<typeof as.json>>, unknown>();
  same<Awaited<ReturnType<typeof as.text>>, string>();
  same<typeof as.text["~types"]["data"], string>();
  same<typeof as.text["~types"]["nullable"], string | undefined>();
  same<Awaited<ReturnType<typeof as.blob>>, Blob>();
  same<Awaited<ReturnType<typeof as.arrayBuffer>>, ArrayBuffer>();
  same<Awaited<ReturnType<typeof as.stream>>, ReadableStream<Uint8Array<ArrayBuffer>>>();
  const processed = new RestEndpoint({ path: "/x", content: "text", process: (csv: string) => csv.split("\n") });
  same<Awaited<ReturnType<typeof processed>>, string[]>();
  const table = new RestEndpoint({
    path: "/x",
    content: "text",
    schema: [Article],
    process: (csv: string) => csv.split("\n").map((id) => ({ id })),
  });
  same<typeof table["~types"]["data"], Article[]>();
  const strict = new RestEndpoint({ path: "/x", content: "json", schema: Article });
  same<typeof strict["~types"]["data"], Article>();
  // @ts-expect-error a schema needs JSON
  void (() => new RestEndpoint({ path: "/x", content: "blob", schema: Article }));
  // @ts-expect-error a schema needs JSON
  void (() => as.json.extend({ content: "text", schema: Article }));
  // @ts-expect-error there is no such content
  void (() => new RestEndpoint({ path: "/x", content: "html" }));
});

Deno.test("a stream is no read: it can be used once, so that no hook takes it", () => {
  const download = new RestEndpoint({ path: "/files/:id", content: "stream" });
  same<typeof download["sideEffect"], true>();
  same<Parameters<typeof download>[0]["id"], PathValue>();
  const declared = new RestEndpoint({ path: "/files/:id", content: "stream", sideEffect: false });
  same<typeof declared["sideEffect"], false>();
  const read = <E extends ReadEndpoint>(endpoint: E): E => endpoint;
  // @ts-expect-error a stream is not kept, so it is no read
  void (() => read(download));
  void (() => [read(declared), read(get), read(new RestEndpoint({ path: "/x", content: "blob" }))]);
});

/** Every member that a class can override, with the types of the class, as an app writes it. */
class Whole<O extends RestGenerics> extends RestEndpoint<O> {
  override readonly requestInit: RequestInit = { cache: "no-store" };
  override readonly dataExpiryLength: number = Infinity;
  override readonly errorExpiryLength: number = 5;
  override readonly invalidIfStale: boolean = true;
  override readonly pollFrequency: number = 1_000;
  override readonly deadline: number = 10_000;
  override readonly retry = 0;
  override readonly use = [conditional(), cacheControl(), ifMatch(), idempotencyKey()];
  override readonly extra = { tenant: "a" };
  override get urlPrefix(): string {
    return "https://api.example.com";
  }
  override get signal(): AbortSignal | undefined {
    return undefined;
  }
  override get name(): string {
    return `whole ${this.path}`;
  }
  override url(params?: Parameters<RestEndpoint<O>["url"]>[0]): string {
    return super.url(params);
  }
  override searchToString(search: Parameters<RestEndpoint<O>["searchToString"]>[0]): string {
    return super.searchToString(search);
  }
  override getRequestInit(body?: unknown): ReturnType<RestEndpoint<O>["getRequestInit"]> {
    return super.getRequestInit(body);
  }
  override getHeaders(headers: Record<string, string>): Record<string, string> {
    return { ...headers, "Access-Token": "secret" };
  }
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return super.fetchResponse(url, init);
  }
  override parseResponse(response: Response): Promise<unknown> {
    return super.parseResponse(response);
  }
  override process(value: { data: unknown }, ...args: unknown[]): unknown {
    return super.process(value, ...args);
  }
  override testKey(key: string): boolean {
    return super.testKey(key);
  }
  override errorPolicy(error: unknown): "hard" | "soft" {
    return super.errorPolicy(error);
  }
  override getOptimisticResponse(snapshot: Snapshot, ...args: unknown[]): unknown {
    return [snapshot, args];
  }
}

Deno.test("what a class overrides is typed, and what is made of it infers as ever", () => {
  const whole = new Whole({ path: "/articles/:id", schema: Article, searchParams: undefined });
  same<Parameters<typeof whole>, [params: { id: PathValue }]>();
  same<typeof whole["~types"]["data"], Article>();
  assertEquals(whole.url({ id: 5 }), "https://api.example.com/articles/5");
  const options = {
    requestInit: { cache: "no-store" },
    dataExpiryLength: Infinity,
    errorExpiryLength: 5,
    invalidIfStale: true,
    pollFrequency: 1_000,
    signal: new AbortController().signal,
    extra: { tenant: "a" },
    name: "Article.get",
    errorPolicy: (error: unknown) => error instanceof RangeError ? "hard" : "soft",
    url: (params) => `/x/${params?.id}`,
    searchToString: (search) => Object.keys(search).join(),
    fetchResponse: (url, init) => fetch(url, init),
    parseResponse: (response) => response.json(),
    testKey: (key) => key === "x",
  } satisfies RestOptions;
  const given = new RestEndpoint({ path: "/articles/:id", schema: Article, ...options });
  const extended = get.extend(options);
  same<typeof given["~types"]["data"], Article>();
  same<typeof extended["~types"]["data"], Article>();
  same<Parameters<typeof extended>, Parameters<typeof get>>();
  // @ts-expect-error a policy is hard or soft
  void (() => get.extend({ errorPolicy: () => "harsh" }));
  // @ts-expect-error dataExpiryLength is a number of ms
  void (() => get.extend({ dataExpiryLength: "5s" }));
});

class Tenanted<const O extends RestGenerics> extends RestEndpoint<O> {
  tenant = "a";
  protected secret(): string {
    return "s3cret";
  }
  get trace(): string {
    return `${this.tenant} ${this.secret()} ${this.path}`;
  }
}
Deno.test("13.E5 extend keeps the members of a subclass, however often", () => {
  const base = new Tenanted({ path: "/articles/:id", schema: Article });
  const extended = base.extend({ path: "/v2/articles/:slug", searchParams: undefined }).extend({ dataExpiryLength: 5 });
  same<Parameters<typeof extended>, [params: { slug: PathValue }]>();
  same<typeof extended["~types"]["data"], Article>();
  // @ts-expect-error a protected member stays protected
  void (() => extended.secret());
  assertEquals([extended.tenant, extended.trace], ["a", "a s3cret /v2/articles/:slug"]);
  // A plain endpoint gets no additional members.
  const plain = new RestEndpoint({ path: "/x" }).extend({ path: "/y" });
  same<typeof plain, RestEndpoint<{ readonly path: "/y" }>>();
});
