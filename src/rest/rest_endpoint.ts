import { EndpointBase, type EndpointFunction } from "../endpoint/endpoint.ts";
import type { Get } from "../endpoint/endpoint_types.ts";
import type { CallContext, CallReply, ErrorPolicy } from "../endpoint/interface.ts";
import { isTemporaryId } from "../endpoint/temporary_id.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { UrlError } from "../errors/url_error.ts";
import { fetchResponse } from "../http/fetch_response.ts";
import { type Watch, withDeadline } from "../http/deadline.ts";
import { addIdempotencyKey } from "../http/idempotency_key.ts";
import { DEFAULT_DEADLINE, request } from "../http/request.ts";
import { argsKey } from "../schemas/args_key.ts";
import { originalOf, takeArgs } from "../endpoint/copy_plain.ts";
import { type AnySchema, isEntity } from "../schemas/interface.ts";
import { checkPrefix, resolveUrl } from "./origin.ts";
import { entityOf } from "./mutation_replies.ts";
import type { AnySearch, PathValue } from "./path_types.ts";
import { type Params, PathTemplate } from "./path_template.ts";
import { encodeBody, hasHeader, plainHeaders, toHeaders } from "./request.ts";
import type { ListVerbOf, PageGenerics, PageOf } from "./list_types.ts";
import { movedTo, placeOf, verbOf } from "./list_verbs.ts";
import { pageEndpointOf, paginate, type RemoveCursor } from "./paginated.ts";
import { type Expected, isNormalizable, readResponse } from "./response.ts";
import type { GetMany } from "./steps/batch.ts";
import type { Step, StepCall, StepReply } from "./steps/step.ts";
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
  RestOptions,
  RestResult,
  SideEffect,
} from "./rest_types.ts";
import { encodeSearch } from "./search_params.ts";
import { buildUrl } from "./url.ts";

/** Which arguments of a call are what. */
export interface CallParts {
  /** Parameters of path and search. */
  readonly params: Params;
  /** `undefined`: no body. */
  readonly body: unknown;
  /** The entity that was given in place of parameters: those are then what the path takes of it. */
  readonly record?: object | undefined;
}

/** One call on its way. */
interface ExchangedCall {
  readonly args: readonly unknown[];
  readonly parts: CallParts;
  readonly url: string;
  readonly context: CallContext | undefined;
}

/** The members of a RestEndpoint that are data. A subclass may have them as fields or getters. */
// deno-lint-ignore no-explicit-any -- variance: an endpoint of unknown shape accepts all
export interface RestEndpoint<O extends RestGenerics = any> {
  /** Where the endpoint is, in the dialect of path-to-regexp 9. */
  readonly path: Get<O, "path", string>;
  /** What comes before `path`. */
  readonly urlPrefix?: string | undefined;
  /** How an answer is read; not declared: by its content type. */
  readonly content?: Get<O, "content", ContentType | undefined>;
  /** The type of the body, as a value. `undefined`, if it is declared: calls have no body. */
  readonly body?: Get<O, "body", unknown>;
  /** The type of the search parameters, as a value. */
  readonly searchParams?: Get<O, "searchParams", AnySearch | undefined>;
  /** Options for `fetch` of every call. */
  readonly requestInit?: RequestInit | undefined;
  /** How long a call may take, all attempts and the body included, in ms. */
  readonly deadline?: number | undefined;
  /** How often a call is sent again at most, after a failure that may pass. */
  readonly retry?: number | false | undefined;
  /** How the server knows an attempt at a call for a repetition. */
  readonly idempotencyKey?: RestOptions["idempotencyKey"];
  /** What is done beside sending the request and reading its answer, from the outermost. */
  readonly use?: readonly Step[] | undefined;
  /** How many single reads become one request. */
  readonly getMany?: GetMany | undefined;
  /** Of an endpoint for one record, as a resource makes it: its path. Members of the record are no search parameters. */
  readonly recordPath?: string | undefined;
  /** Of all members of a resource: where one record is. */
  readonly recordTemplate?: PathTemplate | undefined;
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
  #template: PathTemplate | undefined;
  /** What a copy with another signal is a copy of: the two are asked for together. */
  #original: object = this;
  // The last urlPrefix and what became of it: it may be a getter.
  #prefix: readonly [urlPrefix: string, checked: string] | undefined;

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
    const hasSideEffect = isDeclared(this, "sideEffect") && this.sideEffect;
    return (hasSideEffect || this.body !== undefined ? "POST" : "GET") as never;
  }

  /** Whether calls change something: the option; without it what the method says. */
  override get sideEffect(): SideEffect<O> {
    const method = upperMethod(this.settle());
    // What can be read once can be neither shared nor kept.
    if (this.content === "stream") return true as SideEffect<O>;
    return (method === "GET" || method === "HEAD" ? undefined : true) as SideEffect<O>;
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
   * Where `fetch` was replaced, that is called.
   *
   * @param context What the controller knows of earlier replies.
   * @param args The arguments of the call.
   * @returns What `process` gives, or that nothing has changed.
   */
  async fetchReply(context: CallContext, args: readonly unknown[]): Promise<CallReply> {
    const { signal, defaults } = context;
    const deadline = this.settle().deadline ?? defaults.deadline;
    const retry = this.retry ?? defaults.retry;
    const call = this.extend({ signal, deadline, retry } as object) as unknown as RestEndpoint;
    call.#original = this.#original;
    return this.hasDeadline ? await call.#call(args, context) : { value: await call(...args) };
  }

  /** One call, all of it under one deadline: by itself, or together with others of this tick. */
  async #call(args: readonly unknown[], context?: CallContext): Promise<CallReply> {
    checkContent(this as AnyRestEndpoint);
    const { name } = this;
    if (typeof this.getMany === "object") throw new EndpointError(name, said(547, { name }));
    for (const option of ["conditional", "cacheControl", "ifMatch"]) {
      // To send without what somebody relies on would lose data: an `ifMatch` that is none overwrites.
      if (this[option as keyof this]) throw new EndpointError(name, said(519, { name, option }));
    }
    const parts = this.readArgs(args);
    refuseUnnamed(this.name, this.#path().names, parts.params);
    const { deadline = DEFAULT_DEADLINE, signal } = this;
    const call: ExchangedCall = { args, context, parts, url: resolveUrl(this.url(parts.params, parts.body), this) };
    return await withDeadline((watch) => {
      const alone = () => this.#exchange(call, watch);
      const { getMany } = this;
      if (getMany === undefined || context === undefined) return alone();
      const endpoint = this as AnyRestEndpoint;
      const { signal } = watch;
      const { params } = parts;
      const idName = this.#path().lastName;
      return getMany(
        { endpoint, original: this.#original, idName, params, args, url: call.url, context, signal },
        alone,
      );
    }, { method: upperMethod(this), url: call.url, deadline, signal, handsOut: this.content === "stream" });
  }

  /** One exchange with the server. Without context it knows of no earlier one. */
  async #exchange({ args, context, parts: { body }, url }: ExchangedCall, watch: Watch): Promise<CallReply> {
    const { then: _, ...given } = await this.getRequestInit(body) as RestInit;
    const headers = toHeaders(await this.getHeaders(plainHeaders(given.headers)));
    const init = { ...given, headers };
    const method = init.method ?? upperMethod(this);
    addIdempotencyKey(headers, this, method, args);
    const send = async (call: StepCall): Promise<StepReply> => {
      let response: Response | undefined;
      const value = await request(call.url, call.init, {
        retry: this.retry,
        stream: this.content === "stream",
        fetchResponse: call.fetchResponse,
        parseResponse: (answer) => call.parseResponse(response = answer),
      }, call.watch);
      return { value, response };
    };
    const run = (this.use ?? []).reduceRight<typeof send>((next, step) => (call) => step(call, next), send);
    const { response: _response, ...reply } = await run({
      endpoint: this as AnyRestEndpoint,
      args,
      body,
      method,
      url,
      init,
      context,
      watch,
      fetchResponse: (url, init) => this.fetchResponse(url, init),
      parseResponse: (response) => this.parseResponse(response),
    });
    return reply.unchanged ? reply : { ...reply, value: await this.process(reply.value, ...args) };
  }

  /** Whether a call settles by itself, so that nobody need watch it: as long as no `fetch` was put in its place. */
  get hasDeadline(): boolean {
    return this.settle().fetch === RestEndpoint.prototype.fetch;
  }

  /** Whether the policy is the one below: that of a controller goes before it. */
  get hasCommonErrorPolicy(): boolean {
    return this.settle().errorPolicy === RestEndpoint.prototype.errorPolicy;
  }

  /**
   * Which arguments of a call are parameters, and which is the body.
   *
   * @param args The arguments of a call.
   */
  readArgs(args: readonly unknown[]): CallParts {
    const [first, second] = args;
    const method = upperMethod(this.settle());
    if (method === "GET" || method === "HEAD") return this.#parts(first, undefined);
    if (args.length > 1) return this.#parts(first, second);
    const declared = isDeclared(this, "body");
    const hasBody = declared ? this.body !== undefined : method !== "DELETE";
    return hasBody && !this.#path().needsParams ? { params: {}, body: first } : this.#parts(first, undefined);
  }

  #parts(given: unknown, body: unknown): CallParts {
    const params = this.#params(given);
    return given === undefined || params === given ? { params, body } : { params, body, record: given as object };
  }

  #params(value: unknown): Params {
    if (value === undefined) return {};
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const params = value as Params;
      if (!this.#isOfRecord || !isEntity(params.constructor)) return params;
      const names = [...this.#path().names].filter((name) => params[name] !== undefined);
      return Object.fromEntries(names.map((name) => [name, params[name]]));
    }
    const { name } = this;
    throw new EndpointError(name, said(500, { name, value, names: [...this.#path().names] }));
  }

  /** Whether what is no part of the path would be a member of the record, sent by mistake. */
  get #isOfRecord(): boolean {
    return this.recordPath !== undefined && this.recordPath === this.path;
  }

  /** What is in a URL is in logs: members of a record go there only where the endpoint says so. */
  #checkSearch(names: readonly string[]): void {
    const entity = this.#isOfRecord && this.searchParams === undefined ? entityOf(this) : undefined;
    const parameter = entity && names.find((name) => Object.hasOwn(entity.defaults, name));
    if (parameter === undefined) return;
    const { name: endpoint, path } = this as { readonly name: string; readonly path: string };
    const problem = said(501, { entity: entity!.key, names: [...this.#path().names] });
    throw new UrlError(problem, { path, endpoint, parameter });
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
    const params = this.settle().#params(given);
    const template = this.#path();
    const prefix = this.#checkedPrefix();
    const plain = template.fillPlain(params);
    const url = plain === undefined ? buildUrl(prefix, template, params, this) : prefix + plain;
    let names: string[] | undefined;
    for (const name in params) {
      if (template.names.has(name) || params[name] === undefined || !Object.hasOwn(params, name)) continue;
      if (names === undefined) names = [name];
      else names.push(name);
    }
    if (names === undefined) return url;
    this.#checkSearch(names);
    const text = this.searchToString === RestEndpoint.prototype.searchToString
      ? encodeSearch(params, this as { readonly name: string; readonly path: string }, names)
      : this.searchToString(pick(params, names));
    if (text === "") return url;
    return plain !== undefined || !url.includes("?") ? `${url}?${text}` : `${url}&${text}`;
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
    return encodeSearch(search, this as { readonly name: string; readonly path: string });
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
    if (body === undefined || body === null || this.sideEffect) return line;
    try {
      return `${line} ${argsKey(body)}`;
    } catch (cause) {
      if (!(cause instanceof SchemaError)) throw cause;
      throw new EndpointError(this.name, said(502, { name: this.name, cause }), { cause });
    }
  }

  /**
   * Whether a key belongs to this endpoint, whatever its arguments. Takes time in proportion to the length of the key.
   *
   * @param key A key.
   */
  override testKey(key: string): boolean {
    const start = `${upperMethod(this.settle())} ${this.#checkedPrefix()}`;
    if (!key.startsWith(start)) return false;
    const end = key.slice(start.length).search(/[? ]/);
    const path = end === -1 ? key.slice(start.length) : key.slice(start.length, start.length + end);
    return this.#path().matches(path);
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
    this.settle();
    const encoded = encodeBody(body, this);
    const headers = plainHeaders(this.requestInit?.headers);
    if (encoded.contentType !== undefined && !hasHeader(headers, "content-type")) {
      headers["Content-Type"] = encoded.contentType;
    }
    const init: RestInit = { ...this.requestInit, method: upperMethod(this), headers };
    if (encoded.body !== undefined) init.body = encoded.body;
    if (this.signal) init.signal = init.signal ? AbortSignal.any([init.signal, this.signal]) : this.signal;
    return init;
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
    return readResponse(response, expectedOf(this as AnyRestEndpoint, response));
  }

  /**
   * Makes of the answer what is stored and returned. May be async.
   *
   * @param value What `parseResponse` gave.
   * @param _args The arguments of the call.
   */
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
    if (!RejoinError.is(error)) return "hard";
    if (error.name === "TimeoutError") return "soft";
    if (error.name !== "NetworkError") return "hard";
    const { status } = error as { readonly status?: number };
    return status === undefined || status >= 500 ? "soft" : "hard";
  }

  /**
   * A copy with some members replaced; arguments, answer and data are inferred anew. The original stays as it is; the
   * class, and what it overrides, is kept.
   *
   * @param options What is different. `undefined` takes an option back, so that the class's own member counts; for
   * `schema`, `body` and `searchParams` it means: none.
   * @returns A new endpoint, whose options have won over class fields already.
   */
  override extend<P extends RestExtendGenerics>(
    options: RestExtendOptions<P>,
  ): Extension<this, O, P> {
    const Class = this.constructor as new (options: object) => RestEndpoint;
    const extended = new Class(this.#merged(options)).settle();
    if (extended.path === this.path) extended.#template ??= this.#template;
    if (Object.keys(options).every((name) => name === "signal")) extended.#original = this.#original;
    return extended as never;
  }

  /** The options of a copy. A list that is elsewhere is another list, unless the app says which it is. */
  #merged(options: object): object {
    const own = this["~options"];
    const merged: Record<string, unknown> = { ...own, ...options };
    if (Object.hasOwn(own, "schema") && !Object.hasOwn(options, "schema")) {
      const { urlPrefix = this.urlPrefix, path = this.path } = merged;
      merged.schema = movedTo(own.schema as AnySchema, placeOf(this.settle()), placeOf({ urlPrefix, path }));
    }
    return merged;
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
  paginated<const F extends string>(
    removeCursor: F,
  ): RestEndpoint<PageGenerics<O, { [K in F]: PathValue }>>;
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

  /** `POST` to the place of the list: what the server makes joins the end of the lists that it belongs to. */
  get push(): ListVerbOf<O, "push"> {
    return verbOf(this.settle(), "push", RestEndpoint.prototype as AnyRestEndpoint) as never;
  }

  /** The same at the beginning of the lists. */
  get unshift(): ListVerbOf<O, "unshift"> {
    return verbOf(this.settle(), "unshift", RestEndpoint.prototype as AnyRestEndpoint) as never;
  }

  /** `POST` to the place of a list of `Values`: what the server makes is put under its name. */
  get assign(): ListVerbOf<O, "assign"> {
    return verbOf(this.settle(), "assign", RestEndpoint.prototype as AnyRestEndpoint) as never;
  }

  /** `PATCH` at the place of the list: the item leaves the lists that the call does not exclude, and stays a record. */
  get remove(): ListVerbOf<O, "remove"> {
    return verbOf(this.settle(), "remove", RestEndpoint.prototype as AnyRestEndpoint) as never;
  }

  /** `PATCH` of a record: it goes into the lists that it matches now, and out of those that it does not. */
  get move(): ListVerbOf<O, "move"> {
    return verbOf(this.settle(), "move", RestEndpoint.prototype as AnyRestEndpoint) as never;
  }
}

const CONTENT: ReadonlySet<unknown> = new Set(["json", "text", "blob", "arrayBuffer", "stream", undefined]);

/** Before anything is sent: a mutation would otherwise be carried out, and its answer be unreadable. */
function checkContent(endpoint: AnyRestEndpoint): void {
  const { content, name } = endpoint;
  if (!CONTENT.has(content)) throw new EndpointError(name, said(503, { name, content }));
  if (content === undefined || content === "json" || !isNormalizable(endpoint.schema) || isProcessed(endpoint)) return;
  throw new EndpointError(name, said(504, { name, content }));
}

/** What is known of an answer before it is read. */
export function expectedOf(endpoint: AnyRestEndpoint, response: Response): Expected {
  return {
    method: upperMethod(endpoint),
    url: response.url || endpoint.name,
    schema: endpoint.schema as AnySchema,
    processed: isProcessed(endpoint),
    content: endpoint.content as ContentType | undefined,
    sideEffect: Boolean(endpoint.sideEffect),
  };
}

function isProcessed({ process }: AnyRestEndpoint): boolean {
  const { of = process } = process as { readonly of?: unknown };
  return of !== RestEndpoint.prototype.process;
}

/** Whether an option was given, or a class has the member: for those whose `undefined` says something, too. */
function isDeclared(endpoint: object, name: string): boolean {
  for (let of = endpoint; of !== RestEndpoint.prototype && of !== null; of = Object.getPrototypeOf(of)) {
    if (Object.hasOwn(of, name)) return true;
  }
  return false;
}

/** Some of the parameters, without prototype: they may have any name. */
function pick(params: AnySearch, names: readonly string[]): AnySearch {
  const picked = Object.create(null) as Record<string, unknown>;
  for (const name of names) picked[name] = params[name];
  return picked;
}

function upperMethod({ method }: { readonly method?: unknown }): string {
  return method === "GET" ? method : String(method).toUpperCase();
}

/**
 * Whatever a store has named itself it has put in place before: what is left is of a page that was reloaded since, or of
 * another store.
 *
 * @throws {EndpointError} If a parameter of the path is the name of a record that the server was to create.
 */
function refuseUnnamed(endpoint: string, names: Iterable<string>, params: Params): void {
  for (const name of names) {
    const value = params[name];
    if (!(Array.isArray(value) ? value.some(isTemporaryId) : isTemporaryId(value))) continue;
    throw new EndpointError(endpoint, said(505, { endpoint, name }));
  }
}
