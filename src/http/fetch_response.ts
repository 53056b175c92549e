import { NetworkError } from "../errors/network_error.ts";
import { passesUntouched } from "./passes_untouched.ts";
import { readErrorBody } from "./read_body.ts";
import { ownMembers } from "./own_members.ts";

/**
 * Sends one request and gives the answer, if it is ok, with its body not read: the only caller of `fetch` in this
 * library, and what `RestEndpoint.fetchResponse` does. `fetch` is looked up at each call.
 *
 * @param url An absolute URL.
 * @param init Options for `fetch`; only its own members count.
 * @returns An answer whose `ok` is true.
 * @throws {NetworkError} If the answer is not ok: with its status, headers and body, parsed once if it is JSON. If no
 * answer came: with `status` undefined and whatever `fetch` threw as `cause`.
 * @throws The signal's reason, or an `AbortError`, untouched.
 */
export async function fetchResponse(url: string, init: RequestInit): Promise<Response> {
  const sent = ownMembers(init);
  const method = sent.method ?? "GET";
  let response: Response;
  try {
    response = await globalThis.fetch(url, sent);
  } catch (cause) {
    sent.signal?.throwIfAborted();
    throw passesUntouched(cause) ? cause : new NetworkError({ method, url, cause });
  }
  if (typeof response?.status !== "number") {
    throw new NetworkError({ method, url, cause: new TypeError(`fetch gave ${typeof response}, not a Response`) });
  }
  if (response.ok) return response;
  const { status, statusText, headers } = response;
  throw new NetworkError({ method, url, status, statusText, headers, response, body: await readErrorBody(response) });
}
