import type { EndpointDefaults, EndpointPolicy } from "../endpoint/interface.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";

/**
 * Refuses a policy that is no number of ms, before anything is sent: added to a time, `"5"` would be centuries.
 *
 * @throws {EndpointError} If it is none.
 */
export function checkPolicy(policy: EndpointPolicy & { readonly name?: string }, defaults: EndpointDefaults): void {
  const { name = "" } = policy;
  for (const option of ["dataExpiryLength", "errorExpiryLength"] as const) {
    const length: unknown = policy[option] ?? defaults[option] ?? 0;
    if (typeof length !== "number" || Number.isNaN(length)) {
      throw new EndpointError(name, said(313, { option, name, length }));
    }
  }
}
