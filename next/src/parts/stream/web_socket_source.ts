import { readData, type StreamMessage, type StreamSource } from "./stream_source.ts";

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
