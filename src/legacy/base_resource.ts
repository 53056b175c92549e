import type { EndpointBase } from "../endpoint/endpoint.ts";
import { SchemaError } from "../errors/errors.ts";
import { send, withDeadline } from "../http/request.ts";
import type { ResourceClass, ResourceInput, ResourceStatics } from "./endpoint_types.ts";
import { equal } from "../plain/equal.ts";
import type { Args, Value } from "../plain/value.ts";
import { joinUrl, searchText } from "../rest/path.ts";
import { RestEndpointBase } from "../rest/rest_endpoint.ts";
import { Entity, type OverridableStatics } from "../schemas/entity.ts";
import type { Pk } from "../store/schema.ts";

/** What `once` has made, by class and name. */
const made = new WeakMap<object, Map<string, Value>>();
/** Makes a value once for a class and a name. A subclass gets its own. */
export function once<T>(owner: object, name: string, make: () => T): T {
  const own = made.get(owner) ?? new Map<string, Value>();
  if (!own.has(name)) made.set(owner, own.set(name, make()));
  return own.get(name);
}

function rootOf({ name, urlRoot }: Value): string {
  if (typeof urlRoot == "string" && urlRoot) return urlRoot;
  throw new SchemaError(901, [name]);
}
const addressOf = (input: ResourceInput): string => input instanceof Request ? input.url : `${input}`;

const Base: Value = class BaseResource extends (Entity as Value) { // its type is `OpenBase`
  static get key(): string {
    return rootOf(this);
  }
  static url(params: Value = {}): string {
    return joinUrl(rootOf(this).replace(/\/$/, ""), "/:pk", { pk: this.pk(params) });
  }
  static listUrl(params: Value = {}): string {
    const search = searchText(params);
    return rootOf(this) + (search && `?${search}`);
  }
  static fetch(input: ResourceInput, init: RequestInit): Promise<Value> {
    const { method = "GET" } = init;
    const endpoint: Value = this.endpoint().extend({ method }); // has what `exchange` needs
    return withDeadline(endpoint, addressOf(input), (exchange) => exchange(endpoint, init));
  }
  static fetchResponse(input: ResourceInput, init: RequestInit): Promise<Response> {
    return send(addressOf(input), init);
  }
  static init(init: RequestInit): RequestInit {
    return this.getFetchInit(init);
  }
  static getFetchInit = (init: RequestInit): RequestInit => init;
  static getEndpointExtra(): object | undefined {
    return;
  }
  static memo(name: string, construct: () => Value): Value {
    return once(this, `app ${name}`, construct);
  }
  static endpoint(): Value {
    return once(
      this,
      "endpoint",
      () => new ClassEndpoint({ method: "GET", ...this.getEndpointExtra(), name: this.name, resource: this }),
    );
  }
  static endpointMutate(): Value {
    return once(this, "endpointMutate", () => this.endpoint().extend({ method: "POST" }));
  }
  get url(): string {
    return (this.constructor as Value).url(this); // the class of the instance
  }
};

type Plain = Pick<typeof Entity, "fromJS" | "defaults"> & (new () => ResourceInstance);
/**
 * The members of an instance beside its fields. A mapped type, so that a class may declare `url` without `override`.
 */
export type ResourceInstance = { readonly [K in "url"]: string };
/** A mapped type, because `noImplicitOverride` applies only to declared members. */
type Overridable = { -readonly [K in Exclude<keyof ResourceStatics, never>]: ResourceStatics[K] };
const OpenBase: Plain & OverridableStatics & Overridable = Base;

/** An entity that knows the URL of its records. The app makes endpoints from `endpoint()` and `endpointMutate()`. */
export abstract class BaseResource extends OpenBase {
  /** The primary key. */
  abstract pk(parent?: Value, key?: string, args?: readonly Value[]): Pk;
}

/** An endpoint of a class, whose statics give its URL and options. */
export class ClassEndpoint extends RestEndpointBase {
  declare readonly resource: ResourceClass;
  declare readonly isList: boolean;
  declare readonly fetchInit: RequestInit | undefined;
  constructor(options: Value) {
    const { resource, isList, fetchInit: requestInit } = options, root = rootOf(resource);
    const urlPrefix = root.replace(/\/$/, ""), path = isList ? root.slice(urlPrefix.length) : "/:pk";
    super({ ...options, requestInit, urlPrefix, path });
  }
  get init(): RequestInit {
    return this.getFetchInit();
  }
  override url(params: Value = {}): string {
    return this.isList ? this.resource.listUrl(params) : this.resource.url(params);
  }
  override testKey(key: string): boolean {
    const start = `${this.method} ${this.urlPrefix}`, { url, listUrl } = this.resource;
    if (url === Base.url && listUrl === Base.listUrl && !Object.hasOwn(this, "url")) return super.testKey(key);
    // If the app overrides the URL, any URL below `urlRoot` may be one of this endpoint.
    return key.startsWith(start) && /^($|[/? ])/.test(key.slice(start.length));
  }
  override getRequestInit(body?: Value): RequestInit {
    return this.getFetchInit(body);
  }
  getFetchInit(body?: Value): RequestInit {
    return this.resource.init(super.getRequestInit(body));
  }
  /**
   * A class that calls `super.list().extend({ schema })` makes a new schema at each call. Equal schemas become one
   * object, because answers belong to their schema object.
   */
  override extend(options: Value): EndpointBase {
    if (!("schema" in options)) return super.extend(options);
    const known = once<Value[]>(this.resource, "schemas", () => []);
    const schema = known.find((one) => equal(one, options.schema)) ?? known[known.push(options.schema) - 1];
    return super.extend({ ...options, schema });
  }
  override async fetch(...args: Args): Promise<Value> {
    const { resource, signal = null } = this;
    if (resource.fetch === Base.fetch) return await super.fetch(...args);
    const { params, body } = this.readArgs(args), init = await this.getRequestInit(body);
    return this.process(await resource.fetch(this.url(params), { ...init, signal }), ...args);
  }
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return this.resource.fetchResponse(url, init);
  }
  override parseResponse(response: Response): Promise<Value> {
    return super.parseResponse(response).catch((error: Value) => {
      // 5.0 gave a ParseError this status.
      if (error.code === 604) error.status = 400;
      throw error;
    });
  }
}
