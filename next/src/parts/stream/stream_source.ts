/** One message, as a source gives it. */
export interface StreamMessage {
  /** What kind it is: the `event` of a server-sent event, the `type` of a JSON message; `"message"` where none is said. */
  readonly type: string;
  /** What it says: parsed JSON, the text where it is none, or bytes. */
  readonly data: unknown;
  /** By which the stream can be resumed; `undefined` where it has none. */
  readonly id?: string | undefined;
}

/** What a source tells of its connection. After `close`, and after it was closed, nothing counts any more. */
export interface StreamListener {
  /** Where to go on; `undefined` at the beginning, and where no message had an id. */
  readonly lastEventId: string | undefined;
  /** The connection stands. */
  open(): void;
  /** A message came. */
  message(message: StreamMessage): void;
  /**
   * What came cannot be read. It is reported like a message that cannot be handled, and the connection goes on.
   *
   * @param reason Why.
   * @param raw What came.
   */
  malformed?(reason: unknown, raw: unknown): void;
  /** There was a sign of life that is no message. */
  alive(): void;
  /**
   * The server says what takes the place of `minDelay`, in ms; less than 500 is 500. The wait is a random time up to that,
   * and `maxDelay` bounds it as ever.
   */
  retryAfter(ms: number): void;
  /**
   * The connection is gone, or never came to be.
   *
   * @param reason Why.
   * @param isFinal To connect again would be of no use: the server refuses.
   */
  close(reason: unknown, isFinal?: boolean): void;
}

/** A connection of a source. */
export interface StreamConnection {
  /** Ends it; nothing is told any more. */
  close(): void;
  /** Sends a text to the server; left out where a source only listens. */
  send?(text: string): void;
}

/**
 * Opens a connection and tells of it. {@linkcode webSocketSource} and {@linkcode eventStreamSource} make such functions.
 *
 * @param listener Is told of the connection.
 * @returns The connection, which may still be opening.
 */
export type StreamSource = (listener: StreamListener) => StreamConnection;

/** JSON as a value, any other text as it is. */
export function readData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
