import { resolveUrl } from "./origin.ts";
import { plainHeaders, upperMethod } from "./request.ts";
import type { AnyRestEndpoint, RestInit } from "./rest_types.ts";

/** A call as it would be sent, but for what is only known then. */
export interface CallDescription {
  /** In capitals. */
  readonly method: string;
  /** With its origin where the endpoint or the page has one. */
  readonly url: string;
  /** Those of `requestInit` and of the body. What `getHeaders` adds, such as a token, is not among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** As `fetch` takes it; `undefined`: none. */
  readonly body: RestInit["body"] | undefined;
}

/**
 * What a call would send, without sending it: for a queue of writes that outlives the page, for a log. `getHeaders` is not
 * asked, so that no secret is kept.
 *
 * @param endpoint Whose call.
 * @param args Its arguments.
 * @throws What `getRequestInit` throws, and {@linkcode EndpointError} or {@linkcode UrlError} where nothing can be sent.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { RestEndpoint } from "@rejoin/data";
 * import { describeCall } from "@rejoin/data/extend";
 *
 * const rename = new RestEndpoint({ urlPrefix: "https://example.com", path: "/films/:id", method: "PATCH" });
 * assertEquals(await describeCall(rename, { id: "5" }, { title: "Brazil" }), {
 *   method: "PATCH",
 *   url: "https://example.com/films/5",
 *   headers: { "Content-Type": "application/json" },
 *   body: '{"title":"Brazil"}',
 * });
 * ```
 */
export async function describeCall<E extends AnyRestEndpoint>(
  endpoint: E,
  ...args: E["~types"]["args"]
): Promise<CallDescription> {
  const { params, body } = endpoint.readArgs(args);
  const url = resolveUrl(endpoint.url(params, body), endpoint);
  const init = await endpoint.getRequestInit(body) as RestInit;
  return { method: init.method ?? upperMethod(endpoint), url, headers: plainHeaders(init.headers), body: init.body };
}
