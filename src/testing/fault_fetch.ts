import { clock } from "../deps/clock.ts";
import type { Disposable } from "../deps/disposable.ts";
import type { Call, Fault, FaultFetchOptions, Handler, Held, Match } from "./fault.ts";

interface Rule {
  readonly match: (request: Request) => boolean;
  readonly fault: Fault;
  times: number;
}

/** Where a fetch is in the place of another one. */
interface Place {
  readonly own: typeof fetch;
  before: typeof fetch;
}

/** Those that are in place, in the order in which they came. */
const places: Place[] = [];

/** A call with what only this file may change. */
interface OpenCall extends Call {
  state: Call["state"];
  readonly fault: Fault;
}

/**
 * A `fetch` over a handler, whose faults come by script or by rule. Nothing in it is random, and all of its time is that
 * of the library's clock.
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
  #listeners = 0;

  /**
   * A network without faults, until it is told of some.
   *
   * @param handler The server. A handler that throws breaks the connection.
   * @param options How it behaves apart from its faults.
   */
  constructor(handler: Handler, options: FaultFetchOptions = {}) {
    this.#handler = handler;
    this.#gate = options.gate;
  }

  /** All calls so far, in order. */
  get calls(): readonly Call[] {
    return this.#calls;
  }

  /** What waits for the test, in the order in which it began to wait. What was released or aborted is no longer in it. */
  get held(): readonly Held[] {
    return this.#held;
  }

  /** Calls that have not settled. */
  get open(): number {
    return this.#calls.filter((call) => call.state === "open").length;
  }

  /** Bodies that somebody could still wait for: not read to the end, not cancelled, not aborted. */
  get openBodies(): number {
    return this.#openBodies;
  }

  /** Listeners that this fetch still has on abort signals. */
  get listeners(): number {
    return this.#listeners;
  }

  /**
   * Faults for the next calls that no rule is for, one each.
   *
   * @param faults In order; `{}` for a call that goes well.
   * @returns This object.
   */
  script(...faults: readonly Fault[]): this {
    this.#script.push(...faults);
    return this;
  }

  /**
   * A fault for every call that matches; a later rule wins.
   *
   * @param match Which calls.
   * @param fault What goes wrong.
   * @returns This object.
   */
  always(match: Match, fault: Fault): this {
    return this.#rule(match, fault, Infinity);
  }

  /**
   * A fault for the next call that matches.
   *
   * @param match Which call.
   * @param fault What goes wrong.
   * @returns This object.
   */
  once(match: Match, fault: Fault): this {
    return this.#rule(match, fault, 1);
  }

  /** Takes all rules and the script back. */
  heal(): void {
    this.#rules.length = 0;
    this.#script.length = 0;
  }

  /**
   * Lets everything go on that waits.
   *
   * @param order Positions in {@linkcode held}, in the order in which they go on. Defaults to the order of waiting.
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
    const place: Place = { own: this.fetch, before: globalThis.fetch };
    places.push(place);
    globalThis.fetch = this.fetch;
    const restore = (): void => {
      const at = places.indexOf(place);
      if (at < 0) return;
      places.splice(at, 1);
      const next = places[at];
      if (next === undefined) globalThis.fetch = place.before;
      // Whoever came after it must not bring it back.
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
    const fault = this.#faultOf(request);
    const call: OpenCall = { request: request.clone(), state: "open", fault };
    this.#calls.push(call);
    if (fault.throw) {
      call.state = "failed";
      throw fault.throw.value;
    }
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    return this.#settle(call, signal && !fault.deaf ? signal : undefined, request);
  };

  async #settle(call: OpenCall, signal: AbortSignal | undefined, request: Request): Promise<Response> {
    const aborted = this.#abortion(signal);
    try {
      const response = await Promise.race([this.#answer(call, request, aborted.onRelease), aborted.promise]);
      call.state = "answered";
      return this.#deliver(response, call, signal);
    } catch (error) {
      call.state = signal?.aborted ? "aborted" : "failed";
      throw error;
    } finally {
      aborted.release();
    }
  }

  async #answer(call: OpenCall, request: Request, onRelease: OnRelease): Promise<Response> {
    const { fault } = call;
    await this.#pass("request", call, fault.delay, onRelease);
    let response: Response;
    try {
      response = await this.#handler(request);
    } catch (cause) {
      throw new TypeError(`connection closed: the handler threw ${String(cause)}`, { cause });
    }
    await this.#pass("reply", call, fault.replyDelay, onRelease);
    return response;
  }

  /** One way through the network: that of the request or that of the answer. */
  async #pass(
    stage: "request" | "reply",
    { request, fault }: OpenCall,
    delay: number | undefined,
    onRelease: OnRelease,
  ): Promise<void> {
    await this.#gate?.(stage, request);
    if (delay !== undefined) await pause(delay, onRelease);
    if (stage === "request" && fault.reject) throw fault.reject.value;
    if (fault.hold === stage || fault.hold === "both") await this.#hold(stage, request, onRelease);
    if (fault.never === stage) await new Promise<never>(() => {});
    if (fault.lost === stage) throw new TypeError(`connection lost (${stage})`);
  }

  #hold(stage: "request" | "reply", request: Request, onRelease: OnRelease): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const at = this.#held.indexOf(held);
        if (at >= 0) this.#held.splice(at, 1);
      };
      const held: Held = {
        request,
        stage,
        release() {
          leave();
          resolve();
        },
        fail(...value) {
          leave();
          reject(value.length > 0 ? value[0] : new TypeError("connection lost"));
        },
      };
      this.#held.push(held);
      onRelease(leave);
    });
  }

  #deliver(response: Response, { fault, request }: OpenCall, signal: AbortSignal | undefined): Response {
    const { status, statusText, headers } = response;
    const isFaulty = fault.hangBody !== undefined || fault.cutBody !== undefined || fault.drip !== undefined;
    const body = response.body && (isFaulty || signal)
      ? this.#body(
        signal,
        (onRelease) => (isFaulty ? faultyChunks(response, fault, onRelease) : chunksOf(response.body!, onRelease)),
      )
      : response.body;
    return Object.defineProperty(new Response(body, { status, statusText, headers }), "url", { value: request.url });
  }

  /** A body of these chunks, which errors when the signal aborts. */
  #body(
    signal: AbortSignal | undefined,
    from: (onRelease: OnRelease) => Chunks,
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    const aborted = this.#abortion(signal);
    this.#openBodies++;
    const chunks = from(aborted.onRelease);
    let ended = false;
    const end = (): void => {
      if (ended) return;
      ended = true;
      this.#openBodies--;
      aborted.release();
    };
    return new ReadableStream({
      start(controller) {
        aborted.promise.catch((reason) => {
          if (ended) return;
          end();
          controller.error(reason);
        });
      },
      async pull(controller) {
        try {
          const { done, value } = await Promise.race([chunks.next(), aborted.promise]);
          if (ended) return;
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          if (ended) return;
          end();
          controller.error(error);
        }
      },
      cancel: end,
    }, { highWaterMark: 0 });
  }

  /** The abort of a signal as a promise that can be let go, with what is to be cleared then. */
  #abortion(signal: AbortSignal | undefined): Abortion {
    const own = new AbortController();
    const release = (): void => {
      if (own.signal.aborted) return;
      if (signal) this.#listeners--;
      signal?.removeEventListener("abort", release);
      own.abort();
    };
    const onRelease: OnRelease = (fn) => own.signal.aborted ? fn() : own.signal.addEventListener("abort", fn);
    // Also when it is let go: nobody waits for it then.
    const promise = new Promise<never>((_, reject) => onRelease(() => reject(signal?.reason)));
    promise.catch(() => {});
    if (signal) this.#listeners++;
    signal?.addEventListener("abort", release);
    if (signal?.aborted) release();
    return { promise, release, onRelease };
  }

  #rule(match: Match, fault: Fault, times: number): this {
    this.#rules.unshift({ match: typeof match === "function" ? match : matcher(match), fault, times });
    return this;
  }

  #faultOf(request: Request): Fault {
    for (const rule of this.#rules) {
      if (rule.times > 0 && rule.match(request)) {
        rule.times--;
        return rule.fault;
      }
    }
    return this.#script.shift() ?? {};
  }
}

type OnRelease = (fn: () => void) => void;

interface Abortion {
  /** Rejects with the signal's reason. */
  readonly promise: Promise<never>;
  /** What is called when the signal aborts, and when this is let go; at once if that has happened. */
  readonly onRelease: OnRelease;
  readonly release: () => void;
}

type Chunks = AsyncGenerator<Uint8Array<ArrayBuffer>, void>;

async function* faultyChunks(response: Response, fault: Fault, onRelease: OnRelease): Chunks {
  const { hangBody = Infinity, cutBody = Infinity, drip } = fault;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const last = Math.min(hangBody, cutBody, bytes.length);
  for (let sent = 0; sent < last;) {
    if (drip) await pause(drip.every, onRelease);
    const next = Math.min(last, sent + (drip?.bytes ?? last));
    yield bytes.slice(sent, next);
    sent = next;
  }
  if (hangBody <= cutBody && hangBody < bytes.length) await new Promise<never>(() => {});
  if (cutBody < bytes.length) throw new TypeError("connection lost (body)");
}

async function* chunksOf(body: ReadableStream<Uint8Array<ArrayBuffer>>, onRelease: OnRelease): Chunks {
  const reader = body.getReader();
  onRelease(() => void reader.cancel().catch(() => {}));
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

function pause(ms: number, onRelease: OnRelease): Promise<void> {
  return new Promise((resolve) => {
    onRelease(clock.setTimeout(resolve, ms));
  });
}

function matcher(text: string): (request: Request) => boolean {
  const [path = "", method] = text.split(" ").reverse();
  return (request) => {
    if (method !== undefined && method !== request.method) return false;
    const { pathname } = new URL(request.url);
    return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
  };
}
