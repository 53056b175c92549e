import type { Disposable } from "../plain/value.ts";

/** A server, as a function. Its effect happens when it is called. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** What goes wrong with one request. Members combine; those left out go well. */
export interface Fault {
  /** How long the request is on its way to the handler, in ms. */
  readonly delay?: number | undefined;
  /** How long the answer is on its way back, in ms. */
  readonly replyDelay?: number | undefined;
  /**
   * Waits for the test: `"request"` before the handler has its effect, `"reply"` between effect and answer, `"both"`.
   * What waits is in {@linkcode FaultFetch.held}.
   */
  readonly hold?: "request" | "reply" | "both" | undefined;
  /** Never settles: `"request"` without the handler's effect, `"reply"` after it. */
  readonly never?: "request" | "reply" | undefined;
  /** The connection breaks: `"request"` without the handler's effect, `"reply"` after it. */
  readonly lost?: "request" | "reply" | undefined;
  /** Rejects with any value, without the handler's effect. */
  readonly reject?: { readonly value: unknown } | undefined;
  /** Throws any value, synchronously, as no platform does and many a replacement of `fetch`. */
  readonly throw?: { readonly value: unknown } | undefined;
  /** The headers arrive, the body stops after so many bytes and does not go on. */
  readonly hangBody?: number | undefined;
  /** The headers arrive, the connection breaks after so many bytes of the body. */
  readonly cutBody?: number | undefined;
  /** The body comes in chunks of so many bytes, each after so many ms. */
  readonly drip?: { readonly bytes: number; readonly every: number } | undefined;
  /** Takes no notice of the abort signal: what was asked for arrives nevertheless. */
  readonly deaf?: boolean | undefined;
}

/** One request that waits for the test. */
export interface Held {
  /** What was asked for. */
  readonly request: Request;
  /** What it waits for: the effect of the handler, or the answer. */
  readonly stage: "request" | "reply";
  /** Lets it go on. */
  release(): void;
  /** Breaks the connection, or rejects with the given value. */
  fail(...value: [value?: unknown]): void;
}

/** One call of `fetch`. */
export interface Call {
  /** What was asked for; its body can still be read. */
  readonly request: Request;
  /** What has become of it. */
  readonly state: "open" | "answered" | "failed" | "aborted";
}

/** Which requests a rule is for: `"PATCH /articles"`, where the path may go on, `"/articles"` or a function. */
export type Match = string | ((request: Request) => boolean);

interface Rule {
  readonly match: Match;
  readonly fault: Fault;
  times: number;
}
/** A call with what only this file may change. */
interface OpenCall extends Call {
  state: Call["state"];
  readonly fault: Fault;
  /** Of the caller; none for a call that is deaf to it. */
  readonly signal: AbortSignal | undefined;
}

/**
 * A `fetch` over a handler, whose faults come by script or by rule. Nothing in it is random, and its timers are those of
 * the platform, so that fake timers move them.
 *
 * It behaves as the Fetch standard says where no fault is set: relative URLs and broken requests reject with a
 * `TypeError`, an abort rejects with the signal's reason, also while the body is read.
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
   * A network without faults, until it is told of some.
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
  /** What waits for the test, in the order in which it began to wait. */
  get held(): readonly Held[] {
    return [...this.#held];
  }
  /** Calls that have not settled. */
  get open(): number {
    return this.#calls.filter(({ state }) => state === "open").length;
  }

  /**
   * Faults for the next calls that no rule is for, one each; `{}` for a call that goes well.
   *
   * @returns This object.
   */
  script(...faults: readonly Fault[]): this {
    this.#script.push(...faults);
    return this;
  }
  /**
   * A fault for every call that matches; a later rule wins.
   *
   * @returns This object.
   */
  always(match: Match, fault: Fault): this {
    this.#rules.unshift({ match, fault, times: Infinity });
    return this;
  }
  /**
   * A fault for the next call that matches.
   *
   * @returns This object.
   */
  once(match: Match, fault: Fault): this {
    this.#rules.unshift({ match, fault, times: 1 });
    return this;
  }
  /** Takes all rules and the script back. */
  heal(): void {
    this.#rules.length = this.#script.length = 0;
  }
  /**
   * Lets everything go on that waits.
   *
   * @param order Positions in {@linkcode held}, in the order in which they go on.
   */
  releaseAll(order?: readonly number[]): void {
    const waiting = this.held;
    for (const at of order ?? waiting.keys()) waiting[at]?.release();
  }

  /**
   * Puts this fetch in the place of the global one.
   *
   * @returns What puts the other one back: a function that is disposable, too.
   */
  install(): (() => void) & Disposable {
    const before = globalThis.fetch;
    globalThis.fetch = this.fetch;
    const restore = (): void => {
      if (globalThis.fetch === this.fetch) globalThis.fetch = before;
    };
    return Object.assign(restore, { [Symbol.dispose]: restore });
  }

  /** The function itself, bound. */
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
  /** One way through the network: that of the request, or that of the answer. */
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
/** A body with what goes wrong on its way. It errors when the signal aborts. */
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
