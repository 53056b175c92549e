import type { Value } from "../plain/value.ts";
import { readReply } from "../rest/replies.ts";
import { Invalidate } from "../schemas/invalidate.ts";
import { BaseResource, once } from "./base_resource.ts";
import type { EndpointOf, Open } from "./endpoint_types.ts";

/** The endpoints of a {@linkcode Resource}, each made once per class. A class may replace each without `override`. */
export interface ResourceEndpoints {
  /** `GET url(params)`: one record. */
  detail<T extends typeof Resource & Open>(this: T): EndpointOf<T, "detail">;
  /** `GET listUrl(params)`: an array of records. */
  list<T extends typeof Resource & Open>(this: T): EndpointOf<T, "list">;
  /** `POST listUrl(params)`: a new record. Called with `(body)` or `(params, body)`. */
  create<T extends typeof Resource & Open>(this: T): EndpointOf<T, "create">;
  /** `PUT url(params)`: replaces the record. */
  update<T extends typeof Resource & Open>(this: T): EndpointOf<T, "update">;
  /** `PATCH url(params)`: replaces the members that the body has. */
  partialUpdate<T extends typeof Resource & Open>(this: T): EndpointOf<T, "update">;
  /** `DELETE url(params)`: deletes the record, also in the store. */
  delete<T extends typeof Resource & Open>(this: T): EndpointOf<T, "delete">;
}
/** The hooks of a {@linkcode HookableResource}. A class may replace each without `override`. */
export interface ResourceHooks {
  /**
   * Options for `fetch` of every request, for example from a context. It is a hook, and runs whenever another hook
   * does.
   */
  useFetchInit(init: RequestInit): RequestInit;
  /** `GET url(params)`: one record. */
  useDetail<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, "detail">;
  /** `GET listUrl(params)`: an array of records. */
  useList<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, "list">;
  /** `POST listUrl(params)`: a new record. Called with `(body)` or `(params, body)`. */
  useCreate<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, "create">;
  /** `PUT url(params)`: replaces the record. */
  useUpdate<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, "update">;
  /** `PATCH url(params)`: replaces the members that the body has. */
  usePartialUpdate<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, "update">;
  /** `DELETE url(params)`: deletes the record, also in the store. */
  useDelete<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, "delete">;
}
// These are mapped types, because `noImplicitOverride` applies only to declared members.
type OverridableEndpoints = { [K in Exclude<keyof ResourceEndpoints, never>]: ResourceEndpoints[K] };
type OverridableHooks = { [K in Exclude<keyof ResourceHooks, never>]: ResourceHooks[K] };

const OPTIONS: { readonly [name: string]: { readonly method?: string; readonly isList?: boolean } } = {
  detail: {},
  list: { isList: true },
  create: { method: "POST", isList: true },
  update: { method: "PUT" },
  partialUpdate: { method: "PATCH" },
  delete: { method: "DELETE" },
};

/**
 * Makes one of the six endpoints of a class. A create expires the list of the class; a deleted record leaves it at
 * once.
 */
function endpointOf(resource: Value, name: string): Value {
  return once(resource, name, () => {
    const options = OPTIONS[name];
    return resource.endpoint().extend({
      ...options,
      name: `${resource.name}.${name}`,
      schema: name === "delete" ? new Invalidate(resource) : name === "list" ? [resource] : resource,
      ...options!.method && { readReply },
      ...name === "create" && { expires: () => [resource.list?.() ?? endpointOf(resource, "list")] },
    });
  });
}

/** Makes a class that has a static method for each endpoint. */
function withEndpoints(nameOf: (name: string) => string, make: (resource: Value, name: string) => Value): Value {
  class Resource extends BaseResource {
    override pk(): undefined {}
  }
  for (const name in OPTIONS) {
    (Resource as Value)[nameOf(name)] = function (this: Value): Value { // by name
      return make(this, name);
    };
  }
  return Resource;
}

const OpenResource: typeof BaseResource & OverridableEndpoints = /* @__PURE__ */ withEndpoints(
  (name) => name,
  endpointOf,
);

/**
 * An entity and its endpoints in one class, as in 5.0: `useSuspense(Article.detail(), { id })`. In new code, write an
 * `Entity` and a `resource`. Both forms work side by side in one store.
 *
 * `Article.detail() === Article.detail()`; a subclass has its own endpoints. `static key` is `urlRoot`, unless the
 * class declares another.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Resource } from "@rejoin/data/legacy";
 *
 * class Article extends Resource {
 *   id: number | undefined = undefined;
 *   title = "";
 *   pk() {
 *     return this.id;
 *   }
 *   static urlRoot = "https://api.example.com/articles";
 *   static list() {
 *     return super.list().extend({ schema: { results: [this], total: 0 } });
 *   }
 * }
 * assert(Article.detail() === Article.detail());
 * assert(Article.detail().key({ id: 5 }) === "GET https://api.example.com/articles/5");
 * assert(Article.list().url({ tag: "deno" }) === "https://api.example.com/articles?tag=deno");
 * ```
 */
export abstract class Resource extends OpenResource {}

/** The endpoint of a class with the hook's options. It is a copy, because other components use the shared endpoint. */
function hooked(resource: Value, name: string): Value {
  const endpoint = endpointOf(resource, name), given = endpoint.fetchInit ?? {};
  const fetchInit = resource.useFetchInit(given);
  return fetchInit === given ? endpoint : endpoint.extend({ fetchInit });
}

const OpenHookableResource: typeof BaseResource & OverridableHooks = /* @__PURE__ */ Object.assign(
  /* @__PURE__ */ withEndpoints((name) => `use${name[0]!.toUpperCase()}${name.slice(1)}`, hooked),
  { useFetchInit: (init: RequestInit) => init },
);

/**
 * A {@linkcode Resource} whose endpoints come from hooks, as in 5.0, for requests that need something from a context.
 * Headers are not part of a key, so reset the store when another user logs in.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { HookableResource } from "@rejoin/data/legacy";
 *
 * class Article extends HookableResource {
 *   id = "";
 *   pk() {
 *     return this.id;
 *   }
 *   static urlRoot = "https://api.example.com/articles";
 *   static useFetchInit(init: RequestInit) {
 *     return { ...init, credentials: "include" as const }; // a hook: it may use a context
 *   }
 * }
 * // In a component: useSuspense(Article.useDetail(), { id: "5" })
 * assert(Article.useDetail().init.credentials === "include");
 * ```
 */
export abstract class HookableResource extends OpenHookableResource {}
