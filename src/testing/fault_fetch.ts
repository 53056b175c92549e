import type { Disposable } from "../plain/value.ts";

/** A server, as a function. A request takes effect on the server when the handler is called. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** What goes wrong with one request. Members can be combined; what is left out goes well. */
export interface Fault {
  /** How long the request takes to reach the handler, in ms. */
  readonly delay?: number | undefined;
  /** How long the response takes to come back, in ms. */
  readonly replyDelay?: number | undefined;
  /**
   * Waits for the test: `"request"` before the handler is called, `"reply"` after it, or at both points. Waiting
   * requests are in {@linkcode FaultFetch.held}.
   */
  readonly hold?: "request" | "reply" | "both" | undefined;
  /** Never settles: `"request"` without calling the handler, `"reply"` after calling it. */
  readonly never?: "request" | "reply" | undefined;
  /** The connection breaks: `"request"` without calling the handler, `"reply"` after calling it. */
  readonly lost?: "request" | "reply" | undefined;
  /** Rejects with any value, without calling the handler. */
  readonly reject?: { readonly value: unknown } | undefined;
  /** Throws any value synchronously. No platform does so, but many replacements of `fetch` do. */
  readonly throw?: { readonly value: unknown } | undefined;
  /** The headers arrive, but the body stops after this many bytes and never goes on. */
  readonly hangBody?: number | undefined;
  /** The headers arrive, but the connection breaks after this many bytes of the body. */
  readonly cutBody?: number | undefined;
  /** The body comes in chunks of `bytes` bytes, one each `every` ms. */
  readonly drip?: { readonly bytes: number; readonly every: number } | undefined;
  /** Ignores the abort signal: the response arrives nevertheless. */
  readonly deaf?: boolean | undefined;
}

/** One request that waits for the test. */
export interface Held {
  /** The request as it was sent. */
  readonly request: Request;
  /** Whether the request waits before the handler is called, or its response waits after that. */
  readonly stage: "request" | "reply";
  /** Lets the request go on. */
  release(): void;
  /** Breaks the connection, or rejects with the given value. */
  fail(...value: [value?: unknown]): void;
}

/** One call of `fetch`. */
export interface Call {
  /** The request; its body can still be read. */
  readonly request: Request;
  /** How the call has ended, or `"open"`. */
  readonly state: "open" | "answered" | "failed" | "aborted";
}

/** Which requests a rule is for: a method and the start of a path (`"PATCH /articles"`), a path, or a function. */
export type Match = string | ((request: Request) => boolean);

interface Rule {
  readonly match: Match;
  readonly fault: Fault;
  times: number;
}
/** A call whose state this file may change. */
interface OpenCall extends Call {
  state: Call["state"];
  readonly fault: Fault;
  /** The signal of the caller; `undefined` for a call that ignores it. */
  readonly signal: AbortSignal | undefined;
}

/**
 * A `fetch` over a handler, with faults that the test sets. Nothing in it is random, and its timers are those of the
 * platform, so that fake timers move them.
 *
 * Without a fault it behaves as the Fetch standard says: relative URLs and broken requests reject with a `TypeError`,
 * and an abort rejects with the signal's reason, also while the body is read.
 *
 * @example Two replies in the wrong order
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Controller, Entity, resource } from "@rejoin/data";
 * import { FaultFetch, flush } from "@rejoin/data/testing";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const ArticleResource = resource({ urlPrefix: "https://api.example.com", path: "/articles/:id", schema: Article });
 * const article = { id: "5", title: "Old" };
 * const network = new FaultFetch(async (request) => {
 *   if (request.method === "PATCH") Object.assign(article, await request.json());
 *   return Response.json(article);
 * });
 * using _ = network.install();
 * network.always("/articles", { hold: "reply" });
 * const controller = new Controller();
 * const read = controller.fetch(ArticleResource.get, { id: "5" });
 * await flush();
 * const edit = controller.fetch(ArticleResource.partialUpdate, { id: "5" }, { title: "New" });
 * await flush();
 * network.releaseAll([1, 0]);
 * await Promise.all([edit, read]);
 * assertEquals(controller.get(Article, { id: "5" })?.title, "New");
 * ```
 */
export class FaultFetch {
  readonly #handler: Handler;
  readonly #script: Fault[] = [];
  readonly #rules: Rule[] = [];
  readonly #calls: OpenCall[] = [];
  readonly #held = new Set<Held>();

  /**
   * Creates a network without faults.
   *
   * @param handler The server. A handler that throws breaks the connection.
   */
  constructor(handler: Handler) {
    this.#handler = handler;
  }

  /** All calls so far, in order. */
  get calls(): readonly Call[] {
    return this.#calls;
  }
  /** The requests that wait for the test, in the order in which they began to wait. */
  get held(): readonly Held[] {
    return [...this.#held];
  }
  /** The number of calls that have not settled. */
  get open(): number {
    return this.#calls.filter(({ state }) => state === "open").length;
  }

  /**
   * Sets the faults of the next calls that match no rule, one each; `{}` is a call without fault.
   *
   * @returns This object.
   */
  script(...faults: readonly Fault[]): this {
    this.#script.push(...faults);
    return this;
  }
  /**
   * Sets the fault of every call that matches. A later rule wins.
   *
   * @returns This object.
   */
  always(match: Match, fault: Fault): this {
    this.#rules.unshift({ match, fault, times: Infinity });
    return this;
  }
  /**
   * Sets the fault of the next call that matches.
   *
   * @returns This object.
   */
  once(match: Match, fault: Fault): this {
    this.#rules.unshift({ match, fault, times: 1 });
    return this;
  }
  /** Removes all rules and the script. */
  heal(): void {
    this.#rules.length = this.#script.length = 0;
  }
  /**
   * Releases all requests that wait.
   *
   * @param order Positions in {@linkcode held}, in the order in which to release them.
   */
  releaseAll(order?: readonly number[]): void {
    const waiting = this.held;
    for (const at of order ?? waiting.keys()) waiting[at]?.release();
  }

  /**
   * Replaces the global `fetch` with this one.
   *
   * @returns A function that restores the global `fetch`. It is also disposable.
   */
  install(): (() => void) & Disposable {
    const before = globalThis.fetch;
    globalThis.fetch = this.fetch;
    const restore = (): void => {
      if (globalThis.fetch === this.fetch) globalThis.fetch = before;
    };
    return Object.assign(restore, { [Symbol.dispose]: restore });
  }

  /** The `fetch` function, bound to this object. */
  readonly fetch = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    let request: Request;
    try {
      request = new Request(input, init);
    } catch (error) {
      return Promise.reject(error);
    }
    const rule = this.#rules.find(({ times, match }) => times > 0 && matches(match, request));
    if (rule) rule.times--;
    const fault = rule?.fault ?? this.#script.shift() ?? {};
    const signal = fault.deaf ? undefined : init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const call: OpenCall = { request: request.clone(), state: "open", fault, signal };
    this.#calls.push(call);
    if (fault.throw) {
      call.state = "failed";
      throw fault.throw.value;
    }
    return this.#settle(call, request);
  };

  async #settle(call: OpenCall, request: Request): Promise<Response> {
    try {
      const { status, statusText, headers, body } = await Promise.race([
        this.#answer(call, request),
        aborted(call.signal),
      ]);
      call.state = "answered";
      const response = new Response(body && faultyBody(body, call), { status, statusText, headers });
      return Object.defineProperty(response, "url", { value: request.url });
    } catch (error) {
      call.state = call.signal?.aborted ? "aborted" : "failed";
      throw error;
    }
  }
  async #answer(call: OpenCall, request: Request): Promise<Response> {
    await this.#pass("request", call, call.fault.delay);
    const response = await new Promise<Response>((resolve) => resolve(this.#handler(request))).catch((cause) => {
      throw new TypeError(`connection closed: the handler threw ${String(cause)}`, { cause });
    });
    await this.#pass("reply", call, call.fault.replyDelay);
    return response;
  }
  /** One direction through the network: the request to the handler, or the reply back. */
  async #pass(stage: Held["stage"], { request, fault, signal }: OpenCall, delay: number | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (delay !== undefined) await pause(delay, signal);
    if (stage === "request" && fault.reject) throw fault.reject.value;
    if (fault.hold === stage || fault.hold === "both") await this.#hold(stage, request, signal);
    if (fault.never === stage) await new Promise(() => {});
    if (fault.lost === stage) throw new TypeError(`connection lost (${stage})`);
  }
  #hold(stage: Held["stage"], request: Request, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const held: Held = {
        request,
        stage,
        release: () => (this.#held.delete(held), resolve()),
        fail: (
          ...value
        ) => (this.#held.delete(held), reject(value.length ? value[0] : new TypeError("connection lost"))),
      };
      this.#held.add(held);
      signal?.addEventListener("abort", () => this.#held.delete(held));
    });
  }
}

function matches(match: Match, request: Request): boolean {
  if (typeof match == "function") return match(request);
  const [path = "", method] = match.split(" ").reverse(), { pathname } = new URL(request.url);
  return (method === undefined || method === request.method) &&
    (pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`));
}

type Bytes = Uint8Array<ArrayBuffer>;
/** A body with the faults of its call. It errors when the signal aborts. */
function faultyBody(body: ReadableStream<Bytes>, { fault, signal }: OpenCall): ReadableStream<Bytes> {
  const { hangBody = Infinity, cutBody = Infinity, drip } = fault;
  let left = Math.min(hangBody, cutBody);
  const faults = new TransformStream<Bytes, Bytes>({
    async transform(chunk, stream) {
      for (let at = 0; at < chunk.length;) {
        if (!left && cutBody < hangBody) throw new TypeError("connection lost (body)");
        if (!left) await aborted(signal);
        if (drip) await pause(drip.every, signal);
        const piece = chunk.slice(at, at + Math.min(drip?.bytes ?? Infinity, left));
        stream.enqueue(piece);
        at += piece.length;
        left -= piece.length;
      }
    },
  });
  return body.pipeThrough(faults, signal && { signal });
}

/** Rejects when a signal aborts, with its reason. */
function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
}
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((go) => {
    const timer = setTimeout(go, ms);
    signal?.addEventListener("abort", () => clearTimeout(timer));
  });
}
