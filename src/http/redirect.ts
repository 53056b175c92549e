import { type Problem, said } from "../errors/texts.ts";
import { isOneShot } from "./is_one_shot.ts";
import { ownMembers } from "./own_members.ts";

/** What is sent where. */
export interface Hop {
  /** An absolute URL. */
  readonly url: string;
  /** Options for `fetch`, without prototype. */
  readonly init: RequestInit;
}

/** Why a redirect is not followed. */
export interface DeadEnd {
  /** A clause, with the way out. */
  readonly problem: Problem;
}

/** As many as the Fetch standard allows. */
export const MOST_REDIRECTS = 20;

const STATUSES = new Set([301, 302, 303, 307, 308]);

/** They describe the body: where it goes they go, and with it they are dropped. */
const BODY_HEADERS = ["content-encoding", "content-language", "content-location", "content-type"];

/** What another origin may see. The key names the call, so that the other origin, too, does it once. */
const KEPT_HEADERS = ["accept", "accept-language", "idempotency-key"];

/**
 * Whether this platform shows where a redirect leads, when it is asked not to follow it. Browsers hide it, and keep
 * scripts from setting `Cookie`; server runtimes do neither. That is asked, and not the name of the platform: to find out
 * by a redirect itself would cost a second request, which a POST must not be.
 *
 * @returns `true` if redirects can be followed by hand.
 */
export function showsRedirects(): boolean {
  try {
    return new Request("http://localhost/", ownMembers({ headers: { cookie: "a=b" } })).headers.has("cookie");
  } catch {
    return false;
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
export function followRedirect(response: Response, hop: Hop): Hop | DeadEnd | undefined {
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
