import type { AnyEndpoint } from "../endpoint/interface.ts";
import { EndpointError } from "../errors/endpoint_error.ts";

/**
 * Names the line of a mutation. A number is the same text everywhere, as a pk is.
 *
 * @throws {EndpointError} If it is no name.
 */
export function scopeOf(endpoint: AnyEndpoint, args: readonly unknown[]): string | undefined {
  const scope: unknown = endpoint.scope?.(...args);
  switch (typeof scope) {
    case "string":
    case "undefined":
      return scope;
    case "number":
    case "bigint":
      return String(scope);
  }
  throw new EndpointError(
    endpoint.name,
    `Cannot call "${endpoint.name}": its scope() must give a text, or undefined to wait for nobody; it gave ` +
      (scope === null ? "null" : `a ${typeof scope}`),
  );
}
