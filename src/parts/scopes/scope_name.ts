import type { AnyEndpoint } from "../../endpoint/interface.ts";
import { EndpointError } from "../../errors/endpoint_error.ts";
import { said } from "../../errors/texts.ts";
import { PathTemplate } from "../../rest/path_template.ts";
import type { AnyRestEndpoint } from "../../rest/rest_types.ts";

/**
 * What a mutation is about. `"record"`, of a resource: the place of the record, whatever is done with it. Else a function
 * of the arguments, `this` being the endpoint: calls with equal texts are of one scope; a number is its text; `undefined`
 * waits for nobody.
 */
// deno-lint-ignore no-explicit-any -- the arguments are the endpoint's own
export type ScopeName = "record" | ((this: any, ...args: any) => string | number | bigint | undefined);

/**
 * The line in which a call stands.
 *
 * @throws {EndpointError} If the scope has no name for it.
 */
export function lineOf(name: ScopeName, endpoint: AnyEndpoint, args: readonly unknown[]): string | undefined {
  const scope: unknown = name === "record" ? recordOf(endpoint as AnyRestEndpoint, args) : name.call(endpoint, ...args);
  switch (typeof scope) {
    case "string":
    case "undefined":
      return scope;
    // The same text everywhere, as a pk is.
    case "number":
    case "bigint":
      return String(scope);
  }
  throw new EndpointError(endpoint.name, said(663, { name: endpoint.name, scope }));
}

/** A record that has no pk yet has no place, and its creation waits for nobody. */
function recordOf(endpoint: AnyRestEndpoint, args: readonly unknown[]): string | undefined {
  const { name, recordPath, urlPrefix = "" } = endpoint;
  if (recordPath === undefined) throw new EndpointError(name, said(664, { name }));
  try {
    const { params, body } = endpoint.readArgs(args);
    const members = { ...body as object, ...params };
    return new PathTemplate(recordPath, endpoint).fill(urlPrefix, members, endpoint);
  } catch {
    return undefined;
  }
}
