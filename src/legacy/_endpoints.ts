import type { AnyEndpoint } from "../endpoint/interface.ts";
import { orParams } from "../rest/mutation_replies.ts";
import type { AnyRestEndpoint } from "../rest/rest_types.ts";
import type { AnyEntity, AnySchema } from "../schemas/interface.ts";
import { InvalidateSchema } from "../schemas/invalidate_schema.ts";
import type { ClassEndpointOptions, Owner } from "./_class_endpoint_options.ts";
import { memoOf } from "./_memo.ts";

/** What the six endpoints are called. */
export type EndpointName = "detail" | "list" | "create" | "update" | "partialUpdate" | "delete";

interface Declaration extends Partial<ClassEndpointOptions> {
  readonly method: string;
  schema(resource: AnyEntity): AnySchema;
}

const itself = (resource: AnyEntity): AnySchema => resource;

const DECLARATIONS: { readonly [K in EndpointName]: Declaration } = {
  detail: { method: "GET", schema: itself },
  list: { method: "GET", schema: (resource) => [resource], isList: true },
  create: { method: "POST", schema: itself, isList: true },
  update: { method: "PUT", schema: itself },
  partialUpdate: { method: "PATCH", schema: itself },
  delete: { method: "DELETE", schema: (resource) => new InvalidateSchema(resource) },
};

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
