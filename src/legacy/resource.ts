import type { AnyEndpoint } from "../endpoint/interface.ts";
import type { Owner } from "./_class_endpoint_options.ts";
import { endpointOf } from "./_endpoints.ts";
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

type OverridableEndpoints = {
  [K in "detail" | "list" | "create" | "update" | "partialUpdate" | "delete"]: ResourceEndpoints[K];
};

const WithEndpoints = class Resource extends (BaseResource as unknown as new () => object) {
  static detail(this: Owner): AnyEndpoint {
    return endpointOf(this, "detail");
  }
  static list(this: Owner): AnyEndpoint {
    return endpointOf(this, "list");
  }
  static create(this: Owner): AnyEndpoint {
    return endpointOf(this, "create");
  }
  static update(this: Owner): AnyEndpoint {
    return endpointOf(this, "update");
  }
  static partialUpdate(this: Owner): AnyEndpoint {
    return endpointOf(this, "partialUpdate");
  }
  static delete(this: Owner): AnyEndpoint {
    return endpointOf(this, "delete");
  }
};

const OpenResource: typeof BaseResource & OverridableEndpoints = WithEndpoints as never;

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
