import type { Controller } from "../../controller/controller.ts";
import type { RunEndpoint } from "../../endpoint/endpoint_types.ts";
import type { RejoinError } from "../../errors/rejoin_error.ts";
import type { Args } from "../../plain/value.ts";
import type { Schema } from "../../store/schema.ts";

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

/** What a component shows. */
export interface StreamSubscription {
  readonly endpoint: RunEndpoint;
  readonly args: Args;
  readonly key: string;
}

/** What becomes of the messages of one type: a schema takes their data, a function does what it likes. */
export type StreamTarget =
  | Schema
  | ((data: never, controller: Controller, message: StreamMessage) => unknown);

/** How a `StreamManager` works. */
export interface StreamManagerOptions {
  /** Where messages come from. */
  readonly source: StreamSource;
  /**
   * What becomes of messages, by type. An entity (or another schema) is what the data is written as; `new
   * schema.Invalidate(Article)` deletes what the data names; a function gets data, controller and message. Types that
   * are not there go to `onMessage`.
   */
  readonly messages?: { readonly [type: string]: StreamTarget } | undefined;
  /**
   * Gets the messages that `messages` does not name.
   *
   * @param message What came.
   * @param controller Where it belongs.
   */
  onMessage?(message: StreamMessage, controller: Controller): unknown;
  /**
   * The connection stands. After a break, what was said meanwhile is lost where the server cannot resume: then expire
   * what it would have changed. What it throws is logged.
   *
   * @param controller Where messages go.
   * @param isAgain There was a connection before.
   */
  onOpen?(controller: Controller, isAgain: boolean): unknown;
  /**
   * A message could not be read, or not be handled. Defaults to `console.error(error)`: what a server says ends no process.
   *
   * @param error Which message it was and why; what was thrown is its `cause`.
   * @param message What came: a message, or what a source could not read.
   * @param controller Where messages go.
   */
  onError?(error: RejoinError, message: unknown, controller: Controller): unknown;
  /**
   * The server refuses, and nothing is tried any more. Defaults to `console.error(error)`.
   *
   * @param error Why.
   * @param controller Where messages go.
   */
  onRefused?(error: unknown, controller: Controller): unknown;
  /**
   * The text that asks the server for what a component shows: it is sent for the first subscriber of a key, and again
   * after a reconnect. Such a subscription is not polled. `undefined`: not of this stream.
   *
   * @param subscription Endpoint, arguments and key.
   */
  subscribe?(subscription: StreamSubscription): string | undefined;
  /**
   * The text that takes it back, for the last subscriber; `undefined`: none is needed.
   *
   * @param subscription Endpoint, arguments and key.
   */
  unsubscribe?(subscription: StreamSubscription): string | undefined;
  /**
   * The first wait before a reconnect is at most so long, in ms, unless the server says otherwise; doubled with each
   * failure. Defaults to 1,000.
   */
  readonly minDelay?: number | undefined;
  /** No wait is longer, in ms. Defaults to 30,000. */
  readonly maxDelay?: number | undefined;
  /** A connection that takes longer to open is given up, in ms. Defaults to 30,000. */
  readonly openTimeout?: number | undefined;
  /** A connection that was silent for so long is taken for dead, in ms. Defaults to `Infinity`: it is trusted. */
  readonly maxSilence?: number | undefined;
  /** The connection is closed while the page is hidden, and opened again when it is seen. Defaults to `false`. */
  readonly closeWhenHidden?: boolean | undefined;
}
