import type { AnyEndpoint } from "../endpoint/interface.ts";
import { orParams } from "../rest/mutation_replies.ts";
import type { AnyRestEndpoint } from "../rest/rest_types.ts";
import type { AnyEntity, AnySchema, EntityStatics } from "../schemas/interface.ts";
import { InvalidateSchema } from "../schemas/invalidate_schema.ts";
import { onceFor } from "../schemas/once_for.ts";
import type { ResourceStatics } from "./resource_statics.ts";

/** The class that an endpoint belongs to. */
export interface Owner extends ResourceStatics, EntityStatics {
  readonly name: string;
  /** The lists that its mutations may change. A class of hooks has none. */
  list?(): { testKey(key: string): boolean };
}

/** Options of a `ClassEndpoint` that the app does not see. */
export interface ClassEndpointOptions {
  /** The class. */
  readonly resource: Owner;
  /** Whether it addresses lists, and not records. */
  readonly isList: boolean;
}

/** What was made for a class under a name. A subclass has its own; with the class it goes. */
export const memoOf = /* @__PURE__ */ onceFor<AnyEndpoint>();

const itself = (resource: AnyEntity): AnySchema => resource;

const DECLARATIONS = {
  detail: { method: "GET", schema: itself },
  list: { method: "GET", schema: (resource: AnyEntity): AnySchema => [resource], isList: true },
  create: { method: "POST", schema: itself, isList: true },
  update: { method: "PUT", schema: itself },
  partialUpdate: { method: "PATCH", schema: itself },
  delete: { method: "DELETE", schema: (resource: AnyEntity): AnySchema => new InvalidateSchema(resource) },
};

/** What the six endpoints are called. */
export type EndpointName = keyof typeof DECLARATIONS;
export const NAMES: readonly EndpointName[] = /* @__PURE__ */ Object.keys(DECLARATIONS) as EndpointName[];

/**
 * One of the six endpoints of a class: the same one each time, a subclass has its own.
 *
 * @param resource The class.
 * @param name Which one.
 * @throws {SchemaError} If the class has no `urlRoot`.
 */
export function endpointOf(resource: Owner, name: EndpointName): AnyEndpoint {
  return memoOf(resource, name, () => {
    const { schema, ...options } = DECLARATIONS[name];
    const base = options.method === "GET" ? resource.endpoint() : resource.endpointMutate();
    const own = { ...options, schema: schema(resource), name: `${resource.name}.${name}` };
    const endpoint = base.extend(own as object) as AnyEndpoint;
    return name === "delete" ? orParams(endpoint as AnyRestEndpoint) : endpoint;
  });
}
