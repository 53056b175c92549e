import type { AnyEndpoint } from "../endpoint/interface.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";

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
  throw new EndpointError(endpoint.name, said(601, { name: endpoint.name, scope }));
}
