/** How answers travel: packed as small as the browser can unpack, and not at all where it has them already. */
import { createHash } from "node:crypto";
import { brotliCompressSync, constants } from "node:zlib";

const PACKABLE = /^(text|application|image\/svg)/;

/** What is the same for everybody is packed once. */
const packed = new Map<string, Uint8Array<ArrayBuffer>>();

/**
 * Adds an `ETag`, answers 304 to who has it, and packs.
 *
 * @param isStatic The body will be asked for again: it may take time to pack it, once.
 */
export async function deliver(request: Request, response: Response, isStatic = false): Promise<Response> {
  const type = response.headers.get("content-type") ?? "";
  // A stream of events is passed on as it is.
  if (request.method !== "GET" || response.status !== 200 || type === "text/event-stream") return response;
  const content = new Uint8Array(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  const hash = createHash("sha256").update(content).digest("base64url").slice(0, 22);
  headers.set("vary", "accept-encoding");
  headers.set("etag", `W/"${hash}"`);
  if (request.headers.get("if-none-match")?.includes(hash)) return new Response(null, { status: 304, headers });
  if (!PACKABLE.test(type) || !/\bbr\b/.test(request.headers.get("accept-encoding") ?? "")) {
    return new Response(content, { headers });
  }
  headers.set("content-encoding", "br");
  const params = { [constants.BROTLI_PARAM_QUALITY]: isStatic ? 9 : 4 };
  const body = packed.get(hash) ?? new Uint8Array(brotliCompressSync(content, { params }));
  if (isStatic) packed.set(hash, body);
  return new Response(body, { headers });
}
