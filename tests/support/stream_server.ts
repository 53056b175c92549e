/**
 * A real server of two streams, `/events` (server-sent events) and `/socket` (a WebSocket). A test makes it send, stop
 * within a frame, break connections and come back.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

/** A connected client. */
export interface StreamClient {
  /** `/events` or `/socket`, with the query. */
  readonly path: string;
  /** The request headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The texts that the client has sent over the socket. */
  readonly heard: readonly string[];
  /** Whether the connection has ended. */
  readonly isGone: boolean;
  /** Sends text: to `/events` any part of the stream as it is, to `/socket` a whole text frame. */
  send(text: string): void;
  /** Sends the first bytes of what {@linkcode send} would send. */
  sendHalf(text: string): void;
  /** Closes the connection as a server does that shuts down. */
  end(): void;
  /** Breaks the connection without a goodbye. */
  cut(): void;
}

/** A server of streams on loopback. */
export class StreamServer implements AsyncDisposable {
  /** All clients so far, in order. */
  readonly clients: StreamClient[] = [];
  /** Responses for the next requests, in place of a stream. */
  refusal: number | undefined;
  /** How many requests got such a response. */
  refused = 0;
  #server: Server | undefined;
  #port = 0;
  readonly #sockets = new Set<Socket>();

  /** Starts the server; a second time on the same port. */
  async start(): Promise<this> {
    const server = this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("error", () => {});
      let head = "";
      const heard: string[] = [];
      socket.on("data", (chunk: Uint8Array) => {
        if (head.endsWith("\r\n\r\n")) return hear(socket, chunk, heard);
        head += new TextDecoder().decode(chunk);
        if (head.endsWith("\r\n\r\n")) this.#answer(socket, head, heard);
      });
    });
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    return this;
  }

  /** `127.0.0.1:…` */
  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** The last client that connected. */
  get last(): StreamClient {
    return this.clients.at(-1)!;
  }

  /** Stops the server and breaks every connection. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  /** Stops the server. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #answer(socket: Socket, head: string, heard: readonly string[]): void {
    const [first = "", ...lines] = head.trimEnd().split("\r\n");
    const headers = Object.fromEntries(lines.map((line) => {
      const [name = "", value = ""] = line.split(/: *(.*)/s);
      return [name.toLowerCase(), value];
    }));
    if (this.refusal !== undefined) {
      this.refused++;
      const length = this.refusal === 204 ? "" : "Content-Length: 0\r\n";
      return void socket.end(`HTTP/1.1 ${this.refusal} No\r\n${length}Connection: close\r\n\r\n`);
    }
    const bytes = (text: string) => new TextEncoder().encode(text);
    const chunk = (text: string) => `${bytes(text).length.toString(16)}\r\n${text}\r\n`;
    const key = headers["sec-websocket-key"];
    if (key === undefined) {
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
      this.#join(first, headers, socket, heard, {
        send: (text) => void socket.write(chunk(text)),
        sendHalf: (text) => void socket.write(chunk(text.slice(0, text.length / 2))),
        end: () => void socket.end("0\r\n\r\n"),
      });
      return;
    }
    const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
        `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    this.#join(first, headers, socket, heard, {
      send: (text) => void socket.write(frame(0x81, bytes(text))),
      sendHalf: (text) => void socket.write(frame(0x81, bytes(text)).slice(0, 4)),
      // Close code 1001: the server goes away.
      end: () => void socket.end(frame(0x88, new Uint8Array([0x03, 0xe9]))),
    });
  }

  #join(
    first: string,
    headers: StreamClient["headers"],
    socket: Socket,
    heard: readonly string[],
    speak: Pick<StreamClient, "send" | "sendHalf" | "end">,
  ): void {
    let isGone = false;
    socket.on("close", () => isGone = true);
    this.clients.push({
      path: first.split(" ")[1]!,
      headers,
      heard,
      ...speak,
      cut: () => void socket.destroy(),
      get isGone() {
        return isGone;
      },
    });
  }
}

/** Waits for an effect at the other end of a connection. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

function frame(kind: number, payload: Uint8Array): Uint8Array {
  if (payload.length > 125) throw new Error("a test frame has at most 125 bytes");
  return new Uint8Array([kind, payload.length, ...payload]);
}

/** Reads short masked frames, as clients send them. It keeps texts, and answers a close frame. */
function hear(socket: Socket, chunk: Uint8Array, heard: string[]): void {
  for (let at = 0; at + 6 <= chunk.length;) {
    const kind = chunk[at]! & 0x0f;
    const length = chunk[at + 1]! & 0x7f;
    const mask = chunk.slice(at + 2, at + 6);
    const payload = chunk.slice(at + 6, at + 6 + length).map((byte, index) => byte ^ mask[index % 4]!);
    if (kind === 1) heard.push(new TextDecoder().decode(payload));
    if (kind === 8) socket.end(frame(0x88, payload));
    at += 6 + length;
  }
}
