import type { Controller } from "../../controller/controller.ts";
import type { RunEndpoint } from "../../endpoint/endpoint_types.ts";
import type { RejoinError } from "../../errors/rejoin_error.ts";
import type { Args, Value } from "../../plain/value.ts";
import type { SchemaInput } from "../../store/infer.ts";
import type { Serializer } from "../../store/schema.ts";

/** One message of a source. */
export interface StreamMessage {
  /** The type: `event` of a server-sent event, `type` of a JSON message, or `"message"` if it has none. */
  readonly type: string;
  /** The data: parsed JSON, the text if it is no JSON, or bytes. */
  readonly data: unknown;
  /** An id from which the stream can be resumed; `undefined` if the message has none. */
  readonly id?: string | undefined;
}

/** The callbacks of a source. They are ignored after `close`, whichever side has closed. */
export interface StreamListener {
  /** The id to resume from; `undefined` at the beginning, or if no message had an id. */
  readonly lastEventId: string | undefined;
  /** The connection is open. */
  open(): void;
  /** A message came. */
  message(message: StreamMessage): void;
  /**
   * Data came that cannot be read. They are reported like a message that cannot be handled, and the connection goes on.
   *
   * @param reason Why they cannot be read.
   * @param raw The data.
   */
  malformed?(reason: unknown, raw: unknown): void;
  /** The server has sent something that is no message, such as a ping. */
  alive(): void;
  /**
   * The server has sent `retry`: it replaces `minDelay`, in ms, but values below 500 count as 500. The wait is still a
   * random time up to that value, and at most `maxDelay`.
   */
  retryAfter(ms: number): void;
  /**
   * The connection has ended, or could not be opened.
   *
   * @param reason Why.
   * @param isFinal Whether the server refuses, so that another attempt would fail, too.
   */
  close(reason: unknown, isFinal?: boolean): void;
}

/** A connection of a source. */
export interface StreamConnection {
  /** Ends the connection. The listener is not called any more. */
  close(): void;
  /** Sends a text to the server. A source that only listens has no such method. */
  send?(text: string): void;
}

/**
 * Opens a connection and reports to a listener. {@linkcode webSocketSource} and {@linkcode eventStreamSource} make such
 * functions.
 *
 * @param listener The callbacks of the connection.
 * @returns The connection, which may still be opening.
 */
export type StreamSource = (listener: StreamListener) => StreamConnection;

/** Parses JSON; returns any other text as it is. */
export function readData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A read that components show. */
export interface StreamSubscription {
  readonly endpoint: RunEndpoint;
  readonly args: Args;
  readonly key: string;
}

/** What to do with the messages of one type: a schema writes their data, a function handles them itself. */
export type StreamTarget =
  | Exclude<SchemaInput, Serializer>
  | ((data: Value, controller: Controller, message: StreamMessage) => unknown);

/** Options of a `StreamManager`. */
export interface StreamManagerOptions {
  /** The source of the messages. */
  readonly source: StreamSource;
  /**
   * What to do with messages, by type. Data are written as the given entity or schema; `new schema.Invalidate(Article)`
   * deletes the record that they name; a function gets data, controller and message. Messages of other types go to
   * `onMessage`.
   */
  readonly messages?: { readonly [type: string]: StreamTarget } | undefined;
  /**
   * Gets the messages whose types are not in `messages`.
   *
   * @param message The message.
   * @param controller The controller of the manager.
   */
  onMessage?(message: StreamMessage, controller: Controller): unknown;
  /**
   * Runs when the connection is open. If the server cannot resume a stream, the messages between two connections are
   * lost; then expire the reads that they may have changed. An error of this function is logged.
   *
   * @param controller The controller of the manager.
   * @param isAgain Whether there was a connection before.
   */
  onOpen?(controller: Controller, isAgain: boolean): unknown;
  /**
   * Runs when a message cannot be read or handled. Defaults to `console.error(error)`, because a message of a server
   * must not end the process.
   *
   * @param error Names the message and the reason. Its `cause` is the original error.
   * @param message The message, or the data that the source could not read.
   * @param controller The controller of the manager.
   */
  onError?(error: RejoinError, message: unknown, controller: Controller): unknown;
  /**
   * Runs when the server refuses. No further attempt is made. Defaults to `console.error(error)`.
   *
   * @param error The reason.
   * @param controller The controller of the manager.
   */
  onRefused?(error: unknown, controller: Controller): unknown;
  /**
   * Returns the text that subscribes to a read that components show, or `undefined` for a read that is not part of this
   * stream. It is sent for the first subscriber of a key, and again after a reconnect. The subscription is not polled.
   *
   * @param subscription Endpoint, arguments and key.
   */
  subscribe?(subscription: StreamSubscription): string | undefined;
  /**
   * Returns the text that ends the subscription after its last subscriber left, or `undefined` if none is needed.
   *
   * @param subscription Endpoint, arguments and key.
   */
  unsubscribe?(subscription: StreamSubscription): string | undefined;
  /**
   * The longest first wait before a reconnect, in ms, unless the server sets another. It doubles with each failure.
   * Defaults to 1,000.
   */
  readonly minDelay?: number | undefined;
  /** The longest wait of all, in ms. Defaults to 30,000. */
  readonly maxDelay?: number | undefined;
  /** How long a connection may take to open, in ms. Defaults to 30,000. */
  readonly openTimeout?: number | undefined;
  /** After how many ms without data a connection counts as dead. Defaults to `Infinity`. */
  readonly maxSilence?: number | undefined;
  /** Whether to close the connection while the page is hidden, and to open it again afterwards. Defaults to `false`. */
  readonly closeWhenHidden?: boolean | undefined;
}
