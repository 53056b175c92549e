import { NetworkError, type NetworkErrorDetails } from "../errors/network_error.ts";
import { type Problem, said } from "../errors/texts.ts";
import { discard } from "./discard.ts";
import { ownMembers } from "./own_members.ts";
import { passesUntouched } from "./passes_untouched.ts";
import { readErrorBody, type RequestLine } from "./read_body.ts";
import { followRedirect, type Hop, MOST_REDIRECTS, showsRedirects } from "./redirect.ts";

/**
 * Sends one request and gives the answer, if it is ok, with its body not read: the only caller of `fetch` in this
 * library, and what `RestEndpoint.fetchResponse` does. `fetch` is looked up at each call.
 *
 * Where the platform shows redirects, they are followed here: headers and credentials do not reach another origin
 * ({@linkcode followRedirect} has the rules). Where it hides them (browsers) its own rule holds. `redirect: "error"` and
 * `redirect: "manual"` are respected as they are.
 *
 * @param url An absolute URL.
 * @param init Options for `fetch`; only its own members count.
 * @returns An answer whose `ok` is true.
 * @throws {NetworkError} If the answer is not ok: with its status, headers and body, parsed once if it is JSON; a
 * redirect that cannot be followed is such an answer. If no answer came: with `status` undefined and whatever `fetch`
 * threw as `cause`.
 * @throws The signal's reason, or an `AbortError`, untouched.
 */
export async function fetchResponse(url: string, init: RequestInit): Promise<Response> {
  const sent = ownMembers(init);
  const line = { method: sent.method ?? "GET", url };
  const byHand = (sent.redirect === undefined || sent.redirect === "follow") && showsRedirects();
  const response = await (byHand ? follow({ url, init: sent }, line) : send({ url, init: sent }, line));
  if (response.ok) return response;
  throw await refusal(response, line);
}

/** Sends, and sends on where an answer says so. */
async function follow(hop: Hop, line: RequestLine): Promise<Response> {
  hop.init.redirect = "manual";
  for (let redirects = 0;; redirects++) {
    const response = await send(hop, line);
    if (response.type === "opaqueredirect") return await leaveToPlatform(response, hop, line);
    const next = followRedirect(response, hop);
    if (next === undefined) {
      // The platform knows of the last hop only.
      return redirects > 0 ? Object.defineProperty(response, "redirected", { value: true }) : response;
    }
    if ("problem" in next) throw await refusal(response, line, next.problem);
    if (redirects === MOST_REDIRECTS) {
      throw await refusal(response, line, said(451, { count: redirects + 1 }));
    }
    discard(response);
    hop = next;
  }
}

/**
 * A platform that lets scripts set what browsers do not, and yet hides redirects. What changes nothing is sent again, by
 * the platform's own rule; anything else may have been carried out.
 */
async function leaveToPlatform(response: Response, { url, init }: Hop, line: RequestLine): Promise<Response> {
  const method = line.method.toUpperCase();
  if (method === "GET" || method === "HEAD") {
    return await send({ url, init: ownMembers({ ...init, redirect: "follow" }) }, line);
  }
  throw await refusal(response, line, said(452));
}

async function send({ url, init }: Hop, line: RequestLine): Promise<Response> {
  let response: Response;
  try {
    response = await globalThis.fetch(url, init);
  } catch (cause) {
    init.signal?.throwIfAborted();
    throw passesUntouched(cause) ? cause : new NetworkError({ ...line, cause });
  }
  if (typeof response?.status === "number") return response;
  throw new NetworkError({ ...line, cause: new TypeError(`fetch gave ${typeof response}, not a Response`) });
}

async function refusal(response: Response, line: RequestLine, problem?: Problem): Promise<NetworkError> {
  const { status, statusText, headers } = response;
  const details: NetworkErrorDetails = { ...line, status, statusText, headers, response, problem };
  return new NetworkError({ ...details, body: await readErrorBody(response) });
}
