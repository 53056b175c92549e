/**
 * Lets the connection of an answer go that nobody will read. A body that somebody has begun to read stays theirs.
 *
 * @param response An answer, or whatever a `fetch` that somebody replaced gave in its place.
 */
export function discard(response: Response | undefined): void {
  if (response?.body instanceof ReadableStream) response.body.cancel().catch(() => {});
}
