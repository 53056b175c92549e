import type { Disposable } from "../plain/disposable.ts";
import type { Call, Fault, FaultFetchOptions, Handler, Held, Match } from "./fault.ts";
import { type Bytes, chunksOf } from "./faulty_chunks.ts";
import { Over } from "./over.ts";

interface Rule {
  readonly match: (request: Request) => boolean;
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

/** Those that take the place of `fetch`, in the order in which they came. */
const places: { readonly own: typeof fetch; before: typeof fetch }[] = [];

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
  readonly #gate: FaultFetchOptions["gate"];
  readonly #script: Fault[] = [];
  readonly #rules: Rule[] = [];
  readonly #calls: OpenCall[] = [];
  readonly #held: Held[] = [];
  #openBodies = 0;

  /**
   * A network without faults, until it is told of some.
   *
   * @param handler The server. A handler that throws breaks the connection.
   * @param options How it behaves apart from its faults.
   */
  constructor(handler: Handler, { gate }: FaultFetchOptions = {}) {
    this.#handler = handler;
    this.#gate = gate;
  }

  /** All calls so far, in order. */
  get calls(): readonly Call[] {
    return this.#calls;
  }
  /** What waits for the test, in the order in which it began to wait. */
  get held(): readonly Held[] {
    return this.#held;
  }
  /** Calls that have not settled. */
  get open(): number {
    return this.#calls.filter(({ state }) => state === "open").length;
  }
  /** Bodies that are still to come: not read to the end, not cancelled, not aborted. */
  get openBodies(): number {
    return this.#openBodies;
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
    return this.#rule(match, fault, Infinity);
  }
  /**
   * A fault for the next call that matches.
   *
   * @returns This object.
   */
  once(match: Match, fault: Fault): this {
    return this.#rule(match, fault, 1);
  }
  #rule(match: Match, fault: Fault, times: number): this {
    this.#rules.unshift({ match: typeof match == "function" ? match : matcher(match), fault, times });
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
    const waiting = [...this.#held];
    for (const at of order ?? waiting.keys()) waiting[at]?.release();
  }

  /**
   * Puts this fetch in the place of the global one.
   *
   * @returns What puts the other one back, in whatever order several go: a function that is disposable, too.
   */
  install(): (() => void) & Disposable {
    const place = { own: this.fetch, before: globalThis.fetch };
    places.push(place);
    globalThis.fetch = this.fetch;
    const restore = (): void => {
      const at = places.indexOf(place);
      if (at < 0) return;
      places.splice(at, 1);
      const next = places[at];
      if (!next) globalThis.fetch = place.before;
      // One that came after it must not bring it back.
      else if (next.before === place.own) next.before = place.before;
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
    const rule = this.#rules.find(({ times, match }) => times > 0 && match(request));
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
    const over = new Over(call.signal);
    try {
      const response = await over.race(this.#answer(call, request, over));
      call.state = "answered";
      return this.#deliver(response, call);
    } catch (error) {
      call.state = call.signal?.aborted ? "aborted" : "failed";
      throw error;
    } finally {
      over.end();
    }
  }
  async #answer(call: OpenCall, request: Request, over: Over): Promise<Response> {
    const { delay, replyDelay } = call.fault;
    await this.#pass("request", call, delay, over);
    const response = await new Promise<Response>((resolve) => resolve(this.#handler(request))).catch((cause) => {
      throw new TypeError(`connection closed: the handler threw ${String(cause)}`, { cause });
    });
    await this.#pass("reply", call, replyDelay, over);
    return response;
  }
  /** One way through the network: that of the request, or that of the answer. */
  async #pass(
    stage: Held["stage"],
    { request, fault }: OpenCall,
    delay: number | undefined,
    over: Over,
  ): Promise<void> {
    await this.#gate?.(stage, request);
    if (delay !== undefined) await over.pause(delay);
    if (stage === "request" && fault.reject) throw fault.reject.value;
    if (fault.hold === stage || fault.hold === "both") await this.#hold(stage, request, over);
    if (fault.never === stage) await new Promise(() => {});
    if (fault.lost === stage) throw new TypeError(`connection lost (${stage})`);
  }
  #hold(stage: Held["stage"], request: Request, over: Over): Promise<void> {
    return new Promise((resolve, reject) => {
      const held: Held = {
        request,
        stage,
        release: () => (leave(), resolve()),
        fail: (...value) => (leave(), reject(value.length ? value[0] : new TypeError("connection lost"))),
      };
      const leave = (): void => {
        const at = this.#held.indexOf(held);
        if (at >= 0) this.#held.splice(at, 1);
      };
      this.#held.push(held);
      over.after(leave);
    });
  }

  #deliver(response: Response, { fault, request, signal }: OpenCall): Response {
    const { status, statusText, headers } = response, body = response.body && this.#body(response, fault, signal);
    return Object.defineProperty(new Response(body, { status, statusText, headers }), "url", { value: request.url });
  }
  /** The body, with its faults. It errors when the signal aborts. */
  #body(response: Response, fault: Fault, signal: AbortSignal | undefined): ReadableStream<Bytes> {
    const over = new Over(signal), chunks = chunksOf(response, fault, over);
    this.#openBodies++;
    over.after(() => this.#openBodies--);
    return new ReadableStream({
      start(stream) {
        over.after(() => signal?.aborted && stream.error(signal.reason));
      },
      async pull(stream) {
        try {
          const { done, value } = await over.race(chunks.next());
          if (!done) return stream.enqueue(value);
          over.end();
          stream.close();
        } catch (error) {
          over.end();
          if (!signal?.aborted) stream.error(error);
        }
      },
      cancel: () => over.end(),
    }, { highWaterMark: 0 });
  }
}

function matcher(text: string): (request: Request) => boolean {
  const [path = "", method] = text.split(" ").reverse();
  return (request) => {
    const { pathname } = new URL(request.url);
    return (method === undefined || method === request.method) &&
      (pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`));
  };
}
