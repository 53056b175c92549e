import type { AnySchema } from "../schemas/interface.ts";
import { upperMethod } from "./request.ts";
import type { Expected } from "./response.ts";
import type { AnyRestEndpoint, ContentType } from "./rest_types.ts";

/** What answers are made of where an endpoint has no `process` of its own. */
export type Process = AnyRestEndpoint["process"];

/**
 * What is known of an answer before it is read.
 *
 * @param endpoint Who reads it.
 * @param response The answer.
 * @param usual The `process` of all endpoints.
 */
export function expectedOf(endpoint: AnyRestEndpoint, response: Response, usual: Process): Expected {
  return {
    method: upperMethod(endpoint),
    url: response.url || endpoint.name,
    schema: endpoint.schema as AnySchema,
    processed: isProcessed(endpoint, usual),
    content: endpoint.content as ContentType | undefined,
    sideEffect: Boolean(endpoint.sideEffect),
  };
}

/** Whether an endpoint makes of its answers what its schema needs. */
export function isProcessed({ process }: AnyRestEndpoint, usual: Process): boolean {
  const { of = process } = process as { readonly of?: unknown };
  return of !== usual;
}
