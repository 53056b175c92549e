/** Bodies of requests and answers. */
import type { Picture } from "./store.ts";

/** An answer that is not what was asked for, and says why. */
export class Refusal extends Error {
  /** @param fields What is wrong with which member of the body. */
  constructor(readonly status: number, message: string, readonly fields?: Record<string, string>) {
    super(message);
  }
}

/** What is not there. */
export function missing(what: string, id: string | number): Refusal {
  return new Refusal(404, `There is no ${what} ${id}`);
}

/** An answer in JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-cache", ...headers } });
}

const MAX_BYTES = 1024 * 1024;
/** No SVG: it is a document, with scripts. */
const PICTURES = /^image\/(png|jpeg|webp|gif|avif)$/;

/** The members of a JSON object. */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  const text = new TextDecoder().decode(await readBytes(request));
  try {
    // Whatever else it is has no member that a film has.
    return Object(JSON.parse(text));
  } catch (error) {
    throw new Refusal(400, `The body is not JSON: ${error}`);
  }
}

/** A picture. */
export async function readPicture(request: Request): Promise<Picture> {
  const type = request.headers.get("content-type") ?? "";
  if (!PICTURES.test(type)) throw new Refusal(415, `The body must be a picture, not ${type || "nothing"}`);
  return { type, bytes: await readBytes(request) };
}

/** Stops reading at the limit, so that a sender cannot fill the memory. */
async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Refusal(413, `The body is longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
