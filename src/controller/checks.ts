import type { EndpointDefaults, EndpointPolicy } from "../endpoint/interface.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import type { Failure } from "../store/layer.ts";
import type { Store } from "../store/store.ts";

/** What a controller is to call, or its defaults. */
interface Checked extends Omit<EndpointPolicy, "scope"> {
  readonly name?: string;
  readonly scope?: { readonly open?: unknown } | null | undefined;
}

/**
 * Refuses a lifetime that is no number of ms, and a scope that is none, before anything is sent: added to a time, `"5"`
 * would be centuries.
 *
 * @throws {EndpointError} If it is none.
 */
export function checkRequest(endpoint: Checked, defaults: EndpointDefaults): void {
  const { name = "", scope, sideEffect } = endpoint;
  for (const option of ["dataExpiryLength", "errorExpiryLength"] as const) {
    const length: unknown = endpoint[option] ?? defaults[option] ?? 0;
    if (typeof length === "number" && !Number.isNaN(length)) continue;
    throw new EndpointError(name, said(313, { option, name, length }));
  }
  if (sideEffect && scope !== undefined && typeof scope?.open !== "function") {
    throw new EndpointError(name, said(601, { name, scope }));
  }
}

/** Tells the developer of a subscription that nothing keeps up to date. */
export function warnOfUnserved(store: Store, name: string): void {
  store.warnOnce(`subscription of ${name}`, said(602, { name }));
}

/** Tells the developer of mutations that show nothing, because their function threw. */
export function warnOfLayers(store: Store, failures: readonly Failure[]): void {
  for (const { layer: { endpoint: { name } }, reason } of failures) {
    store.warnOnce(`layer of ${name}`, said(604, { name, reason }));
  }
}
