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

/** How a {@linkcode FaultFetch} behaves apart from its faults. */
export interface FaultFetchOptions {
  /**
   * Is awaited before each effect and before each answer, for a scheduler:
   * `(stage, request) => scheduler.schedule(Promise.resolve(), stage + request.url)`.
   */
  readonly gate?: ((stage: "request" | "reply", request: Request) => Promise<unknown>) | undefined;
}
