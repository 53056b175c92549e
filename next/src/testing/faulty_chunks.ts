import type { Fault } from "./fault.ts";
import type { Over } from "./over.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

/** The body of a reply piece by piece, with what goes wrong with it. */
export async function* chunksOf(response: Response, fault: Fault, over: Over): AsyncGenerator<Bytes, void> {
  const { hangBody = Infinity, cutBody = Infinity, drip } = fault;
  if (!drip && Math.min(hangBody, cutBody) === Infinity) {
    const reader = response.body!.getReader();
    over.after(() => void reader.cancel().catch(() => {}));
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    return;
  }
  const bytes = new Uint8Array(await response.arrayBuffer()), last = Math.min(hangBody, cutBody, bytes.length);
  for (let sent = 0; sent < last;) {
    if (drip) await over.pause(drip.every);
    const next = Math.min(last, sent + (drip?.bytes ?? last));
    yield bytes.slice(sent, next);
    sent = next;
  }
  if (hangBody <= cutBody && hangBody < bytes.length) await new Promise(() => {});
  if (cutBody < bytes.length) throw new TypeError("connection lost (body)");
}
