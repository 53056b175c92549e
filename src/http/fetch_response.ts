import { NetworkError } from "../errors/network_error.ts";
import { type Problem, said } from "../errors/texts.ts";
import { ownMembers, passesUntouched, showsRedirects } from "./platform.ts";
import { readErrorBody } from "./read_body.ts";

/** What is sent where. */
export interface Hop {
  /** An absolute URL. */
  readonly url: string;
  /** Options for `fetch`, without prototype. */
  readonly init: RequestInit;
}

/** How each hop of a request is sent, and refused. */
export interface Way {
  /** Sends one hop; redirects are not followed. */
  send(hop: Hop): Promise<Response>;
  /** The error that an answer is, and why, if it does not say it. */
  refusal(response: Response, problem?: Problem): Promise<NetworkError>;
}

/** Options for `fetch`, and what is done about redirects where the platform shows them. */
export interface FollowedInit extends RequestInit {
  /** Sends all hops of a request: `followByHand`. Not there: a redirect is refused. */
  follow?: ((hop: Hop, way: Way) => Promise<Response>) | undefined;
}

/**
 * Sends one request and gives the answer, if it is ok, with its body not read: the only caller of `fetch` in this
 * library, and what `RestEndpoint.fetchResponse` does. `fetch` is looked up at each call.
 *
 * Where the platform shows redirects, it is not left to follow them: it would send headers of the app to another origin.
 * `follow` does, or they are refused. Where it hides them (browsers) its own rule holds. A `redirect` of the app's own is
 * respected as it is; beside `follow`, `"follow"` is what that does.
 *
 * @param url An absolute URL.
 * @param init Options for `fetch`; only its own members count.
 * @returns An answer whose `ok` is true.
 * @throws {NetworkError} If the answer is not ok: with its status, headers and body, parsed once if it is JSON; a
 * redirect that is not followed is such an answer. If no answer came: with `status` undefined and whatever `fetch`
 * threw as `cause`.
 * @throws The signal's reason, or an `AbortError`, untouched.
 */
export async function fetchResponse(url: string, init: FollowedInit): Promise<Response> {
  const sent = ownMembers(init);
  const { follow, method = "GET", redirect } = sent;
  delete sent.follow;
  const line = { method, url };
  const send = async ({ url, init }: Hop): Promise<Response> => {
    try {
      return await globalThis.fetch(url, init);
    } catch (cause) {
      init.signal?.throwIfAborted();
      throw passesUntouched(cause) ? cause : new NetworkError({ ...line, cause });
    }
  };
  const refusal = async (response: Response, problem?: Problem): Promise<NetworkError> => {
    const { status, statusText, headers } = response;
    const body = await readErrorBody(response);
    return new NetworkError({ ...line, status, statusText, headers, response, problem, body });
  };
  const isOurs = (redirect === undefined || (follow && redirect === "follow")) && showsRedirects();
  if (isOurs) sent.redirect = "manual";
  const hop = { url, init: sent };
  const response = await (isOurs && follow ? follow(hop, { send, refusal }) : send(hop));
  if (response.ok) return response;
  throw await refusal(response, isOurs && !follow && isRedirect(response) ? said(457) : undefined);
}

/** Of an answer that is not ok. A platform that hides where a redirect leads hides its status, too. */
function isRedirect({ status, headers }: Response): boolean {
  return status === 0 || (status < 400 && headers.has("location"));
}
