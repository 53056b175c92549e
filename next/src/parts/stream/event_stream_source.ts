import { EventStreamParser } from "./event_stream_parser.ts";
import type { StreamSource } from "./stream_source.ts";

/** What a function that opens an event stream is given. */
export interface EventStreamRequest {
  /** `Accept`, and `Last-Event-ID` where the stream is to go on. */
  readonly headers: { readonly [name: string]: string };
  /** Aborts when the stream is needed no more. */
  readonly signal: AbortSignal;
}

/** Statuses of a server that may be well a little later. */
const PASSING = [408, 425, 429];

/**
 * Server-sent events over `fetch`: unlike the platform's `EventSource` they carry headers, such as a token, exist in every
 * runtime, and tell why a server refuses.
 *
 * @param open Opens the stream, at each attempt: an endpoint with `content: "stream"`, and without a deadline, for events
 *   may be rare. An error with a status from 400 to 499, but for 408, 425 and 429, is a refusal; so is
 *   `null`, as `response.body` of a 204 is. (An endpoint with `content: "stream"` gives an empty stream then, which is a
 *   break: the wait doubles each time.)
 * @returns A source for a `StreamManager`.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { eventStreamSource, RestEndpoint } from "@rejoin/data";
 *
 * const events = new RestEndpoint({
 *   urlPrefix: "https://api.example.com",
 *   path: "/events",
 *   content: "stream",
 *   deadline: Infinity,
 *   retry: 0,
 * });
 * const source = eventStreamSource(({ headers, signal }) => events.extend({ signal, requestInit: { headers } })());
 * assert(typeof source === "function");
 * ```
 */
export function eventStreamSource(
  open: (request: EventStreamRequest) => Promise<ReadableStream<Uint8Array> | null>,
): StreamSource {
  return (listener) => {
    const abort = new AbortController();
    const { lastEventId } = listener;
    // Header values are bytes: what cannot be one would fail each attempt.
    const isSendable = lastEventId !== undefined && lastEventId !== "" && /^[\x20-\x7e]*$/.test(lastEventId);
    const headers = { Accept: "text/event-stream", ...(isSendable ? { "Last-Event-ID": lastEventId } : {}) };
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    const run = async (): Promise<void> => {
      const body = await open({ headers, signal: abort.signal }) ?? null;
      if (abort.signal.aborted) return void body?.cancel?.().catch(() => {});
      if (body === null) {
        return listener.close(new Error("The server has ended the event stream"), true);
      }
      if (typeof body.getReader !== "function") {
        return listener.close(new TypeError("open() is to give a stream, such as response.body"), true);
      }
      reader = body.getReader();
      listener.open();
      const parser = new EventStreamParser(listener, lastEventId);
      for (;;) {
        const { done, value } = await reader.read();
        if (abort.signal.aborted) return;
        if (done) return listener.close(new Error("The event stream ended"));
        listener.alive();
        parser.write(value);
      }
    };
    run().catch((reason) => {
      if (!abort.signal.aborted) listener.close(reason, isRefusal(reason));
    });
    return {
      close: () => {
        abort.abort(new DOMException("The event stream is needed no more", "AbortError"));
        reader?.cancel().catch(() => {});
      },
    };
  };
}

function isRefusal(reason: unknown): boolean {
  const { name, status } = (reason ?? {}) as { readonly name?: unknown; readonly status?: unknown }; // whatever was thrown
  // An address that cannot be one will not become one.
  if (name === "UrlError" || name === "EndpointError") return true;
  return typeof status === "number" && status >= 400 && status < 500 && !PASSING.includes(status);
}
