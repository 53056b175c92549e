import type { Value } from "../plain/value.ts";
import { readReply } from "../rest/replies.ts";
import { Invalidate } from "../schemas/invalidate.ts";
import { BaseResource, once } from "./base_resource.ts";
import type { EndpointOf, Open } from "./endpoint_types.ts";

/** The endpoints of a {@linkcode Resource}, each made once per class. Each may be replaced, without `override`. */
export interface ResourceEndpoints {
  /** `GET url(params)`: one record. */
  detail<T extends typeof Resource & Open>(this: T): EndpointOf<T, "detail">;
  /** `GET listUrl(params)`: an array of records. */
  list<T extends typeof Resource & Open>(this: T): EndpointOf<T, "list">;
  /** `POST listUrl(params)`: a new record. Called with `(body)` or `(params, body)`. */
  create<T extends typeof Resource & Open>(this: T): EndpointOf<T, "create">;
  /** `PUT url(params)`: the record is replaced. */
  update<T extends typeof Resource & Open>(this: T): EndpointOf<T, "update">;
  /** `PATCH url(params)`: the members that are sent are replaced. */
  partialUpdate<T extends typeof Resource & Open>(this: T): EndpointOf<T, "update">;
  /** `DELETE url(params)`: the record is deleted, here too. */
  delete<T extends typeof Resource & Open>(this: T): EndpointOf<T, "delete">;
}
/** The hooks of a {@linkcode HookableResource}. Each may be replaced, without `override`. */
export interface ResourceHooks {
  /** Options for `fetch` of every request, from a context for instance. A hook: it runs each time one of the others does. */
  useFetchInit(init: RequestInit): RequestInit;
  /** `GET url(params)`: one record. */
  useDetail<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, "detail">;
  /** `GET listUrl(params)`: an array of records. */
  useList<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, "list">;
  /** `POST listUrl(params)`: a new record. Called with `(body)` or `(params, body)`. */
  useCreate<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, "create">;
  /** `PUT url(params)`: the record is replaced. */
  useUpdate<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, "update">;
  /** `PATCH url(params)`: the members that are sent are replaced. */
  usePartialUpdate<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, "update">;
  /** `DELETE url(params)`: the record is deleted, here too. */
  useDelete<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, "delete">;
}
// Mapped types have no declarations, so that no `override` is needed.
type OverridableEndpoints = { [K in Exclude<keyof ResourceEndpoints, never>]: ResourceEndpoints[K] };
type OverridableHooks = { [K in Exclude<keyof ResourceHooks, never>]: ResourceHooks[K] };

const OPTIONS: { readonly [name: string]: object } = {
  detail: {},
  list: { isList: true },
  create: { method: "POST", isList: true },
  update: { method: "PUT" },
  partialUpdate: { method: "PATCH" },
  delete: { method: "DELETE" },
};

/** One of the six endpoints of a class. After a create or a delete its lists are asked again. */
function endpointOf(resource: Value, name: string): Value {
  return once(resource, name, () => {
    const isRead = /^(detail|list)$/.test(name), schema = name === "list" ? [resource] : resource;
    return resource.endpoint().extend({
      ...OPTIONS[name],
      name: `${resource.name}.${name}`,
      schema: name === "delete" ? new Invalidate(resource) : schema,
      ...!isRead && { readReply },
      ...name === "create" && { expires: () => [resource.list?.() ?? endpointOf(resource, "list")] },
    });
  });
}

/** A class that has a static for each endpoint. */
function withEndpoints(nameOf: (name: string) => string, make: (resource: Value, name: string) => Value): Value {
  class Resource extends BaseResource {
    override pk(): undefined {}
  }
  for (const name in OPTIONS) {
    const value = function (this: Value): Value {
      return make(this, name);
    };
    Object.defineProperty(Resource, nameOf(name), { value, writable: true, configurable: true });
  }
  return Resource;
}

const OpenResource: typeof BaseResource & OverridableEndpoints = /* @__PURE__ */ withEndpoints(
  (name) => name,
  endpointOf,
);

/**
 * An entity and its endpoints in one class, as in 5.0: `useSuspense(Article.detail(), { id })`. For what is new, an
 * `Entity` and a `resource` are the form to write; both work side by side in one store.
 *
 * `Article.detail() === Article.detail()`; a subclass has endpoints of its own. `static key` is `urlRoot` unless the class
 * says otherwise.
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

/** The endpoint of a class, with what the hook says. The shared one stays as it is: others render with it. */
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
 * A {@linkcode Resource} whose endpoints come from hooks, as in 5.0: for what a request needs from a context. Keys do not
 * hold headers, so that the store is to be reset where the user becomes another.
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
