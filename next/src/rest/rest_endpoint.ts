import { argsText } from "../plain/args_text.ts";
import { EndpointClass } from "../endpoint/endpoint.ts";
import { checks } from "../errors/errors.ts";
import { exchange, readBody, send } from "../http/request.ts";
import type { Step } from "../parts/step.ts";
import { entityOf } from "../store/schema.ts";
import { isPlain } from "../plain/equal.ts";
import { fillPath, matchesPath, pathOf, searchText } from "./path.ts";

/** The arguments of a call. */
export interface CallParts {
  readonly params: any;
  readonly body?: any;
}

/** An endpoint of a REST API: `url` → `getRequestInit` → `getHeaders` → `fetchResponse` → `parseResponse` → `process`. */
export class RestEndpointBase extends EndpointClass {
  declare name: string;
  declare path: string;
  declare urlPrefix: string;
  declare method: string;
  declare schema: any;
  declare signal: AbortSignal | undefined;
  declare requestInit: any;
  declare content: string | undefined;
  declare deadline: number | undefined;
  declare retry: number | undefined;
  declare use: readonly Step[] | undefined;

  constructor(options: any) {
    const { urlPrefix = "", path, body } = options;
    super({ name: urlPrefix + path, method: body === undefined ? "GET" : "POST", ...options });
  }
  /** Whether it changes something on the server. */
  get sideEffect(): boolean | undefined {
    return this.method !== "GET" && !/^(GET|HEAD|QUERY)$/i.test(this.method) || undefined;
  }
  /** Says which argument is what: the body comes last, where the method has one. */
  readArgs(args: readonly any[]): CallParts {
    const [first, second] = args,
      hasBody = this.method !== "GET" && !/^(GET|HEAD)$/i.test(this.method) &&
        ((this as any).body !== undefined || !("body" in this));
    if (args.length > 1) return { params: first ?? {}, body: hasBody ? second : undefined };
    const isBody = hasBody && this.method !== "DELETE" && !pathOf(this.path).names.length;
    return isBody ? { params: {}, body: first } : { params: first ?? {} };
  }
  url(params: any = {}): string {
    const { path, urlPrefix = "" } = this, { names } = pathOf(path), search: any = {};
    // Of an instance that stands for its parameters only the members count that the path names.
    if (isPlain(params)) { for (const name in params) if (!names.includes(name)) search[name] = params[name]; }
    const url = urlPrefix + fillPath(path, params), text = this.searchToString(search);
    return text ? url + (url.includes("?") ? "&" : "?") + text : url;
  }
  searchToString(search: any): string {
    return searchText(search);
  }
  key(...args: any[]): string {
    const { params, body } = this.readArgs(args), key = `${this.method} ${this.url(params)}`;
    return body === undefined || this.sideEffect ? key : `${key} ${argsText(body)}`;
  }
  /** The pk of the record that a mutation is about: of the one that `get` with the same params shows, or what they name. */
  subject(args: readonly any[], store: any): string | undefined {
    const E = entityOf(this.schema), { params } = this.readArgs(args);
    if (!E || this.method === "POST") return;
    const get = store.scope(E).answers.get(`GET ${this.url(params)}`);
    return get?.kept ?? E.queryKey([params], store);
  }
  /** Whether a call names one record, and says nothing else: then the record that is stored may answer it. */
  namesRecord(args: readonly any[]): boolean {
    return args.length < 2 && /[:*][^/]*\/?$/.test(this.path) && !this.url(args[0]).includes("?");
  }
  testKey(key: string): boolean {
    return matchesPath(`${this.method} ${this.urlPrefix ?? ""}`, this.path, key);
  }
  getRequestInit(body?: any): any {
    const isJson = isPlain(body);
    return {
      ...this.requestInit,
      method: this.method.toUpperCase(),
      headers: { ...isJson && { "Content-Type": "application/json" }, ...this.requestInit?.headers },
      ...body != null && { body: isJson ? JSON.stringify(body) : body },
    };
  }
  getHeaders(headers: any): any {
    return headers;
  }
  async fetch(...args: any[]): Promise<any> {
    const { params, body } = this.readArgs(args), url = this.url(params);
    // Each step sees the call as those after it have made it.
    const call = (this.use ?? []).reduceRight(
      (inner: any, step) => Object.assign(Object.create(inner), step(inner, args)),
      this,
    );
    const init = await call.getRequestInit(body);
    checks.url?.(url);
    const headers = await call.getHeaders(init.headers);
    return call.process(await exchange(call, url, { ...init, headers }), ...args);
  }
  fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return send(url, init);
  }
  parseResponse(response: Response): Promise<any> {
    return readBody(response, this.content, !!this.schema && !this.sideEffect);
  }
  process(value: any, ..._args: any[]): any {
    return value;
  }
  /** No reply, no reply in time, and 5xx may pass: data that are there stay shown. */
  errorPolicy(error: any): "soft" | "hard" {
    return [601, 603].includes(error.code) || error.status >= 500 ? "soft" : "hard";
  }
  /** Pages of this list. `removeCursor` takes the arguments of a page, and returns those of the list that it continues. */
  paginated(removeCursor: ((...args: any[]) => any[]) | string): any {
    const listArgs = typeof removeCursor == "string"
      ? ({ [removeCursor]: _, ...rest }: any) => Object.keys(rest).length ? [rest] : []
      : removeCursor;
    return this.extend({ list: this, listArgs });
  }
}
