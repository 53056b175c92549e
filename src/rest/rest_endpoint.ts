import { EndpointBase, type EndpointFunction } from "../endpoint/endpoint.ts";
import type { Get } from "../endpoint/endpoint_types.ts";
import type { ErrorPolicy } from "../endpoint/interface.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { fetchResponse } from "../http/fetch_response.ts";
import { withDeadline } from "../http/deadline.ts";
import { DEFAULT_DEADLINE, request } from "../http/request.ts";
import { argsKey } from "../schemas/args_key.ts";
import type { AnySchema } from "../schemas/interface.ts";
import { checkPrefix, resolveUrl } from "./origin.ts";
import type { AnySearch } from "./path_types.ts";
import { type Params, PathTemplate } from "./path_template.ts";
import { encodeBody, hasHeader, plainHeaders, toHeaders } from "./request.ts";
import { readResponse } from "./response.ts";
import type {
  Extend,
  RestArgs,
  RestEndpointOptions,
  RestExtendGenerics,
  RestExtendOptions,
  RestGenerics,
  RestHeaders,
  RestInit,
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
}

/** The members of a RestEndpoint that are data. A subclass may have them as fields or getters. */
// deno-lint-ignore no-explicit-any -- variance: an endpoint of unknown shape accepts all
export interface RestEndpoint<O extends RestGenerics = any>
  extends EndpointBase<RestArgs<O>, RestResult<O>, Get<O, "schema", undefined>, SideEffect<O>> {
  /** Where the endpoint is, in the dialect of path-to-regexp 9. */
  readonly path: Get<O, "path", string>;
  /** What comes before `path`. */
  readonly urlPrefix?: string | undefined;
  /** The type of the body, as a value. `undefined`, if it is declared: calls have no body. */
  readonly body?: Get<O, "body", unknown>;
  /** The type of the search parameters, as a value. */
  readonly searchParams?: Get<O, "searchParams", AnySearch | undefined>;
  /** Options for `fetch` of every call. */
  readonly requestInit?: RequestInit | undefined;
  /** How long a call may take, its body included, in ms. */
  readonly deadline?: number | undefined;
}

/**
 * One URL template and method of a REST API: what it is called with, how its request is made and how its answer is read.
 *
 * Every member can be replaced in three ways: as an option, by `extend`, and in a subclass
 * (`class Api<O extends RestGenerics = any> extends RestEndpoint<O>`). In an option `this` is the endpoint, and
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
 *   pk() {
 *     return this.id;
 *   }
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
 * // deno-lint-ignore no-explicit-any -- the parameter is inferred at each `new`
 * class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
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
  readonly #options: Readonly<Record<string, unknown>>;
  #template: PathTemplate | undefined;
  // The last urlPrefix and what became of it: it may be a getter.
  #prefix: readonly [urlPrefix: string, checked: string] | undefined;

  /**
   * @param options What and where it is. A member that is no option does not compile; an app that wants one of its own
   * puts it into `extra`, or adds it to the interface `RestOptions`.
   * @throws {UrlError} If `path` is in the dialect of an older path-to-regexp.
   */
  constructor(options: RestEndpointOptions<O>) {
    const { fetch, ...others } = options as unknown as Readonly<Record<string, unknown>>;
    super(fetch as EndpointFunction<RestArgs<O>, RestResult<O>>, others as object);
    this.#options = { ...others, fetch };
    if (/[?+()[\]!]/.test(String(others.path))) this.#template = new PathTemplate(String(others.path), this);
  }

  /** Names the endpoint in messages: the option, or prefix and path. */
  override get name(): string {
    return `${this.urlPrefix ?? ""}${this.path}`;
  }

  /** The HTTP method: the option; without it `POST` where there is a side effect or a declared body, else `GET`. */
  get method(): Get<O, "method", string> {
    const hasSideEffect = Object.hasOwn(this, "sideEffect") && this.sideEffect;
    return (hasSideEffect || (Object.hasOwn(this, "body") && this.body !== undefined) ? "POST" : "GET") as never;
  }

  /** Whether calls change something: the option; without it what the method says. */
  override get sideEffect(): SideEffect<O> {
    const method = upperMethod(this.settle());
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
    this.settle();
    const { params, body } = this.readArgs(args);
    const url = resolveUrl(this.url(params), this);
    const { then: _, ...init } = await this.#inTime(url, this.getRequestInit(body)) as RestInit;
    const given = await this.#inTime(url, this.getHeaders(plainHeaders(init.headers)));
    const value = await request(url, { ...init, headers: toHeaders(given as RestHeaders) }, {
      deadline: this.deadline,
      fetchResponse: (url, init) => this.fetchResponse(url, init),
      parseResponse: (response) => this.parseResponse(response),
    });
    return await this.#inTime(url, this.process(value, ...args as readonly unknown[])) as RestResult<O>;
  }

  /** What an async override gives, if it gives it in time: a token that never comes must not hold a call for ever. */
  async #inTime(url: string, given: unknown): Promise<unknown> {
    if (typeof (given as PromiseLike<unknown> | undefined)?.then !== "function") return given;
    const deadline = this.deadline ?? DEFAULT_DEADLINE;
    return await withDeadline(async () => await given, {
      method: upperMethod(this),
      url,
      deadline,
      signal: this.signal,
    });
  }

  /** Whether a call settles by itself, so that nobody need watch it: as long as no `fetch` was put in its place. */
  get hasDeadline(): boolean {
    return this.settle().fetch === RestEndpoint.prototype.fetch;
  }

  /**
   * Which arguments of a call are parameters, and which is the body.
   *
   * @param args The arguments of a call.
   */
  readArgs(args: readonly unknown[]): CallParts {
    const [first, second] = args;
    const method = upperMethod(this.settle());
    const mayHaveBody = method !== "GET" && method !== "HEAD";
    if (args.length > 1) return { params: this.#params(first), body: mayHaveBody ? second : undefined };
    const declared = Object.hasOwn(this, "body");
    const hasBody = mayHaveBody && (declared ? this.body !== undefined : method !== "DELETE");
    return hasBody && !this.#path().needsParams
      ? { params: {}, body: first }
      : { params: this.#params(first), body: undefined };
  }

  #params(value: unknown): Params {
    if (value === undefined) return {};
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Params;
    const names = [...this.#path().names];
    throw new EndpointError(
      this.name,
      `Cannot call "${this.name}" with ${
        value === null ? "null" : JSON.stringify(value)
      }: parameters are an object, such as { ${names.length > 0 ? names.join(", ") : "page"} }`,
    );
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
   * @param params Parameters of path and search; only own members count, `undefined` is left out.
   * @returns The URL. Its origin and its segments are those of the template, whatever the parameters.
   * @throws {UrlError} If a parameter is missing, empty, or of a kind that no URL can hold.
   */
  url(params: AnySearch = {}): string {
    this.settle();
    const template = this.#path();
    const url = buildUrl(this.#checkedPrefix(), template, params, this);
    let search: Record<string, unknown> | undefined;
    for (const name of Object.keys(params)) {
      if (params[name] === undefined || template.names.has(name)) continue;
      // without prototype, so that a parameter may have any name
      search ??= Object.create(null) as Record<string, unknown>;
      search[name] = params[name];
    }
    const text = search === undefined ? "" : this.searchToString(search);
    return text === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${text}`;
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
    this.settle();
    const { params, body } = this.readArgs(args);
    const line = `${upperMethod(this)} ${this.url(params)}`;
    if (body === undefined || body === null || this.sideEffect) return line;
    try {
      return `${line} ${argsKey(body)}`;
    } catch (cause) {
      if (!(cause instanceof SchemaError)) throw cause;
      throw new EndpointError(this.name, `${cause.message} (in the body of "${this.name}")`, { cause });
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
   * Reads the answer by its content type: 204 as `null`, JSON parsed; where a schema waits for JSON, anything else is
   * refused. Without schema, or with a `process` of one's own, text is given as text and anything else as a `Blob`. A
   * mutation may be answered with nothing (`""`) or plain text.
   *
   * @param response An ok answer, its body not read.
   * @returns What it holds.
   * @throws {ParseError} If it is broken JSON, or HTML where JSON was expected.
   */
  parseResponse(response: Response): Promise<unknown> {
    return readResponse(response, {
      method: upperMethod(this),
      url: response.url || this.name,
      schema: this.schema as AnySchema,
      processed: this.process !== RestEndpoint.prototype.process,
      sideEffect: Boolean(this.sideEffect),
    });
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
  ): RestEndpoint<Extend<O, P>> {
    const Class = this.constructor as new (options: object) => RestEndpoint;
    const extended = new Class({ ...this.#options, ...options }).settle();
    if (extended.path === this.path) extended.#template ??= this.#template;
    return extended as never;
  }
}

function upperMethod(endpoint: { readonly method?: unknown }): string {
  return String(endpoint.method).toUpperCase();
}
