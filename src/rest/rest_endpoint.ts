import { originalOf, takeArgs } from "../endpoint/copy_plain.ts";
import { argsText, EndpointBase, type EndpointFunction } from "../endpoint/endpoint.ts";
import type { Get, OrUndefined } from "../endpoint/endpoint_types.ts";
import type { CallContext, CallReply, ErrorPolicy } from "../endpoint/interface.ts";
import { fetchResponse } from "../http/fetch_response.ts";
import { type CallParts, isDeclared, paramsOf, urlOf } from "./call_parts.ts";
import { policyFor } from "./error_policy.ts";
import { exchange, optionsIn } from "./exchange.ts";
import type { ListVerbOf, PageGenerics, PageOf } from "./list_types.ts";
import { type ListVerb, verbOf } from "./list_verbs.ts";
import { checkPrefix, type PathOwner } from "./origin.ts";
import { pageEndpointOf, paginate, type RemoveCursor } from "./paginated.ts";
import { PathTemplate } from "./path_template.ts";
import type { AnySearch, PathValue } from "./path_types.ts";
import { initOf, isSafe, upperMethod } from "./request.ts";
import { readResponse } from "./response.ts";
import type {
  AnyRestEndpoint,
  ContentType,
  Extension,
  RestArgs,
  RestEndpointOptions,
  RestExtendGenerics,
  RestExtendOptions,
  RestGenerics,
  RestHeaders,
  RestInit,
  RestMembers,
  RestResult,
  SideEffect,
} from "./rest_types.ts";
import { encodeSearch } from "./search_params.ts";

/** The members of a RestEndpoint that are data. A subclass may have them as fields or getters. */
// deno-lint-ignore no-explicit-any -- variance: an endpoint of unknown shape accepts all
export interface RestEndpoint<O extends RestGenerics = any>
  extends OrUndefined<Pick<RestMembers, "urlPrefix" | "requestInit" | "deadline" | "retry" | "use" | "getMany">> {
  /** Of all members of a resource: where one record is. */
  readonly recordPath?: string | undefined;
  /** Of a member that is for one record, as long as it has that path: members of the record are no search parameters. */
  readonly isDetail?: boolean | undefined;
  /** Where the endpoint is, in the dialect of path-to-regexp 9. */
  readonly path: Get<O, "path", string>;
  /** How an answer is read; not declared: by its content type. */
  readonly content?: Get<O, "content", ContentType | undefined>;
  /** The type of the body, as a value. `undefined`, if it is declared: calls have no body. */
  readonly body?: Get<O, "body", unknown>;
  /** The type of the search parameters, as a value. */
  readonly searchParams?: Get<O, "searchParams", AnySearch | undefined>;
}

/**
 * One URL template and method of a REST API: what it is called with, how its request is made and how its answer is read.
 *
 * Every member can be replaced in three ways: as an option, by `extend`, and in a subclass
 * (`class Api<O extends RestGenerics> extends RestEndpoint<O>`). In an option `this` is the endpoint, and
 * `RestEndpoint.prototype.getRequestInit.call(this, body)` is what `super` is in a class. Options win over class fields.
 *
 * A call runs: `url` → `getRequestInit` → `getHeaders` → `fetchResponse` → `parseResponse` → `process`. Promises:
 * - Parameters change neither origin nor number nor place of the segments of a URL. What is not in the path goes to the
 *   search, which is the same text for equal parameters, whatever their order.
 * - A call settles: after 30 seconds (`deadline`) at the latest, the reading of its body included.
 * - `method` decides whether there is a side effect: all but `GET` and `HEAD` have one, unless `sideEffect` says otherwise.
 * - `(params, body)` where there is a body; `(body)` alone where the path needs no parameters.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, RestEndpoint } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const getArticle = new RestEndpoint({
 *   urlPrefix: "https://api.example.com",
 *   path: "/articles/:id",
 *   searchParams: {} as { lang?: string },
 *   schema: Article,
 * });
 * assert(getArticle.url({ id: 5, lang: "en" }) === "https://api.example.com/articles/5?lang=en");
 * assert(getArticle.key({ id: "5" }) === "GET https://api.example.com/articles/5");
 * const publish = getArticle.extend({ path: "/articles/:id/publish", method: "POST", body: undefined });
 * assert(publish.sideEffect === true);
 * ```
 *
 * @example What all endpoints of an app have in common
 * ```ts
 * import { assert } from "@std/assert";
 * import { RestEndpoint, type RestGenerics } from "@rejoin/data";
 *
 * class ApiEndpoint<O extends RestGenerics> extends RestEndpoint<O> {
 *   override urlPrefix = "https://api.example.com";
 *   override getRequestInit(body?: unknown) {
 *     return { ...super.getRequestInit(body), credentials: "same-origin" as const };
 *   }
 * }
 * const getUser = new ApiEndpoint({ path: "/users/:id" });
 * assert(getUser.url({ id: 5 }) === "https://api.example.com/users/5");
 * assert(getUser.getRequestInit().method === "GET");
 * ```
 */
// deno-lint-ignore no-explicit-any -- variance: an endpoint of unknown shape accepts all
export class RestEndpoint<O extends RestGenerics = any>
  extends EndpointBase<RestArgs<O>, RestResult<O>, Get<O, "schema", undefined>, SideEffect<O>> {
  // Of the last path and the last urlPrefix: both may be getters.
  #template: PathTemplate | undefined;
  #prefix: readonly [urlPrefix: string, checked: string] | undefined;
  /** What a copy with another signal is a copy of: the two are asked for together. */
  #original: object = this;

  /**
   * @param options What and where it is. A member that is no option does not compile; an app that wants one of its own
   * puts it into `extra`, or adds it to the interface `RestOptions`.
   * @throws {UrlError} If `path` is in the dialect of an older path-to-regexp.
   */
  constructor(options: RestEndpointOptions<O>) {
    const { fetch, path, urlPrefix } = options as Readonly<Record<string, unknown>>;
    // Where the prefix is a class's, only its instance knows it.
    const name = new.target === RestEndpoint ? `${urlPrefix ?? ""}${path}` : undefined;
    super(fetch as EndpointFunction<RestArgs<O>, RestResult<O>>, options as object, name);
    if (/[?+()[\]!]/.test(String(path))) this.#template = new PathTemplate(String(path), this);
  }

  /** Names the endpoint in messages: the option, or prefix and path. */
  override get name(): string {
    return `${this.urlPrefix ?? ""}${this.path}`;
  }

  /** The HTTP method: the option; without it `POST` where there is a side effect or a declared body, else `GET`. */
  get method(): Get<O, "method", string> {
    const hasSideEffect = isDeclared(this, "sideEffect", RestEndpoint.prototype) && this.sideEffect;
    return (hasSideEffect || this.body !== undefined ? "POST" : "GET") as never;
  }

  /** Whether calls change something: the option; without it what the method says. */
  override get sideEffect(): SideEffect<O> {
    const method = upperMethod(this.settle());
    // What can be read once can be neither shared nor kept.
    if (this.content === "stream") return true as SideEffect<O>;
    return (isSafe(method) ? undefined : true) as SideEffect<O>;
  }

  /**
   * Sends the request and reads the answer. An override replaces the whole of it, deadline included.
   *
   * @param args The arguments of the call.
   * @returns What `process` gives.
   * @throws {UrlError} If no URL can be made; {@linkcode EndpointError} if the body cannot be sent.
   * @throws {NetworkError} If the server refuses or no answer comes; {@linkcode TimeoutError} if none comes in time.
   * @throws {ParseError} If the answer is not what the schema needs.
   */
  override async fetch(...args: RestArgs<O>): Promise<RestResult<O>> {
    const { value } = await this.settle().#call(takeArgs(args as readonly unknown[]));
    return originalOf(value) as RestResult<O>;
  }

  /**
   * What the controller calls: the same as `fetch`, which may find that the answer is the one that is there already.
   * Where `fetch` was replaced, that is called. It gives what `process` gives, or that nothing has changed.
   */
  async fetchReply(context: CallContext, args: readonly unknown[]): Promise<CallReply> {
    const call = this.extend(optionsIn(context, this.settle() as AnyRestEndpoint)) as RestEndpoint;
    call.#original = this.#original;
    return this.hasDeadline ? await call.#call(args, context) : { value: await call(...args) };
  }

  #call(args: readonly unknown[], context?: CallContext): Promise<CallReply> {
    return exchange(this as AnyRestEndpoint, args, this.#path(), this.#original, context);
  }

  /** Whether a call settles by itself, so that nobody need watch it: as long as no `fetch` was put in its place. */
  get hasDeadline(): boolean {
    return this.settle().fetch === RestEndpoint.prototype.fetch;
  }

  /** Whether the policy is the one below: that of a controller goes before it. */
  get hasCommonErrorPolicy(): boolean {
    return this.settle().errorPolicy === RestEndpoint.prototype.errorPolicy;
  }

  /** Whether there is a `process` that makes of any answer what the schema needs. */
  get hasProcess(): boolean {
    const { process } = this;
    const { of = process } = process as { readonly of?: unknown };
    return of !== RestEndpoint.prototype.process;
  }

  /** Which arguments of a call are parameters, and which is the body. */
  readArgs(args: readonly unknown[]): CallParts {
    const [given, second] = args;
    const method = upperMethod(this.settle());
    const isRead = isSafe(method);
    const template = this.#path();
    if (!isRead && args.length < 2 && !template.needsParams) {
      const isBody = "body" in this ? this.body !== undefined : method !== "DELETE";
      if (isBody) return { params: {}, body: given };
    }
    const params = paramsOf(this as AnyRestEndpoint, template, given);
    const parts = { params, body: isRead ? undefined : second };
    return given === undefined || params === given ? parts : { ...parts, record: given as object };
  }

  #path(): PathTemplate {
    const { path } = this;
    if (this.#template?.path !== path) this.#template = new PathTemplate(path as string, this);
    return this.#template;
  }

  #checkedPrefix(): string {
    const urlPrefix = this.urlPrefix ?? "";
    if (this.#prefix?.[0] !== urlPrefix) this.#prefix = [urlPrefix, checkPrefix(urlPrefix, this)];
    return this.#prefix[1];
  }

  /**
   * The URL of a call: `urlPrefix`, the path filled in, and the search. A relative prefix stays relative.
   *
   * @param given Parameters of path and search; only own members count, `undefined` is left out. To an endpoint of a
   *   resource for one record, that record: what the path takes of it.
   * @param _body The body of the call; it is no part of the URL.
   * @returns The URL. Its origin and its segments are those of the template, whatever the parameters.
   * @throws {UrlError} If a parameter is missing, empty, or of a kind that no URL can hold.
   */
  url(given: AnySearch = {}, _body?: unknown): string {
    return urlOf(this.settle() as AnyRestEndpoint, this.#checkedPrefix(), this.#path(), given);
  }

  /**
   * The search of a URL, without question mark: names sorted, arrays as `tag[]=a&tag[]=b`, objects as
   * `where[author]=5`, `null` as a name without `=`. Different parameters never give the same text.
   *
   * @param search The parameters that are no part of the path.
   * @returns The text.
   * @throws {UrlError} If a value has no text that could be told from others.
   */
  searchToString(search: AnySearch): string {
    return encodeSearch(search, this as PathOwner);
  }

  /**
   * Names a call: `METHOD url`, and the body where a read has one.
   *
   * @param args The arguments of the call.
   * @returns The same text for the same request, another for every other.
   * @throws {UrlError} If no URL can be made.
   * @throws {EndpointError} If the body of a read cannot be told from others by what it holds: a stream, a `Blob`.
   */
  override key(...args: RestArgs<O>): string {
    const method = upperMethod(this.settle());
    if (method === "GET" && this.readArgs === RestEndpoint.prototype.readArgs) {
      return `GET ${this.url(args[0] as AnySearch)}`;
    }
    const { params, body } = this.readArgs(args);
    const line = `${method} ${this.url(params, body)}`;
    return body === undefined || body === null || this.sideEffect
      ? line
      : `${line} ${argsText(this.name, body, "the body")}`;
  }

  /**
   * Whether a key belongs to this endpoint, whatever its arguments. Takes time in proportion to the length of the key.
   */
  override testKey(key: string): boolean {
    const start = `${upperMethod(this.settle())} ${this.#checkedPrefix()}`;
    return key.startsWith(start) && this.#path().matches(key.slice(start.length));
  }

  /**
   * Options for `fetch`: `requestInit`, the method, the signal, the body and its headers. Synchronous, so that
   * `{ ...super.getRequestInit(body), credentials: "same-origin" }` keeps them all; an override may be async.
   *
   * @param body The body of the call: `FormData`, `Blob`, `URLSearchParams`, strings, bytes and streams are sent as they
   * are, everything else as JSON; `undefined` or `null` is none.
   * @returns Options for `fetch`. Its `headers` are a plain object.
   * @throws {EndpointError} If the body cannot be sent.
   */
  getRequestInit(body?: unknown): RestInit {
    return initOf(this.settle() as AnyRestEndpoint, body);
  }

  /**
   * Completes the headers; called after `getRequestInit`.
   *
   * @param headers What `getRequestInit` gave, as a plain object: `{ ...headers, "Access-Token": token }` keeps them.
   * @returns The headers, in any form that `fetch` takes; may be a promise.
   */
  getHeaders(headers: Record<string, string>): RestHeaders | Promise<RestHeaders> {
    return headers;
  }

  /**
   * Sends the request.
   *
   * @param url An absolute URL.
   * @param init Options for `fetch`.
   * @returns An answer whose `ok` is true.
   * @throws {NetworkError} If the server refuses or no answer comes.
   */
  fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return fetchResponse(url, init);
  }

  /**
   * Reads the answer as `content` says, else by its content type: 204 as `null`, JSON parsed; where a schema waits for JSON, anything else is
   * refused. Without schema, or with a `process` of one's own, text is given as text and anything else as a `Blob`. A
   * mutation may be answered with nothing (`""`) or plain text.
   *
   * @param response An ok answer, its body not read.
   * @returns What it holds.
   * @throws {ParseError} If it is broken JSON, or HTML where JSON was expected.
   */
  parseResponse(response: Response): Promise<unknown> {
    return readResponse(this as AnyRestEndpoint, response);
  }

  /** Makes of the answer, as `parseResponse` gave it, what is stored and returned. May be async. */
  // deno-lint-ignore no-explicit-any -- the app annotates what its server sends
  process(value: any, ..._args: any): unknown {
    return value;
  }

  /**
   * How an error meets data that is already there: `"soft"` (it stays) for what may pass by itself, that is no answer, no
   * answer in time, and 5xx; `"hard"` for everything else.
   *
   * @param error Whatever the call was rejected with.
   */
  override errorPolicy(error: unknown): ErrorPolicy {
    return policyFor(error);
  }

  /**
   * A copy with some members replaced; arguments, answer and data are inferred anew. The original stays as it is; the
   * class, and what it overrides, is kept.
   *
   * @param options What is different. `undefined` takes an option back, so that the class's own member counts; for
   * `schema`, `body` and `searchParams` it means: none.
   * @returns A new endpoint, whose options have won over class fields already.
   */
  override extend<P extends RestExtendGenerics>(options: RestExtendOptions<P>): Extension<this, O, P> {
    const Class = this.constructor as new (options: object) => RestEndpoint;
    const extended = new Class({ ...this["~options"], ...options }).settle();
    if (extended.path === this.path) extended.#template ??= this.#template;
    if (Object.keys(options).every((name) => name === "signal")) extended.#original = this.#original;
    return extended as never;
  }

  /**
   * The pages of a list, where one of its arguments says which. What a page brings joins the list that has the other
   * arguments: its items come behind those of the pages that were asked for before, each once, and all else is as the
   * last page has it. Fetching the list itself again replaces its first page only.
   *
   * @param removeCursor The name of that parameter; or takes the arguments of a page, gives those of the list. Pure.
   * @returns An endpoint with the arguments that `removeCursor` has. Its own answer is the page; where the schema has a
   *   `Collection`, the list.
   */
  paginated<const F extends string>(removeCursor: F): RestEndpoint<PageGenerics<O, { [K in F]: PathValue }>>;
  paginated<A extends readonly [object?, ...unknown[]]>(
    removeCursor: (...args: A) => readonly unknown[],
  ): RestEndpoint<PageGenerics<O, NonNullable<A[0]>>>;
  paginated(removeCursor: string | RemoveCursor): never {
    return paginate(this.settle(), removeCursor) as never;
  }

  /** The pages of a list: {@linkcode RestEndpoint.paginated} by the parameter that the option `paginationField` names. */
  get getPage(): PageOf<O> {
    return pageEndpointOf(this.settle()) as never;
  }

  /** `POST` to the address of the list: what the server makes joins the end of the lists that it belongs to. */
  get push(): ListVerbOf<O, "push"> {
    return this.#verb("push") as never;
  }

  /** The same at the beginning of the lists. */
  get unshift(): ListVerbOf<O, "unshift"> {
    return this.#verb("unshift") as never;
  }

  /** `POST` to the address of a list of `Values`: what the server makes is put under its name. */
  get assign(): ListVerbOf<O, "assign"> {
    return this.#verb("assign") as never;
  }

  /** `PATCH` at the address of the list: the item leaves the lists that the call does not exclude, and stays a record. */
  get remove(): ListVerbOf<O, "remove"> {
    return this.#verb("remove") as never;
  }

  /** `PATCH` of a record: it goes into the lists that it matches now, and out of those that it does not. */
  get move(): ListVerbOf<O, "move"> {
    return this.#verb("move") as never;
  }

  #verb(verb: ListVerb): AnyRestEndpoint {
    return verbOf(this.settle(), verb, RestEndpoint.prototype as AnyRestEndpoint);
  }
}
