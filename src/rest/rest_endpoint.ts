import { EndpointBase, settle } from "../endpoint/endpoint.ts";
import type { ErrorPolicy, RunEndpoint } from "../endpoint/endpoint_types.ts";
import { checks } from "../errors/checks.ts";
import { readBody } from "../http/read_body.ts";
import { type Requesting, send, withDeadline } from "../http/request.ts";
import type { Step } from "../parts/step.ts";
import { argsText } from "../plain/args_text.ts";
import { isPlain } from "../plain/equal.ts";
import type { Args, Value } from "../plain/value.ts";
import { entityOf } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { joinUrl, pathOf, searchText } from "./path.ts";
import type { RestHeaders } from "./rest_types.ts";

/** The arguments of a call. */
export interface CallParts {
  readonly params: Value;
  readonly body?: Value;
}
/** What is sent as JSON; anything else `fetch` takes as it is. Asked by tag: a page in a test has classes of its own. */
const isJson = (body: Value): boolean =>
  / (Object|Array|Number|Boolean|Date)]/.test(Object.prototype.toString.call(body));
/** Headers as a plain object, which can be spread. */
export const plainHeaders = (headers: RequestInit["headers"] = {}): Record<string, string> =>
  Symbol.iterator in headers ? Object.fromEntries(new Headers(headers)) : headers;
/** The methods that change nothing on a server. */
const READS = /^(GET|HEAD|QUERY)$/;

/** An endpoint of a REST API: `url` → `getRequestInit` → `getHeaders` → `fetchResponse` → `parseResponse` → `process`. */
export class RestEndpointBase extends EndpointBase implements Requesting {
  declare readonly path: string;
  declare readonly urlPrefix: string | undefined;
  declare readonly schema: Value;
  declare readonly body: unknown;
  declare readonly requestInit: RequestInit | undefined;
  declare readonly content: string | undefined;
  declare readonly signal: AbortSignal | undefined;
  declare readonly deadline: number | undefined;
  declare readonly retry: number | false | undefined;
  declare readonly use: readonly Step[] | undefined;
  declare readonly paginationField: string | undefined;
  declare readonly getOptimisticResponse: RunEndpoint["getOptimisticResponse"];
  declare readonly readReply: RunEndpoint["readReply"];
  declare readonly expires: RunEndpoint["expires"];

  constructor(options: Value) {
    super(options, { name: (options.urlPrefix ?? "") + options.path });
  }
  get method(): string {
    return this.body === undefined && !this["~options"].sideEffect ? "GET" : "POST";
  }
  /** Whether it changes something on the server. A stream can be read once, so that no two calls share it. */
  get sideEffect(): boolean | undefined {
    return !READS.test(this.method) || this.content === "stream" || undefined;
  }
  /** Says which argument is what: the body comes last, where the method has one. */
  readArgs(args: Args): CallParts {
    const [first, second] = args, { method } = this;
    const hasBody = method !== "GET" && method !== "HEAD" &&
      ("body" in this ? this.body !== undefined : method !== "DELETE");
    const isAlone = hasBody && args.length < 2 && !pathOf(this.path).tokens.some((token) => "name" in token);
    return { params: isAlone ? {} : first ?? {}, body: isAlone ? first : hasBody ? second : undefined };
  }
  url(params: Value = {}, _body?: Value): string {
    const { path, urlPrefix = "" } = settle(this), { names } = pathOf(path), search: Value = {};
    // Of an instance that stands for its parameters only the members count that the path names.
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
    const { method, path, urlPrefix = "" } = settle(this);
    const start = `${method} ${urlPrefix}`;
    return key.startsWith(start) && pathOf(path).test.test(key.slice(start.length));
  }
  /** The pk of the record that a mutation is about: of the one that `get` shows, or what params or else the body name. */
  subject(args: Args, store: Store): string | undefined {
    const E = entityOf(this.schema, Object.assign({}, ...args)), { params, body } = this.readArgs(args);
    if (!E || this.method === "POST") return;
    const get = store.scope(E).answers.get(`GET ${this.url(params, body)}`);
    return get?.kept ?? E.queryKey([params], store) ?? (isPlain(body) ? E.queryKey([body], store) : undefined);
  }
  /** Whether a call names one record, and says nothing else: then the record that is stored may answer it. */
  namesRecord(args: Args): boolean {
    return args.length < 2 && /[:*](\w+|".*")\}?\/?$/.test(this.path) && !this.url(args[0]).includes("?");
  }

  /** Options for `fetch`. Not async, so that an override may spread it. */
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
    // Without a page there is no scheme to take over.
    const url = this.url(params, body).replace(/^(?=\/\/)/, globalThis.location ? "" : "https:");
    checks.url?.(url);
    return await withDeadline(this, url, async (exchange) => {
      // Each step sees the call as those after it have made it.
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
  /** No reply, no reply in time, and 5xx may pass: data that are there stay shown. */
  errorPolicy(error: Value): ErrorPolicy {
    return [601, 603].includes(error?.code) || error?.status >= 500 ? "soft" : "hard";
  }
  /** Pages of this list. `removeCursor` takes the arguments of a page, and returns those of the list that it continues. */
  paginated(removeCursor: ((...args: Args) => Args) | string): EndpointBase {
    const listArgs = typeof removeCursor == "string"
      ? ({ [removeCursor]: _, ...rest }: Value) => Object.keys(rest).length ? [rest] : []
      : removeCursor;
    return this.extend({ list: this, listArgs });
  }
  get getPage(): EndpointBase {
    return this.paginated(this.paginationField ?? "cursor");
  }
}
