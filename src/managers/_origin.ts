import type { AnyEndpoint } from "../endpoint/interface.ts";

/** As much of a page as is used: its types are not there for whoever checks without them. */
const page = globalThis as { readonly location?: { readonly href: string; readonly origin: string } };

/** The origin of the page; `undefined` where there is none. */
export function ownOrigin(): string | undefined {
  return page.location?.origin;
}

/** The origin that a call asks, by its error where that knows; `""` where nothing tells. */
export function originOf(endpoint: AnyEndpoint, args: readonly unknown[], error?: unknown): string {
  try {
    const asked = (error as { readonly url?: unknown } | null | undefined)?.url ??
      (endpoint as { readonly url?: (...args: readonly unknown[]) => unknown }).url?.(...args);
    return new URL(String(asked), page.location?.href).origin;
  } catch {
    return "";
  }
}
