/** Not its class, nor a table of ours: another copy of this library may read what this one has made. */
const NO_BODY: unique symbol = Symbol.for("@rejoin/data no body") as never;

/** The stream of an answer that has no body, such as a 204: empty, and it can be told from one that ended too soon. */
export function streamOfNoBody(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return Object.assign(new Response("").body!, { [NO_BODY]: true });
}

/** Whether a stream is that of an answer without body. */
export function isOfNoBody(stream: object): boolean {
  return NO_BODY in stream;
}
