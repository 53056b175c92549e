import type { Action, Dispatch, SubscribeAction } from "../controller/action.ts";
import type { Controller } from "../controller/controller.ts";
import { clock } from "../deps/clock.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { said } from "../errors/texts.ts";
import { isEntity } from "../schemas/interface.ts";
import type { Queryable } from "../schemas/infer.ts";
import { isOnline, isVisible, listenToPage, type PageEvent } from "./_page.ts";
import { attempt } from "../errors/report_error.ts";
import { hear } from "../store/hear.ts";
import { type Session, SessionManager } from "./_sessions.ts";
import type { StreamManagerOptions } from "./stream_options.ts";
import type { StreamConnection, StreamListener, StreamMessage } from "./stream_source.ts";

/**
 * Keeps a stream of messages open, and writes what they say into the store: server-sent events
 * ({@linkcode eventStreamSource}), a WebSocket ({@linkcode webSocketSource}), or a source of your own.
 *
 * A connection that breaks is opened again: after a random time up to `minDelay` · 2ⁿ, at most `maxDelay`; from where it
 * broke off, if the messages have ids; at once when the network comes back. While the platform says that there is no
 * network nothing is tried. A message counts as newer than everything that was asked for before it came; but while
 * mutations are in flight it hides none of their replies, and what they write of its records is stale then. One that the
 * app cannot handle goes to `onError`, and stops no other. When the store is emptied the connection is closed and a new one
 * opened, from the beginning, also after a refusal: it is the next person's.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, StreamManager } from "@rejoin/data";
 * import type { StreamSource } from "@rejoin/data/extend";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * // In an app: webSocketSource("wss://api.example.com/live").
 * const source: StreamSource = (listener) => {
 *   listener.open();
 *   listener.message({ type: "article", data: { id: "5", title: "News" } });
 *   return { close() {} };
 * };
 * using controller = new Controller({ managers: [new StreamManager({ source, messages: { article: Article } })] });
 * assert(controller.get(Article, { id: "5" })?.title === "News");
 * ```
 */
export class StreamManager extends SessionManager {
  /** @param options Where messages come from, and what becomes of them. */
  constructor(options: StreamManagerOptions) {
    super((controller) => new Stream(controller, options));
  }
}

/** What a server asks for is no shorter, in ms: 0 · 2ⁿ would be an attempt after the other, for ever. */
const MIN_RETRY = 500;

/** An uncaught error would end the process of a server, and what comes over a wire is nobody's mistake here. */
function logError(error: unknown): void {
  console.error(error);
}

/** A key that somebody shows, and how many do. */
interface Channel {
  /** That of the last subscriber: its endpoint may have another token. */
  subscription: Omit<SubscribeAction, "type">;
  count: number;
}

/** The stream of one controller: at most one connection, or one timer until the next. */
class Stream implements Session {
  readonly #controller: Controller;
  readonly #options: StreamManagerOptions;
  readonly #channels = new Map<string, Channel>();
  readonly #unlisten: () => void;
  #connection: StreamConnection | undefined;
  /** Belongs to the present connection: what an earlier one says does not count. */
  #listener: StreamListener | undefined;
  #isOpen = false;
  #wasOpen = false;
  #isEnded = false;
  #isStopped = false;
  /** Until the next attempt; while there is a connection, until it is given up. */
  #stopTimer: (() => void) | undefined;
  #lastEventId: string | undefined;
  #failures = 0;
  #openedAt = 0;
  #minDelay: number;

  constructor(controller: Controller, options: StreamManagerOptions) {
    this.#controller = controller;
    this.#options = options;
    this.#minDelay = options.minDelay ?? 1_000;
    const types: PageEvent[] = options.closeWhenHidden ? ["visibilitychange"] : [];
    this.#unlisten = listenToPage(() => this.#look(), "online", "offline", ...types);
  }

  /** Connects, unless it has. */
  start(): void {
    if (this.#listener === undefined && this.#stopTimer === undefined && this.#isAwake) this.#connect();
  }

  stop(): void {
    this.#isEnded = this.#isStopped = true;
    this.#unlisten();
    this.#channels.clear();
    this.#drop();
  }

  /** All was forgotten: what the connection of one person says is none of the next one's business. */
  restart(): void {
    this.#drop();
    this.#isEnded = false;
    this.#lastEventId = undefined;
    // Not at once: it may be emptied because of what the server has just said, and would be again.
    this.#wait();
  }

  /** Claims the subscriptions that `subscribe` has a text for, and begins anew when the store is emptied. */
  handle(action: Action, next: Dispatch): unknown {
    if (this.#take(action)) return undefined;
    const result = next(action);
    // Who is told of a reset may stop the controller.
    if (action.type === "reset" && !this.#isStopped) this.restart();
    return result;
  }

  /** Whether an action is a subscription of this stream. */
  #take(action: Action): boolean {
    if (action.type !== "subscribe" && action.type !== "unsubscribe") return false;
    const { subscribe, unsubscribe } = this.#options;
    const { type, ...subscription } = action;
    const channel = this.#channels.get(action.key);
    if (type === "subscribe") {
      if (channel !== undefined) {
        channel.subscription = subscription;
        channel.count++;
        return true;
      }
      let text: string | undefined;
      attempt(() => void (text = subscribe?.(subscription)));
      if (text === undefined) return false;
      this.#channels.set(action.key, { subscription, count: 1 });
      this.#send(text);
      return true;
    }
    if (channel === undefined) return false;
    if (--channel.count === 0) {
      this.#channels.delete(action.key);
      attempt(() => this.#send(unsubscribe?.(channel.subscription)));
    }
    return true;
  }

  get #isAwake(): boolean {
    return !this.#isEnded && isOnline() && (!this.#options.closeWhenHidden || isVisible());
  }

  /** The page was hidden or seen, the network went or came. */
  #look(): void {
    if (!this.#isAwake) return this.#drop();
    if (this.#listener !== undefined) return;
    this.#failures = 0;
    this.#clearTimer();
    this.#connect();
  }

  #connect(): void {
    const { openTimeout = 30_000 } = this.#options;
    const own = (run: () => void): void => {
      if (this.#listener === listener) run();
    };
    const listener: StreamListener = this.#listener = {
      lastEventId: this.#lastEventId,
      open: () => own(() => this.#opened()),
      message: (message) => own(() => this.#receive(message)),
      malformed: (reason, raw) => own(() => this.#reject(raw, reason)),
      alive: () => own(() => this.#watchSilence()),
      retryAfter: (ms) => own(() => this.#minDelay = ms > MIN_RETRY ? ms : MIN_RETRY),
      close: (reason, isFinal) => own(() => this.#closed(reason, isFinal)),
    };
    this.#setTimer(() => this.#closed(new Error("The connection did not open in time")), openTimeout);
    let connection: StreamConnection;
    try {
      connection = this.#options.source(listener);
    } catch (error) {
      // An address that cannot be one will not become one.
      return own(() => this.#closed(error, true));
    }
    // What it said at once may have ended it.
    if (this.#listener !== listener) return attempt(() => connection.close());
    this.#connection = connection;
    if (this.#isOpen) this.#sendChannels();
  }

  #opened(): void {
    if (this.#isOpen) return;
    const isAgain = this.#wasOpen;
    this.#isOpen = this.#wasOpen = true;
    this.#openedAt = clock.monotonic();
    this.#watchSilence();
    // A source that opens at once has no connection yet.
    if (this.#connection !== undefined) this.#sendChannels();
    attempt(() => this.#options.onOpen?.(this.#controller, isAgain), logError);
  }

  #receive(message: StreamMessage): void {
    this.#watchSilence();
    const listener = this.#listener;
    let read: StreamMessage | undefined;
    attempt(
      () => {
        // A source of the app may give what a server likes, `null` among it.
        const { type, data, id } = message;
        if (typeof type !== "string") throw new TypeError("it has no type");
        // Blank lines come also of a page that stands in place of the stream.
        if (type !== "") this.#failures = 0;
        const isNamed = typeof id === "string" || typeof id === "number";
        read = { type, data, id: isNamed ? String(id) : undefined };
        // What it writes must hide no reply of a mutation that is in flight.
        return hear(this.#controller.store, () => this.#apply(message));
      },
      (reason) => this.#reject(message, reason, read),
    );
    const id = (read as StreamMessage | undefined)?.id;
    // After it was handled: one that was half handled when everything stopped comes again.
    if (id !== undefined && this.#listener === listener) this.#lastEventId = id;
  }

  #reject(message: unknown, cause: unknown, read?: StreamMessage): void {
    const { onError = logError } = this.#options;
    const error = new RejoinError(said(702, { read, cause }), { cause });
    this.#watchSilence();
    attempt(() => onError(error, message, this.#controller));
  }

  #apply(message: StreamMessage): unknown {
    const { messages = {}, onMessage } = this.#options;
    const { type, data } = message;
    // An id alone: no message, but a place to go on from.
    if (type === "") return;
    if (!Object.hasOwn(messages, type)) return onMessage?.(message, this.#controller);
    const target = messages[type];
    if (typeof target === "function" && !isEntity(target)) {
      const handle = target as (data: unknown, controller: Controller, message: StreamMessage) => unknown;
      return handle(data, this.#controller, message);
    }
    if (data === undefined) throw new TypeError("it has no data");
    const schema = target as Queryable;
    // The data names the entity that it is written to; other schemas find that in the value themselves.
    const args = isEntity(schema) ? [data] : [];
    (this.#controller.set as (schema: Queryable, ...rest: unknown[]) => void).call(
      this.#controller,
      schema,
      ...args,
      data,
    );
  }

  #closed(reason: unknown, isFinal = false): void {
    const { maxDelay = 30_000, onRefused = logError } = this.#options;
    const lasted = this.#isOpen ? clock.monotonic() - this.#openedAt : 0;
    this.#drop();
    if (isFinal) {
      this.#isEnded = true;
      attempt(() => onRefused(reason, this.#controller));
      return;
    }
    // A proxy that cuts what is silent for a minute is no server that is down.
    if (lasted >= maxDelay) this.#failures = 0;
    this.#wait();
  }

  #wait(): void {
    const { maxDelay = 30_000 } = this.#options;
    const longest = Math.min(maxDelay, this.#minDelay * 2 ** this.#failures++);
    if (this.#isAwake) this.#setTimer(() => this.#connect(), clock.random() * longest);
  }

  /** Ends the connection, and the wait for one. */
  #drop(): void {
    this.#clearTimer();
    const connection = this.#connection;
    this.#listener = this.#connection = undefined;
    this.#isOpen = false;
    if (connection !== undefined) attempt(() => connection.close());
  }

  #watchSilence(): void {
    const { maxSilence = Infinity } = this.#options;
    if (this.#isOpen) this.#setTimer(() => this.#closed(new Error("The connection fell silent")), maxSilence);
  }

  #setTimer(run: () => void, ms: number): void {
    this.#clearTimer();
    this.#stopTimer = clock.setTimeout(() => {
      this.#stopTimer = undefined;
      run();
    }, ms);
  }

  #clearTimer(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #sendChannels(): void {
    for (const { subscription } of [...this.#channels.values()]) {
      attempt(() => this.#send(this.#options.subscribe?.(subscription)));
    }
  }

  /** Sends a text, if there is somebody to send it to; what is subscribed to is sent again when there is. */
  #send(text: string | undefined): void {
    if (text !== undefined && this.#isOpen) attempt(() => this.#connection?.send?.(text));
  }
}
