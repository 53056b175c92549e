import { SchemaError } from "../errors/errors.ts";
import { withDeadline } from "../http/deadline.ts";
import { exchange, send } from "../http/request.ts";
import type { Value } from "../plain/value.ts";
import { joinUrl, searchText } from "../rest/path.ts";
import { Entity, type OverridableStatics } from "../schemas/entity.ts";
import type { Pk } from "../store/pk_types.ts";
import { ClassEndpoint } from "./class_endpoint.ts";
import type { ResourceClass, ResourceInput, ResourceStatics } from "./resource_class.ts";

/** What was made for a class, by name. */
const made = new WeakMap<object, Map<string, Value>>();
/** What is made once for a class and a name; a subclass has its own. */
export function once<T>(owner: object, name: string, make: () => T): T {
  const own = made.get(owner) ?? new Map<string, Value>();
  if (!own.has(name)) made.set(owner, own.set(name, make()));
  return own.get(name);
}

function rootOf({ name, urlRoot }: ResourceClass): string {
  if (typeof urlRoot == "string" && urlRoot) return urlRoot;
  throw new SchemaError(901, [name]);
}
function recordUrl(this: ResourceClass, params: Value = {}): string {
  return joinUrl(rootOf(this).replace(/\/$/, ""), "/:pk", { pk: this.pk(params) });
}
function listUrl(this: ResourceClass, params: Value = {}): string {
  const search = searchText(params);
  return rootOf(this) + (search && `?${search}`);
}
const addressOf = (input: ResourceInput): string => input instanceof Request ? input.url : `${input}`;

async function fetchOf(this: ResourceClass, input: ResourceInput, init: RequestInit): Promise<Value> {
  const { method = "GET" } = init, url = addressOf(input);
  const endpoint: Value = this.endpoint().extend({ method }); // it has what `exchange` asks for
  return await withDeadline(endpoint, [method, url], (deadline) => exchange(endpoint, url, init, deadline));
}

const Base: Value = class BaseResource extends (Entity as Value) { // typed below
  static get key(): string {
    return rootOf(this as unknown as ResourceClass); // the class as it runs
  }
  static set key(value: string) {
    Object.defineProperty(this, "key", { value, writable: true, configurable: true });
  }
  static get hasOwnFetch(): boolean {
    return (this.fetch as Value) !== fetchOf; // of a subclass
  }
  static url = recordUrl;
  static listUrl = listUrl;
  static fetch = fetchOf;
  static fetchResponse(input: ResourceInput, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers), isText = typeof init.body == "string";
    // As in 5.0, a text is JSON where its type is not said.
    if (isText && !headers.has("content-type")) headers.set("content-type", "application/json");
    return send(addressOf(input), isText ? { ...init, headers } : init);
  }
  static init(init: RequestInit): RequestInit {
    return this.getFetchInit(init);
  }
  static getFetchInit = (init: RequestInit): RequestInit => init;
  static getEndpointExtra = (): object | undefined => undefined;
  static memo(name: string, construct: () => Value): Value {
    const label = name.replace(/^#/, "");
    return once(this, `app ${label}`, () => construct().extend({ name: `${this.name}.${label}` }));
  }
  static endpoint(): Value {
    return once(this, "endpoint", () => {
      const resource = this as unknown as ResourceClass; // the class as it runs
      rootOf(resource);
      const isUsual = (this.url as Value) === recordUrl && (this.listUrl as Value) === listUrl; // of a subclass
      return new ClassEndpoint({
        method: "GET",
        ...this.getEndpointExtra(),
        name: `${this.name}.endpoint`,
        resource,
        isList: false,
        isUsual,
      });
    });
  }
  static endpointMutate(): Value {
    return once(
      this,
      "endpointMutate",
      () => this.endpoint().extend({ method: "POST", name: `${this.name}.endpointMutate` }),
    );
  }
  get url(): string {
    return (this.constructor as Value).url(this); // its class
  }
};

type Plain = Pick<typeof Entity, "fromJS" | "defaults"> & (new () => ResourceInstance);
/** What an instance has beside its fields. Mapped, so that a class may declare a member of that name without `override`. */
export type ResourceInstance = { readonly [K in "url"]: string };
/** `noImplicitOverride` looks at declarations, and a mapped member has none. */
type Overridable = { -readonly [K in Exclude<keyof ResourceStatics, never>]: ResourceStatics[K] };
const OpenBase: Plain & OverridableStatics & Overridable = Base;

/** An entity that knows where its records are, with endpoints that the app makes of `endpoint()` and `endpointMutate()`. */
export abstract class BaseResource extends OpenBase {
  /** The primary key. */
  abstract pk(parent?: Value, key?: string, args?: readonly Value[]): Pk;
}
