import type { AnyEndpoint } from "../endpoint/interface.ts";
import type { ClassEndpoint } from "./_class_endpoint.ts";
import type { Owner } from "./_class_endpoint_options.ts";
import { type EndpointName, endpointOf } from "./_endpoints.ts";
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

type OverridableHooks = {
  [
    K in "useFetchInit" | "useDetail" | "useList" | "useCreate" | "useUpdate" | "usePartialUpdate" | "useDelete"
  ]: ResourceHooks[K];
};

interface HookOwner extends Owner, Pick<ResourceHooks, "useFetchInit"> {}

/** The endpoint of a class, with what the hook says. The shared one stays as it is: others render with it. */
function hooked(resource: HookOwner, name: EndpointName): AnyEndpoint {
  const endpoint = endpointOf(resource, name) as ClassEndpoint;
  const given = endpoint.fetchInit ?? {};
  const fetchInit = resource.useFetchInit(given);
  return fetchInit === given ? endpoint : endpoint.extend({ fetchInit } as object);
}

const WithHooks = class HookableResource extends (BaseResource as unknown as new () => object) {
  static useFetchInit(init: RequestInit): RequestInit {
    return init;
  }
  static useDetail(this: HookOwner): AnyEndpoint {
    return hooked(this, "detail");
  }
  static useList(this: HookOwner): AnyEndpoint {
    return hooked(this, "list");
  }
  static useCreate(this: HookOwner): AnyEndpoint {
    return hooked(this, "create");
  }
  static useUpdate(this: HookOwner): AnyEndpoint {
    return hooked(this, "update");
  }
  static usePartialUpdate(this: HookOwner): AnyEndpoint {
    return hooked(this, "partialUpdate");
  }
  static useDelete(this: HookOwner): AnyEndpoint {
    return hooked(this, "delete");
  }
};

const OpenHookableResource: typeof BaseResource & OverridableHooks = WithHooks as never;

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
