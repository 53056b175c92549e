import type { AnyEndpoint } from "../endpoint/interface.ts";
import type { ClassEndpoint } from "./_class_endpoint.ts";
import { type EndpointName, endpointOf, NAMES, type Owner } from "./_endpoints.ts";
import { BaseResource } from "./base_resource.ts";
import type {
  CreateEndpoint,
  DeleteEndpoint,
  DetailEndpoint,
  EndpointOf,
  ListEndpoint,
  Open,
  UpdateEndpoint,
} from "./resource_endpoint.ts";

/**
 * The endpoints of a {@linkcode Resource}. Each is made once per class, a subclass has its own; each may be replaced,
 * without `override`, by a method that extends what `super` gives.
 */
export interface ResourceEndpoints {
  /** `GET url(params)`: one record. */
  detail<T extends typeof Resource & Open>(this: T): EndpointOf<T, DetailEndpoint<T>>;
  /** `GET listUrl(params)`: an array of records, as the server gave them. */
  list<T extends typeof Resource & Open>(this: T): EndpointOf<T, ListEndpoint<T>>;
  /** `POST listUrl(params)`: a new record. Called with `(body)` or `(params, body)`. */
  create<T extends typeof Resource & Open>(this: T): EndpointOf<T, CreateEndpoint<T>>;
  /** `PUT url(params)`: the record is replaced. */
  update<T extends typeof Resource & Open>(this: T): EndpointOf<T, UpdateEndpoint<T>>;
  /** `PATCH url(params)`: the members that are sent are replaced. */
  partialUpdate<T extends typeof Resource & Open>(this: T): EndpointOf<T, UpdateEndpoint<T>>;
  /** `DELETE url(params)`: the record is deleted, here too. */
  delete<T extends typeof Resource & Open>(this: T): EndpointOf<T, DeleteEndpoint<T>>;
}

/** The hooks of a {@linkcode HookableResource}. Each may be replaced, without `override`. */
export interface ResourceHooks {
  /**
   * Options for `fetch` of every request, from a context for instance. A hook: it runs each time one of the others does.
   *
   * @param init What the endpoint has of its own.
   * @returns The options. Defaults to what it got.
   */
  useFetchInit(init: RequestInit): RequestInit;
  /** `GET url(params)`: one record. */
  useDetail<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, DetailEndpoint<T>>;
  /** `GET listUrl(params)`: an array of records, as the server gave them. */
  useList<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, ListEndpoint<T>>;
  /** `POST listUrl(params)`: a new record. Called with `(body)` or `(params, body)`. */
  useCreate<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, CreateEndpoint<T>>;
  /** `PUT url(params)`: the record is replaced. */
  useUpdate<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, UpdateEndpoint<T>>;
  /** `PATCH url(params)`: the members that are sent are replaced. */
  usePartialUpdate<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, UpdateEndpoint<T>>;
  /** `DELETE url(params)`: the record is deleted, here too. */
  useDelete<T extends typeof HookableResource & Open>(this: T): EndpointOf<T, DeleteEndpoint<T>>;
}

/** As mapped types, of no declaration: so nobody needs `override`. */
type OverridableEndpoints = { [K in Exclude<keyof ResourceEndpoints, never>]: ResourceEndpoints[K] };
type OverridableHooks = { [K in Exclude<keyof ResourceHooks, never>]: ResourceHooks[K] };

/** A class that has a static for each endpoint. */
function withEndpoints(
  nameOf: (name: EndpointName) => string,
  make: (resource: never, name: EndpointName) => AnyEndpoint,
): object {
  class Resource extends BaseResource {
    override pk(): undefined {}
  }
  for (const name of NAMES) {
    const value = function (this: never): AnyEndpoint {
      return make(this, name);
    };
    Object.defineProperty(Resource, nameOf(name), { value, writable: true, configurable: true });
  }
  return Resource;
}

const OpenResource: typeof BaseResource & OverridableEndpoints = /* @__PURE__ */ withEndpoints(
  (name) => name,
  endpointOf,
) as never;

/**
 * An entity and its endpoints in one class, as in 5.0: `useSuspense(Article.detail(), { id })`. For what is new, an
 * `Entity` and a `resource` are the form to write; this one is for code that comes from 5.0, and both work side by side
 * in one store. docs/migration-5.md leads from one to the other.
 *
 * | endpoint | request | call | what the store learns |
 * |---|---|---|---|
 * | `detail()` | `GET url(params)` | `(params)` | the record |
 * | `list()` | `GET listUrl(params)` | `(params?)` | the records and their order |
 * | `create()` | `POST listUrl(params)` | `(body)` or `(params, body)` | the new record |
 * | `update()` | `PUT url(params)` | `(params, body)` | the record |
 * | `partialUpdate()` | `PATCH url(params)` | `(params, body)`, the changed members only | the record |
 * | `delete()` | `DELETE url(params)` | `(params)` | that the record is gone, everywhere |
 *
 * Promises: `Article.detail() === Article.detail()`; a subclass has endpoints of its own; parameters change neither origin
 * nor segments of a URL, for the pk is encoded; what a mutation that is answered with nothing means is as for
 * `createResource`. `static key` is `urlRoot` unless the class says otherwise. All statics may be replaced without
 * `override` ({@linkcode ResourceStatics}). An override of an endpoint names its schema, for the type checker takes
 * `super.list()` for that of `Resource` itself.
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
 * assert(Article.fromJS({ id: 5 }).url === "https://api.example.com/articles/5");
 * ```
 */
export abstract class Resource extends OpenResource {}

/** The endpoint of a class, with what the hook says. The shared one stays as it is: others render with it. */
function hooked(resource: Owner & Pick<ResourceHooks, "useFetchInit">, name: EndpointName): AnyEndpoint {
  const endpoint = endpointOf(resource, name) as ClassEndpoint;
  const given = endpoint.fetchInit ?? {};
  const fetchInit = resource.useFetchInit(given);
  return fetchInit === given ? endpoint : endpoint.extend({ fetchInit } as object);
}

const OpenHookableResource: typeof BaseResource & OverridableHooks = /* @__PURE__ */ Object.assign(
  /* @__PURE__ */ withEndpoints((name) => `use${name[0]!.toUpperCase()}${name.slice(1)}`, hooked),
  { useFetchInit: (init: RequestInit) => init },
) as never;

/**
 * A {@linkcode Resource} whose endpoints come from hooks, as in 5.0: for what a request needs from a context.
 *
 * `useFetchInit` is called by each of the hooks. What it returns is for the endpoint of that rendering alone: it never
 * reaches the endpoints of other components. Keys do not hold headers, so whoever changes who the user is resets the
 * store.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { HookableResource } from "@rejoin/data/legacy";
 * import { createContext } from "preact";
 * import { useContext } from "preact/hooks";
 *
 * const Token = createContext("");
 * class Article extends HookableResource {
 *   id = "";
 *   title = "";
 *   pk() {
 *     return this.id;
 *   }
 *   static urlRoot = "https://api.example.com/articles";
 *   static useFetchInit(init: RequestInit) {
 *     return { ...init, headers: { ...init.headers, "Access-Token": useContext(Token) } };
 *   }
 * }
 * // In a component: useSuspense(Article.useDetail(), { id: "5" })
 * assert(typeof Article.useDetail === "function");
 * ```
 */
export abstract class HookableResource extends OpenHookableResource {}
