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
