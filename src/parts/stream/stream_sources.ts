import { readData, type StreamListener, type StreamMessage, type StreamSource } from "./stream_types.ts";

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
      const parse = eventParser(listener);
      for (;;) {
        const { done, value } = await reader.read();
        if (abort.signal.aborted) return;
        if (done) return listener.close(new Error("The event stream ended"));
        listener.alive();
        parse(value);
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
  const { name, status } = Object(reason);
  // An address that cannot be one will not become one.
  if (name === "UrlError" || name === "EndpointError") return true;
  return typeof status === "number" && status >= 400 && status < 500 && !PASSING.includes(status);
}

/**
 * Parses `text/event-stream` as the HTML standard says ("Interpreting an event stream"): lines end in CR, LF or both,
 * wherever chunks are cut; an event that the end of the stream cuts off is dropped, with its id. Returns what takes chunks.
 */
function eventParser(listener: StreamListener): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "", isAfterCr = false, type = "", data: string[] = [], id = listener.lastEventId;
  return (chunk) => {
    let text = decoder.decode(chunk, { stream: true });
    if (text === "") return;
    // Both are one end of a line.
    if (isAfterCr && text[0] === "\n") text = text.slice(1);
    isAfterCr = text.endsWith("\r");
    const lines = (rest + text).split(/\r\n|\r|\n/);
    rest = lines.pop()!;
    for (const line of lines) {
      const [, field, value = ""] = line.match(/^([^:]*)(?:: ?(.*))?$/s)!;
      if (line === "") {
        // Ids without data move the place where the stream is resumed, too.
        listener.message({
          type: data.length ? type || "message" : "",
          data: data.length ? readData(data.join("\n")) : undefined,
          id,
        });
        type = "";
        data = [];
      } else if (field === "event") type = value;
      else if (field === "data") data.push(value);
      else if (field === "id" && !value.includes("\0")) id = value;
      else if (field === "retry" && /^\d+$/.test(value)) listener.retryAfter(+value);
    }
  };
}

/** How a {@linkcode webSocketSource} connects. */
export interface WebSocketSourceOptions {
  /** Sub-protocols to offer. */
  readonly protocols?: string | readonly string[] | undefined;
  /**
   * Makes a message of what came. Defaults to: JSON `{ "type": …, "data": …, "id": … }`; other JSON, texts and bytes are
   * the data of a message of type `"message"`.
   *
   * @param raw A text, or an `ArrayBuffer`.
   * @returns The message; `undefined`: it is none, such as a pong. What is thrown goes to `onError` of the manager.
   */
  read?(raw: unknown): StreamMessage | undefined;
  /**
   * Whether the server refuses for good. Defaults to `code === 1008` (against the server's policy).
   *
   * @param code The close code.
   */
  isFinal?(code: number): boolean;
}

/**
 * Messages of a WebSocket.
 *
 * @param url `wss://…`, or a function that makes it at each attempt: it may hold a fresh ticket, or where to go on.
 * @param options How to connect, and how to read.
 * @returns A source for a `StreamManager`.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { webSocketSource } from "@rejoin/data";
 *
 * const source = webSocketSource((lastEventId) => `wss://api.example.com/live?after=${lastEventId ?? ""}`);
 * assert(typeof source === "function");
 * ```
 */
export function webSocketSource(
  url: string | URL | ((lastEventId: string | undefined) => string | URL),
  options: WebSocketSourceOptions = {},
): StreamSource {
  const { protocols, read = readMessage, isFinal = (code) => code === 1008 } = options;
  return (listener) => {
    const address = typeof url === "function" ? url(listener.lastEventId) : url;
    const socket = new WebSocket(address, protocols === undefined ? [] : [protocols].flat());
    socket.binaryType = "arraybuffer";
    socket.onopen = () => listener.open();
    socket.onmessage = ({ data }) => {
      let message: StreamMessage | undefined;
      try {
        message = read(data);
      } catch (reason) {
        // One text that is none of the protocol is no reason to lose those that are.
        return listener.malformed?.(reason, data);
      }
      if (message === undefined) listener.alive();
      else listener.message(message);
    };
    // What went wrong is not told to scripts; `close` follows, always.
    // Closing what is not open yet is an error event in some runtimes, too.
    socket.onerror = (event: Event) => event.preventDefault?.();
    socket.onclose = ({ code, reason }) =>
      listener.close(new Error(`The WebSocket was closed: ${code} ${reason}`.trimEnd()), isFinal(code));
    return {
      close: () => {
        socket.onopen = socket.onmessage = socket.onclose = null;
        socket.close();
      },
      send: (text) => socket.send(text),
    };
  };
}

function readMessage(raw: unknown): StreamMessage {
  const data = typeof raw === "string" ? readData(raw) : raw;
  if (typeof data !== "object" || data === null || !("type" in data) || typeof data.type !== "string") {
    return { type: "message", data };
  }
  const id = "id" in data && (typeof data.id === "string" || typeof data.id === "number") ? String(data.id) : undefined;
  return { type: data.type, data: "data" in data ? data.data : undefined, id };
}
