import type { Value } from "../plain/value.ts";

/** `raw`: sent as it is; `upload`: so that only silence counts; `stream`: the same, and it can be sent only once; `json`. */
export type BodyKind = "raw" | "upload" | "stream" | "json";

/** How a body is sent. Asked by tag, not by class: a page in a test has classes of its own. */
export function bodyKind(body: Value): BodyKind {
  const tag = Object.prototype.toString.call(body).slice(8, -1);
  if (tag === "ReadableStream" || (Object(body) === body && Symbol.asyncIterator in body)) return "stream";
  if (/^(FormData|Blob|File)$/.test(tag)) return "upload";
  return typeof body == "string" || /^(URLSearchParams|ArrayBuffer)$/.test(tag) || ArrayBuffer.isView(body)
    ? "raw"
    : "json";
}

/** About how many bytes a form or a blob has. */
export function bodySize(body: Value): number {
  if (typeof body?.size == "number") return body.size;
  let size = 0;
  body?.forEach?.((value: Value) => size += value.size ?? value.length);
  return size;
}
