/** The form of an entity tag (RFC 9110, 8.8.3). Not `*`, and no list: both would mean something else when sent back. */
const ETAG = /^(?:W\/)?"[^"]*"$/;

/**
 * The entity tag of an answer.
 *
 * @param response The answer.
 * @param url What was asked for. What came of a redirect is the tag of something else, even if that looks the same.
 * @returns The tag as it was sent, quotes and `W/` included; `undefined` if there is none that could be sent back.
 */
export function etagOf(response: Response, url: string): string | undefined {
  const etag = response.headers.get("etag")?.trim();
  return etag !== undefined && ETAG.test(etag) && isDirect(response, url) ? etag : undefined;
}

/**
 * The moment of the last change of an answer, where it tells versions apart: it counts in seconds, so it must be at least
 * one older than the answer, or a change in the same second would not be seen (RFC 9110, 8.8.2.2).
 *
 * @param response The answer.
 * @param url What was asked for.
 * @returns The header as it was sent.
 */
export function lastModifiedOf(response: Response, url: string): string | undefined {
  const lastModified = response.headers.get("last-modified");
  const age = Date.parse(response.headers.get("date") ?? "") - Date.parse(lastModified ?? "");
  return lastModified !== null && age >= 1_000 && isDirect(response, url) ? lastModified : undefined;
}

/** Whether an answer is of the URL that was asked for. Answers that no platform made have no URL. */
function isDirect(response: Response, url: string): boolean {
  return !response.redirected && (response.url === "" || response.url === url);
}
