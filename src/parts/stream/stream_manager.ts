import { page } from "../page.ts";
import type { Controller } from "../../controller/controller.ts";
import type { Part, PartHost } from "../../controller/part.ts";
import type { RunEndpoint } from "../../endpoint/endpoint_types.ts";
import { RejoinError } from "../../errors/rejoin_error.ts";
import { isObject, pkText } from "../../plain/is_object.ts";
import type { Args, Value } from "../../plain/value.ts";
import { isEntity } from "../../store/schema.ts";
import type {
  StreamConnection,
  StreamListener,
  StreamManagerOptions,
  StreamMessage,
  StreamSubscription,
} from "./stream_types.ts";

/** What a server asks for is no shorter, in ms: 0 · 2ⁿ would be an attempt after the other, for ever. */
const MIN_RETRY = 500;

/** Calls what is the app's: what it throws ends neither the stream nor the process. */
async function attempt(run: () => unknown, failed: (error: unknown) => unknown = console.error): Promise<void> {
  try {
    await run();
  } catch (error) {
    failed(error);
  }
}

/**
 * A part that keeps a stream of messages open, and writes what they say into the store: server-sent events
 * ({@linkcode eventStreamSource}), a WebSocket ({@linkcode webSocketSource}), or a source of your own. For one controller.
 *
 * A connection that breaks is opened again: after a random time up to `minDelay` · 2ⁿ, at most `maxDelay`; from where it
 * broke off, if the messages have ids; at once when the network comes back. While the platform says that there is no
 * network nothing is tried. A message is an edit: it stays on top of every reply that was asked for before it came. One
 * that the app cannot handle goes to `onError`, and stops no other. When the store is emptied the connection is closed and
 * a new one opened, from the beginning, also after a refusal: it is the next person's.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, StreamManager, type StreamSource } from "@rejoin/data";
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
 * using controller = new Controller({ use: [new StreamManager({ source, messages: { article: Article } })] });
 * assert(controller.get(Article, { id: "5" })?.title === "News");
 * ```
 */
export class StreamManager implements Part {
  readonly #options: StreamManagerOptions;
  readonly #over = new AbortController();
  /** By key, what components show, and how many do. */
  readonly #channels = new Map<string, { readonly shown: StreamSubscription; count: number }>();
  #controller!: Controller;
  #connection: StreamConnection | undefined;
  /** Belongs to the present connection: what an earlier one says does not count. */
  #listener: StreamListener | undefined;
  #isOpen = false;
  #wasOpen = false;
  #isEnded = false;
  /** Until the next attempt; while there is a connection, until it is given up. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastEventId: string | undefined;
  #failures = 0;
  #openedAt = 0;
  #minDelay: number;

  /** @param options Where messages come from, and what becomes of them. */
  constructor(options: StreamManagerOptions) {
    this.#options = options;
    this.#minDelay = options.minDelay ?? 1e3;
  }

  /** Connects. */
  install(controller: PartHost): void {
    this.#controller = controller as Controller; // no part is installed elsewhere
    const { signal } = this.#over, look = () => this.#look();
    const names = ["online", "offline", ...this.#options.closeWhenHidden ? ["visibilitychange"] : []];
    // Node has no events of the global object.
    for (const name of names) page.addEventListener?.(name, look, { signal });
    if (this.#isAwake) this.#connect();
  }

  /** Ends the connection for good. */
  cleanup(): void {
    this.#isEnded = true;
    this.#over.abort();
    this.#channels.clear();
    this.#drop();
  }

  /** All was forgotten: what the connection of one person says is none of the next one's business. */
  reset(): void {
    this.#drop();
    this.#isEnded = this.#over.signal.aborted;
    this.#lastEventId = undefined;
    // Not at once: it may be emptied because of what the server has just said, and would be again.
    this.#wait();
  }

  /** Takes the subscriptions that the option `subscribe` has a text for. */
  subscribe(endpoint: RunEndpoint, args: Args): (() => void) | undefined {
    const { subscribe, unsubscribe } = this.#options, key = endpoint.key(...args), shown = { endpoint, args, key };
    let channel = this.#channels.get(key);
    if (!channel) {
      const text = subscribe?.(shown);
      if (text === undefined) return;
      this.#channels.set(key, channel = { shown, count: 0 });
      this.#send(text);
    }
    channel.count++;
    return () => {
      if (--channel.count || !this.#channels.delete(key)) return;
      attempt(() => this.#send(unsubscribe?.(shown)));
    };
  }

  get #isAwake(): boolean {
    const isSeen = !this.#options.closeWhenHidden || page.document?.visibilityState !== "hidden";
    return !this.#isEnded && isSeen && page.navigator?.onLine !== false;
  }

  /** The page was hidden or seen, the network went or came. */
  #look(): void {
    if (!this.#isAwake) return this.#drop();
    if (this.#listener) return;
    this.#failures = 0;
    this.#connect();
  }

  #connect(): void {
    const { openTimeout = 3e4, source } = this.#options;
    const own = (run: () => void): void => {
      if (this.#listener === listener) run();
    };
    const listener: StreamListener = this.#listener = {
      lastEventId: this.#lastEventId,
      open: () => own(() => this.#opened()),
      message: (message) => own(() => this.#receive(message)),
      malformed: (reason, raw) => own(() => this.#reject(raw, reason)),
      alive: () => own(() => this.#watchSilence()),
      retryAfter: (ms) => own(() => this.#minDelay = Math.max(ms, MIN_RETRY) || MIN_RETRY),
      close: (reason, isFinal) => own(() => this.#closed(reason, isFinal)),
    };
    this.#after(openTimeout, () => this.#closed(new Error("The connection did not open in time")));
    let connection: StreamConnection;
    try {
      connection = source(listener);
    } catch (error) {
      // An address that cannot be one will not become one.
      return own(() => this.#closed(error, true));
    }
    // What it said at once may have ended it.
    if (this.#listener !== listener) return void attempt(() => connection.close());
    this.#connection = connection;
    if (this.#isOpen) this.#sendChannels();
  }

  #opened(): void {
    if (this.#isOpen) return;
    const isAgain = this.#wasOpen;
    this.#isOpen = this.#wasOpen = true;
    this.#openedAt = performance.now();
    this.#watchSilence();
    // A source that opens at once has no connection yet.
    if (this.#connection) this.#sendChannels();
    attempt(() => this.#options.onOpen?.(this.#controller, isAgain));
  }

  #receive(message: StreamMessage): void {
    this.#watchSilence();
    const listener = this.#listener, id = message?.id;
    attempt(() => this.#apply(message), (cause) => this.#reject(message, cause));
    // After it was handled: one that was half handled when everything stopped comes again.
    if (id != null && this.#listener === listener) this.#lastEventId = `${id}`;
  }

  #reject(message: unknown, cause: unknown): void {
    const { onError = console.error } = this.#options, { type, id } = Object(message);
    this.#watchSilence();
    attempt(() => onError(new RejoinError(1005, [type, id, cause], cause), message, this.#controller));
  }

  #apply(message: StreamMessage): unknown {
    const { messages = {}, onMessage } = this.#options,
      { type, data } = message,
      controller = this.#controller,
      { set }: PartHost = controller;
    // A source of the app may give what a server likes.
    if (typeof type != "string") throw new TypeError("it has no type");
    // An id alone: no message, but a place to go on from.
    if (type === "") return;
    this.#failures = 0;
    if (!Object.hasOwn(messages, type)) return onMessage?.(message, controller);
    const target: Value = messages[type];
    if (typeof target == "function" && !isEntity(target)) return target(data, controller, message);
    if (data === undefined) throw new TypeError("it has no data");
    if (!isEntity(target)) return set(target, data);
    const given: Value = data, pk = isObject(given) ? pkText(target.pk(given)) : undefined;
    const isGone = pk !== undefined && controller.store.plan(target).table.rows.get(pk)?.rec === null;
    // What was deleted comes back by a whole record only.
    if (
      isGone && Object.keys(target.defaults).some((name) => target.defaults[name] !== undefined && !(name in given))
    ) return;
    set(target, data);
  }

  #closed(reason: unknown, isFinal = false): void {
    const { maxDelay = 3e4, onRefused = console.error } = this.#options,
      lasted = this.#isOpen ? performance.now() - this.#openedAt : 0;
    this.#drop();
    if (isFinal) {
      this.#isEnded = true;
      return void attempt(() => onRefused(reason, this.#controller));
    }
    // A proxy that cuts what is silent for a minute is no server that is down.
    if (lasted >= maxDelay) this.#failures = 0;
    this.#wait();
  }

  #wait(): void {
    const { maxDelay = 3e4 } = this.#options, longest = Math.min(maxDelay, this.#minDelay * 2 ** this.#failures++);
    if (this.#isAwake) this.#after(Math.random() * longest, () => this.#connect());
  }

  /** Ends the connection, and the wait for one. */
  #drop(): void {
    clearTimeout(this.#timer);
    const connection = this.#connection;
    this.#listener = this.#connection = undefined;
    this.#isOpen = false;
    if (connection) attempt(() => connection.close());
  }

  #watchSilence(): void {
    const { maxSilence = Infinity } = this.#options;
    if (this.#isOpen) this.#after(maxSilence, () => this.#closed(new Error("The connection fell silent")));
  }

  #after(ms: number, run: () => void): void {
    clearTimeout(this.#timer);
    // A timer of more than 24 days would run out at once.
    if (ms < 2e9) this.#timer = setTimeout(run, ms);
  }

  #sendChannels(): void {
    for (const { shown } of [...this.#channels.values()]) attempt(() => this.#send(this.#options.subscribe?.(shown)));
  }

  /** Sends a text, if there is a connection; what is subscribed to is sent again when there is. */
  #send(text: string | undefined): void {
    if (text !== undefined && this.#isOpen) attempt(() => this.#connection?.send?.(text));
  }
}
