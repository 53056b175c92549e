/**
 * How answers travel: packed as small as the browser can unpack, and not at all where it has them already.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** What is shorter is not worth it, in bytes. */
const MIN_PACKED = 1_000;
const PACKABLE = /^(text\/(?!event-stream)|application\/(json|manifest\+json|javascript)|image\/svg)/;

/** What is the same for everybody is packed once. */
const packed = new Map<string, Uint8Array<ArrayBuffer>>();

/**
 * Adds an `ETag`, answers 304 to who has it, and packs.
 *
 * @param response Its body is read; a stream of events is passed on as it is.
 * @param isStatic The body will be asked for again: it may take time to pack it, once.
 */
export async function deliver(request: Request, response: Response, isStatic = false): Promise<Response> {
  const type = response.headers.get("content-type") ?? "";
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (response.body === null || !isRead || response.status !== 200 || type.startsWith("text/event-stream")) {
    return response;
  }
  const content = new Uint8Array(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  const hash = createHash("sha256").update(content).digest("base64url").slice(0, 22);
  headers.set("vary", "accept-encoding");
  headers.set("etag", `W/"${hash}"`);
  if (request.headers.get("if-none-match")?.includes(hash)) return new Response(null, { status: 304, headers });
  const accepted = request.headers.get("accept-encoding") ?? "";
  const encoding = content.length < MIN_PACKED || !PACKABLE.test(type)
    ? undefined
    : /\bbr\b/.test(accepted)
    ? "br"
    : /\bgzip\b/.test(accepted)
    ? "gzip"
    : undefined;
  if (encoding === undefined) return new Response(content, { headers });
  headers.set("content-encoding", encoding);
  const key = `${encoding} ${hash}`;
  const body = packed.get(key) ?? pack(content, encoding, isStatic);
  if (isStatic) packed.set(key, body);
  return new Response(body, { headers });
}

function pack(content: Uint8Array, encoding: "br" | "gzip", isStatic: boolean): Uint8Array<ArrayBuffer> {
  const bytes = encoding === "gzip"
    ? gzipSync(content)
    : brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: isStatic ? 9 : 4 } });
  return new Uint8Array(Buffer.from(bytes));
}

/** Whether a request is meant for this machine: a name that a stranger's page has pointed here is not. */
export function isMeantForUs(request: Request): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.get("host") ?? "");
}
