import { type Problem, said } from "../errors/texts.ts";
import { discard, isOneShot, ownMembers } from "./platform.ts";
import type { Hop, Way } from "./fetch_response.ts";

/** Why a redirect is not followed: a clause, with the way out. */
type DeadEnd = { readonly problem: Problem };

/** As many as the Fetch standard allows. */
const MOST_REDIRECTS = 20;

const STATUSES = new Set([301, 302, 303, 307, 308]);

/** They describe the body: where it goes they go, and with it they are dropped. */
const BODY_HEADERS = ["content-encoding", "content-language", "content-location", "content-type"];

/** What another origin may see. The key names the call, so that the other origin, too, does it once. */
const KEPT_HEADERS = ["accept", "accept-language", "idempotency-key"];

/**
 * Sends, and sends on where an answer says so: {@linkcode nextHop} has the rules. Where the platform hides redirects
 * after all, what changes nothing is sent again, by the platform's own rule; anything else may have been carried out.
 *
 * @param hop What is sent first; its init may be changed.
 * @param way How each hop is sent, and refused.
 * @returns The last answer, its body not read; it may be a refusal.
 * @throws {NetworkError} If a redirect cannot be followed.
 */
export async function followByHand(hop: Hop, way: Way): Promise<Response> {
  for (let redirects = 0;; redirects++) {
    const response = await way.send(hop);
    if (response.type === "opaqueredirect") {
      if (!/^(get|head)$/i.test(hop.init.method ?? "GET")) throw await way.refusal(response, said(452));
      return await way.send({ url: hop.url, init: ownMembers({ ...hop.init, redirect: "follow" }) });
    }
    const next = nextHop(response, hop);
    if (next === undefined) {
      // The platform knows of the last hop only.
      return redirects > 0 ? Object.defineProperty(response, "redirected", { value: true }) : response;
    }
    if ("problem" in next) throw await way.refusal(response, next.problem);
    if (redirects === MOST_REDIRECTS) throw await way.refusal(response, said(451, { count: redirects + 1 }));
    discard(response);
    hop = next;
  }
}

/**
 * What is to be sent after an answer, if it is a redirect, by the rules of the Fetch standard: 303, and 301 and 302 after
 * a POST, become a GET without body, all others keep method and body. Beyond the standard, which protects only
 * `Authorization`, all headers but those of the body, `Accept`, `Accept-Language` and `Idempotency-Key` are dropped when
 * the origin changes, and credentials with them: a token in a header of its own is a secret, too.
 *
 * @param response The answer.
 * @param hop What it answers.
 * @returns The next hop; why there is none; `undefined` if the answer is no redirect.
 */
function nextHop(response: Response, hop: Hop): Hop | DeadEnd | undefined {
  const location = response.headers.get("location");
  if (!STATUSES.has(response.status) || location === null) return undefined;
  const from = new URL(hop.url);
  const to = parseLocation(location, from);
  if ("problem" in to) return to;
  const init = ownMembers(hop.init) as RequestInit & { duplex?: string };
  const headers = init.headers = new Headers(init.headers ?? undefined);
  if (becomesGet(response.status, (init.method ?? "GET").toUpperCase())) {
    init.method = "GET";
    delete init.body;
    delete init.duplex;
    for (const name of BODY_HEADERS) headers.delete(name);
  } else if (isOneShot(init.body)) {
    return { problem: said(453, { to }) };
  }
  if (to.origin !== from.origin) {
    const kept = [...BODY_HEADERS, ...KEPT_HEADERS];
    for (const name of [...headers.keys()]) if (!kept.includes(name)) headers.delete(name);
    init.credentials = "omit";
  }
  return { url: to.href, init };
}

function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD";
  return (status === 301 || status === 302) && method === "POST";
}

function parseLocation(location: string, from: URL): URL | DeadEnd {
  let to: URL;
  try {
    to = new URL(asUtf8(location), from);
  } catch {
    return { problem: said(454, { location }) };
  }
  if (to.protocol !== "http:" && to.protocol !== "https:") return { problem: said(455, { to }) };
  if (to.username !== "" || to.password !== "") return { problem: said(456, { to }) };
  if (to.hash === "") to.hash = from.hash;
  return to;
}

/** Headers are read as Latin-1, and servers that write more than ASCII into this one mean UTF-8. */
function asUtf8(text: string): string {
  // deno-lint-ignore no-control-regex -- all that is not ASCII
  if (/^[\x00-\x7f]*$/.test(text) || /[^\x00-\xff]/.test(text)) return text;
  return new TextDecoder().decode(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
}
