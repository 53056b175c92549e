/**
 * The body of a request, never more of it than is allowed.
 *
 * @module
 */
import { Refusal } from "./refusal.ts";

const MAX_JSON = 64 * 1024;
const MAX_PICTURE = 1024 * 1024;
/** No SVG: it is a document, with scripts. */
const PICTURES = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"];

const typeOf = (request: Request): string =>
  request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "nothing";

/** The members of a JSON object. */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  const type = typeOf(request);
  if (type !== "application/json") throw new Refusal(415, `The body must be application/json, not ${type}`);
  const text = new TextDecoder().decode(await readBytes(request, MAX_JSON));
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, `The body is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new Refusal(422, "The body must be a JSON object");
  }
  return body as Record<string, unknown>;
}

/** A picture and what kind of picture it is. */
export async function readPicture(request: Request): Promise<{ type: string; bytes: Uint8Array<ArrayBuffer> }> {
  const type = typeOf(request);
  if (!PICTURES.includes(type)) throw new Refusal(415, `The body must be a picture, not ${type}`);
  const bytes = await readBytes(request, MAX_PICTURE);
  if (bytes.length === 0) throw new Refusal(422, "The picture is empty");
  return { type, bytes };
}

/** Stops reading at the limit, so that a sender cannot fill the memory. */
async function readBytes(request: Request, max: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size > max) {
      void reader?.cancel().catch(() => {});
      throw new Refusal(413, `The body is longer than ${max} bytes`);
    }
    chunks.push(read.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
