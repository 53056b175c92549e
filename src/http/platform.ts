/**
 * What platforms do that has to be known.
 *
 * @module
 */
import { RejoinError } from "../errors/rejoin_error.ts";
import { tried } from "../errors/report_error.ts";

/**
 * A copy of an object that inherits from nothing. `fetch` reads its init through the prototype, and so does
 * destructuring: without this a `method` or `body` that somebody put on `Object.prototype` would change every request.
 *
 * @param given An init, or options.
 * @returns Its own members, on an object without prototype.
 */
export function ownMembers<T extends object>(given: T): T {
  return Object.assign(Object.create(null), given);
}

/**
 * Lets the connection of an answer go that nobody will read. A body that somebody has begun to read stays theirs.
 *
 * @param response An answer, or whatever a `fetch` that somebody replaced gave in its place.
 */
export function discard(response: Response | undefined): void {
  response?.body?.cancel?.().catch(() => {});
}

/**
 * Whether a body can be sent only once: a stream, or what Node reads like one. Such a request is neither retried nor
 * sent again after a redirect.
 *
 * @param body The body of an init.
 * @returns `true` if nothing is left of it once it was sent.
 */
export function isOneShot(body: unknown): boolean {
  // Safari's streams cannot be iterated.
  return body instanceof ReadableStream || (typeof body === "object" && body !== null && Symbol.asyncIterator in body);
}

/**
 * Whether an error already says what its thrower wanted to say: an abort, or an error of this library.
 *
 * @param error Whatever was thrown.
 * @returns `true` if it is to be passed on as it is.
 */
export function passesUntouched(error: unknown): boolean {
  return RejoinError.is(error) || tried(() => (error as Error).name) === "AbortError";
}

/**
 * Whether this platform shows where a redirect leads, when it is asked not to follow it. Browsers hide it, and keep
 * scripts from setting `Cookie`; server runtimes do neither. That is asked, and not the name of the platform: to find out
 * by a redirect itself would cost a second request, which a POST must not be.
 *
 * @returns `true` if the library decides where a redirect may lead; `false` if the platform does.
 */
export function showsRedirects(): boolean {
  const asked = ownMembers({ headers: { cookie: "a=b" } });
  return tried(() => new Request("http://localhost/", asked).headers.has("cookie")) ?? false;
}
