import type { EndpointBase } from "../endpoint/endpoint.ts";
import { ParseError } from "../errors/errors.ts";
import { equal } from "../plain/equal.ts";
import type { Args, Value } from "../plain/value.ts";
import { type CallParts, RestEndpointBase } from "../rest/rest_endpoint.ts";
import type { ResourceClass } from "./resource_class.ts";

/** The schemas of the endpoints of a class. */
const schemas = new WeakMap<object, Value[]>();

/** An endpoint of a class: URL and options are what the statics of the class say, the rest is inherited. */
export class ClassEndpoint extends RestEndpointBase {
  declare readonly resource: ResourceClass;
  declare readonly isList: boolean;
  declare readonly fetchInit: RequestInit | undefined;
  /** Where only the class makes the URLs: then keys tell what they are of. */
  declare readonly isUsual: boolean;

  constructor(options: Value) {
    const { resource: { urlRoot }, isList, fetchInit } = options, isSlashed = urlRoot.endsWith("/");
    const urlPrefix = isSlashed ? urlRoot.slice(0, -1) : urlRoot, path = isList ? isSlashed ? "/" : "" : "/:pk";
    super({ ...options, requestInit: fetchInit, urlPrefix, path });
  }
  get init(): RequestInit {
    return this.getFetchInit();
  }
  override readArgs(args: Args): CallParts {
    const [first = {}, second] = args;
    // As in 5.0: what is alone with an endpoint that creates is the body.
    return this.isList && this.method !== "GET" && args.length < 2
      ? { params: {}, body: args[0] }
      : { params: first, body: second };
  }
  override url(...args: Value[]): string {
    const { params } = this.readArgs(args);
    return this.isList ? this.resource.listUrl(params) : this.resource.url(params);
  }
  override testKey(key: string): boolean {
    const start = `${this.method} ${this.urlPrefix}`, isOwn = !this.isUsual || Object.hasOwn(this, "url");
    // Where the app makes the URL, it may be any below urlRoot.
    return isOwn ? key.startsWith(start) && /^($|[/? ])/.test(key.slice(start.length)) : super.testKey(key);
  }
  override getRequestInit(body?: Value): RequestInit {
    return this.getFetchInit(body);
  }
  getFetchInit(body?: Value): RequestInit {
    return this.resource.init(super.getRequestInit(body));
  }
  /** A method that extends `super.list()` writes its schema anew at each call: an equal one is the same answer. */
  override extend(options: Value): EndpointBase {
    const { schema } = options, known = schemas.get(this.resource) ?? [];
    schemas.set(this.resource, known);
    const same = known.find((one) => equal(one, schema)) ?? known[known.push(schema) - 1];
    return super.extend("schema" in options ? { ...options, schema: same } : options);
  }
  override async fetch(...args: Args): Promise<Value> {
    if (!this.resource.hasOwnFetch) return await super.fetch(...args);
    const { params, body } = this.readArgs(args), init = await this.getRequestInit(body), { signal } = this;
    return this.process(
      await this.resource.fetch(this.url(params, body), { ...init, ...signal && { signal } }),
      ...args,
    );
  }
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return this.resource.fetchResponse(url, init);
  }
  override parseResponse(response: Response): Promise<Value> {
    return super.parseResponse(response).catch((error: unknown) => {
      // As in 5.0.
      throw error instanceof ParseError ? Object.assign(error, { status: 400 }) : error;
    });
  }
}
