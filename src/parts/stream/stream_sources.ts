import { readData, type StreamListener, type StreamMessage, type StreamSource } from "./stream_types.ts";

/** The argument of a function that opens an event stream. */
export interface EventStreamRequest {
  /** `Accept`, and `Last-Event-ID` if the stream should resume. */
  readonly headers: { readonly [name: string]: string };
  /** Aborts when the stream is not needed any more. */
  readonly signal: AbortSignal;
}

/** The statuses below 500 after which another attempt may succeed. */
const PASSING = [408, 425, 429];

/**
 * A source of server-sent events over `fetch`. Unlike the platform's `EventSource`, it sends headers such as a token,
 * works in every runtime, and knows why a server refuses.
 *
 * @param open Opens the stream, at each attempt. Use an endpoint with `content: "stream"` and without a deadline,
 * because events may be rare. An error with a status from 400 to 499 is a refusal, except 408, 425 and 429; so is
 * `null`, which `response.body` of a 204 is. (An endpoint with `content: "stream"` returns an empty stream for a 204,
 * which is a break: the wait doubles each time.)
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
    // A header takes bytes only. An id with other characters would make each attempt fail.
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
  // A wrong address stays wrong at the next attempt.
  if (name === "UrlError" || name === "EndpointError") return true;
  return typeof status === "number" && status >= 400 && status < 500 && !PASSING.includes(status);
}

/**
 * Parses `text/event-stream` as the HTML standard says ("Interpreting an event stream"): lines end in CR, LF or CRLF,
 * chunks may be cut anywhere, and an event that the end of the stream cuts off is dropped with its id. Returns a
 * function that takes the chunks.
 */
function eventParser(listener: StreamListener): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "", isAfterCr = false, type = "", data: string[] = [], id = listener.lastEventId;
  return (chunk) => {
    let text = decoder.decode(chunk, { stream: true });
    if (text === "") return;
    // CR and LF in two chunks end one line.
    if (isAfterCr && text[0] === "\n") text = text.slice(1);
    isAfterCr = text.endsWith("\r");
    const lines = (rest + text).split(/\r\n|\r|\n/);
    rest = lines.pop()!;
    for (const line of lines) {
      const [, field, value = ""] = line.match(/^([^:]*)(?:: ?(.*))?$/s)!;
      if (line === "") {
        // An id without data also moves the point to resume from.
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

/** Options of {@linkcode webSocketSource}. */
export interface WebSocketSourceOptions {
  /** The sub-protocols to offer. */
  readonly protocols?: string | readonly string[] | undefined;
  /**
   * Turns the received data into a message. By default, JSON `{ "type": …, "data": …, "id": … }` is a message; other
   * JSON, texts and bytes are the data of a message of type `"message"`.
   *
   * @param raw A text, or an `ArrayBuffer`.
   * @returns The message, or `undefined` for data that are no message, such as a pong. An error goes to `onError` of
   * the manager.
   */
  read?(raw: unknown): StreamMessage | undefined;
  /**
   * Whether a close code means that the server refuses for good. Defaults to `code === 1008` (policy violation).
   *
   * @param code The close code.
   */
  isFinal?(code: number): boolean;
}

/**
 * A source of messages of a WebSocket.
 *
 * @param url The URL (`wss://…`), or a function that makes it at each attempt, for example with a fresh ticket or the
 * last id.
 * @param options How to connect, and how to read messages.
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
        // Data that cannot be read must not end the connection, because the next message may be right.
        return listener.malformed?.(reason, data);
      }
      if (message === undefined) listener.alive();
      else listener.message(message);
    };
    // Platforms do not tell scripts the cause of an error; a `close` event always follows.
    // Some runtimes throw an unhandled error when a socket is closed before it is open.
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
