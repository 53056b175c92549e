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

/**
 * The least ms that a server's `retry` counts for. With 0 the manager would reconnect again and again without a pause.
 */
const MIN_RETRY = 500;

/** Calls code of the app, whose errors must end neither the stream nor the process. */
async function attempt(run: () => unknown, failed: (error: unknown) => unknown = console.error): Promise<void> {
  try {
    await run();
  } catch (error) {
    failed(error);
  }
}

/**
 * A part that keeps a stream of messages open and writes them into the store: server-sent events ({@linkcode
 * eventStreamSource}), a WebSocket ({@linkcode webSocketSource}), or your own source. Each controller needs its own
 * manager.
 *
 * A broken connection is opened again after a random time up to `minDelay` · 2ⁿ and at most `maxDelay`, or at once when
 * the network comes back; nothing is tried while the platform is offline. If messages have ids, the stream resumes
 * after the last one. A message is an edit: it stays on top of every reply that was asked for before it came. A message
 * that the app cannot handle goes to `onError`, and the next ones are handled. A reset of the store closes the
 * connection and opens a new one from the beginning, because it may serve another user; it does so also after a
 * refusal.
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
  /** For each key, what its components show, and how many they are. */
  readonly #channels = new Map<string, { readonly shown: StreamSubscription; count: number }>();
  #controller!: Controller;
  #connection: StreamConnection | undefined;
  /** The listener of the present connection. Calls from earlier connections are ignored. */
  #listener: StreamListener | undefined;
  #isOpen = false;
  #wasOpen = false;
  #isEnded = false;
  /**
   * Starts the next attempt. While there is a connection, it ends the connection when that takes too long or is silent.
   */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastEventId: string | undefined;
  #failures = 0;
  #openedAt = 0;
  #minDelay: number;

  /** @param options The source of messages, and how to handle them. */
  constructor(options: StreamManagerOptions) {
    this.#options = options;
    this.#minDelay = options.minDelay ?? 1e3;
  }

  /** Opens the connection. */
  install(controller: PartHost): void {
    this.#controller = controller as Controller; // every host of a part is a Controller
    const { signal } = this.#over, look = () => this.#look();
    const names = ["online", "offline", ...this.#options.closeWhenHidden ? ["visibilitychange"] : []];
    // Node's global object has no events.
    for (const name of names) page.addEventListener?.(name, look, { signal });
    if (this.#isAwake) this.#connect();
  }

  /** Closes the connection for good. */
  cleanup(): void {
    this.#isEnded = true;
    this.#over.abort();
    this.#channels.clear();
    this.#drop();
  }

  /** Reconnects when the store is emptied, because the old connection may serve another user. */
  reset(): void {
    this.#drop();
    this.#isEnded = this.#over.signal.aborted;
    this.#lastEventId = undefined;
    // It waits, because a message of the server may have caused the reset, and would cause it again.
    this.#wait();
  }

  /** Takes the subscriptions for which the option `subscribe` returns a text. */
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

  /** Runs when the page is hidden or shown, and when the network goes or comes. */
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
      // A source that throws has a wrong address, which another attempt would not mend.
      return own(() => this.#closed(error, true));
    }
    // A source may report messages and its end before it returns.
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
    // A source that opens at once has not returned its connection yet; `#connect` sends the channels then.
    if (this.#connection) this.#sendChannels();
    attempt(() => this.#options.onOpen?.(this.#controller, isAgain));
  }

  #receive(message: StreamMessage): void {
    this.#watchSilence();
    const listener = this.#listener, id = message?.id;
    attempt(() => this.#apply(message), (cause) => this.#reject(message, cause));
    // The id counts once the message was handled. If its handling emptied the store, the server sends the message
    // again.
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
    // A source of the app may pass on anything that a server sends.
    if (typeof type != "string") throw new TypeError("it has no type");
    // An event with an id but no data is no message. It only moves the point to resume from.
    if (type === "") return;
    this.#failures = 0;
    if (!Object.hasOwn(messages, type)) return onMessage?.(message, controller);
    const target: Value = messages[type];
    if (typeof target == "function" && !isEntity(target)) return target(data, controller, message);
    if (data === undefined) throw new TypeError("it has no data");
    if (!isEntity(target)) return set(target, data);
    const given: Value = data, pk = isObject(given) ? pkText(target.pk(given)) : undefined;
    const isGone = pk !== undefined && controller.store.plan(target).table.rows.get(pk)?.rec === null;
    // A deleted record comes back only by a message that has every member whose default is not `undefined`.
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
    // A connection that lasted this long was no failure, because some proxies cut connections that are silent for a
    // minute.
    if (lasted >= maxDelay) this.#failures = 0;
    this.#wait();
  }

  #wait(): void {
    const { maxDelay = 3e4 } = this.#options, longest = Math.min(maxDelay, this.#minDelay * 2 ** this.#failures++);
    if (this.#isAwake) this.#after(Math.random() * longest, () => this.#connect());
  }

  /** Ends the connection, or the wait for the next attempt. */
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
    // A timer of more than 24 days would fire at once.
    if (ms < 2e9) this.#timer = setTimeout(run, ms);
  }

  #sendChannels(): void {
    for (const { shown } of [...this.#channels.values()]) attempt(() => this.#send(this.#options.subscribe?.(shown)));
  }

  /** Sends a text if the connection is open. Otherwise `#sendChannels` sends the subscriptions when it opens. */
  #send(text: string | undefined): void {
    if (text !== undefined && this.#isOpen) attempt(() => this.#connection?.send?.(text));
  }
}
