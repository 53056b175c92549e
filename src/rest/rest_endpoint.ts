import { EndpointBase, settle } from "../endpoint/endpoint.ts";
import type { ErrorPolicy, RunEndpoint } from "../endpoint/endpoint_types.ts";
import { checks } from "../errors/checks.ts";
import { readBody } from "../http/read_body.ts";
import { isUpload, type Requesting, send, withDeadline } from "../http/request.ts";
import type { Step } from "../parts/step.ts";
import { argsText } from "../plain/args_text.ts";
import { isPlain } from "../plain/equal.ts";
import type { Args, Value } from "../plain/value.ts";
import { entityOf } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { joinUrl, pathOf, searchText } from "./path.ts";
import type { RestHeaders } from "./rest_types.ts";

/** The arguments of a call, split. */
export interface CallParts {
  readonly params: Value;
  readonly body?: Value;
}
/**
 * Whether a body is sent as JSON; `fetch` takes any other as it is. The tag decides, because tests may run with a
 * simulated page, which has classes of its own. Forms of happy-dom have no tag.
 */
const isJson = (body: Value): boolean =>
  !isUpload(body) && / (Object|Array|Number|Boolean|Date)]/.test(Object.prototype.toString.call(body));
/** Headers as a plain object, so that overrides can spread them. */
export const plainHeaders = (headers: RequestInit["headers"] = {}): Record<string, string> =>
  Symbol.iterator in headers ? Object.fromEntries(new Headers(headers)) : headers;
/** The methods that change nothing on the server. */
const READS = /^(GET|HEAD|QUERY)$/;

/** The options that the class does not read itself, or only for `http`. */
export interface RestEndpointBase
  extends Requesting, Pick<RunEndpoint, "getOptimisticResponse" | "readReply" | "expires"> {}
/**
 * The code of `RestEndpoint`, without pages and the verbs of lists. A call runs `url` → `getRequestInit` → `getHeaders` →
 * `fetchResponse` → `parseResponse` → `process`.
 */
export class RestEndpointBase extends EndpointBase {
  declare readonly path: string;
  declare readonly urlPrefix: string | undefined;
  declare readonly schema: Value;
  declare readonly body: unknown;
  declare readonly requestInit: RequestInit | undefined;
  declare readonly use: readonly Step[] | undefined;

  constructor(options: Value) {
    super(options, { name: (options.urlPrefix ?? "") + options.path });
  }
  get method(): string {
    return this.body === undefined && !this["~options"].sideEffect ? "GET" : "POST";
  }
  /** Whether calls share no request: they change something on the server, or give a stream, which is read once. */
  get sideEffect(): boolean | undefined {
    return !READS.test(this.method) || this.content === "stream" || undefined;
  }
  /** Splits the arguments: a body comes last. It may stand alone if the path has no parameters. */
  readArgs(args: Args): CallParts {
    const [first, second] = args, { method } = this;
    const hasBody = method !== "GET" && method !== "HEAD" &&
      ("body" in this ? this.body !== undefined : method !== "DELETE");
    const isAlone = hasBody && args.length < 2 && !pathOf(this.path).tokens.some((token) => "name" in token);
    return { params: isAlone ? {} : first ?? {}, body: isAlone ? first : hasBody ? second : undefined };
  }
  url(params: Value = {}, _body?: Value): string {
    const { path, urlPrefix = "" } = settle(this), { names } = pathOf(path), search: Value = {};
    // An entity may stand in for the parameters. Only the path takes members from it, the search does not.
    if (isPlain(params)) { for (const name in params) if (!names.includes(name)) search[name] = params[name]; }
    const url = joinUrl(urlPrefix, path, params), text = this.searchToString(search);
    return text ? url + (url.includes("?") ? "&" : "?") + text : url;
  }
  searchToString(search: Value): string {
    return searchText(search);
  }
  override key(...args: Args): string {
    const { method, sideEffect } = settle(this), { params, body } = this.readArgs(args);
    const key = `${method} ${this.url(params, body)}`;
    return body === undefined || sideEffect ? key : `${key} ${argsText(body)}`;
  }
  override testKey(key: string): boolean {
    const { method, path, urlPrefix = "" } = settle(this), start = `${method} ${urlPrefix}`;
    return key.startsWith(start) && pathOf(path).test.test(key.slice(start.length));
  }
  /** The pk of the record that a mutation changes: that of `get` at this URL, or the one in the params or body. */
  subject(args: Args, store: Store): string | undefined {
    const E = entityOf(this.schema, Object.assign({}, ...args)), { params, body } = this.readArgs(args);
    if (!E || this.method === "POST") return;
    const get = store.scope(E).answers.get(`GET ${this.url(params, body)}`);
    return get?.kept ?? E.queryKey([params], store) ?? (isPlain(body) ? E.queryKey([body], store) : undefined);
  }
  /** Whether the arguments name one record and nothing else: only then may the stored record answer the call. */
  namesRecord(args: Args): boolean {
    return args.length < 2 && /[:*](\w+|".*")\}?\/?$/.test(this.path) && !this.url(args[0]).includes("?");
  }

  /** The options for `fetch`. It is not async, so that an override can spread what `super.getRequestInit` returns. */
  getRequestInit(body?: Value): RequestInit {
    const { method, requestInit } = settle(this), headers = plainHeaders(requestInit?.headers);
    const hasType = !isJson(body) || new Headers(headers).has("content-type");
    return {
      ...requestInit,
      method,
      headers: hasType ? headers : { "Content-Type": "application/json", ...headers },
      ...body != null && { body: isJson(body) ? JSON.stringify(body) : body },
    };
  }
  getHeaders(headers: Record<string, string>): RestHeaders | Promise<RestHeaders> {
    return headers;
  }
  async fetch(...args: Args): Promise<Value> {
    const { params, body } = this.readArgs(args);
    // A URL that begins with `//` gets its scheme from the page; without a page it is https.
    const url = this.url(params, body).replace(/^(?=\/\/)/, globalThis.location ? "" : "https:");
    checks.url?.(url);
    return await withDeadline(this, url, async (exchange) => {
      // The last step is applied first, so that each step can call the members as the steps after it have made them.
      const call = this.use?.reduceRight<RestEndpointBase>(
        (inner, step) => Object.assign(Object.create(inner), step(inner, args)),
        this,
      ) ?? this;
      const init = await call.getRequestInit(body), headers = await call.getHeaders(plainHeaders(init.headers));
      return call.process(await exchange(call, { ...init, headers }), ...args);
    });
  }
  fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return send(url, init);
  }
  parseResponse(response: Response): Promise<Value> {
    return readBody(response, this.content, !!this.schema, !!this.sideEffect);
  }
  process(value: Value, ..._args: Args): Value {
    return value;
  }
  /** A network failure, a timeout and a 5xx are often over soon, so old data stay shown. */
  errorPolicy(error: Value): ErrorPolicy {
    return [601, 603].includes(error?.code) || error?.status >= 500 ? "soft" : "hard";
  }
}
