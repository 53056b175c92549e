import { unheard } from "./_heard.ts";
import type { AnyEndpoint } from "../endpoint/interface.ts";
import type { Layer } from "../store/layers.ts";
import type { Ticket } from "../store/places.ts";

/** One request that was asked for and has not settled, however often it had to start. */
export class Flight {
  /** What is called. */
  readonly endpoint: AnyEndpoint;
  /** Its arguments. Those of a mutation change when the server names what they name. */
  args: readonly unknown[];
  /** Names the request: reads of the same key and shape share it. */
  key: string;
  /** What everybody who asked for it waits for. */
  readonly promise: Promise<unknown>;
  /** Settles {@linkcode Flight.promise} with data. */
  readonly resolve: (value: unknown) => void;
  /** Settles {@linkcode Flight.promise} with an error. */
  readonly reject: (reason: unknown) => void;
  /** Names the line in which a mutation waits for its turn; `undefined`: in none. */
  scope: string | undefined;
  /** What it was called with, where it is sent with more than that. */
  called: Pick<Flight, "args" | "key"> | undefined;
  /** Is called when it is over, before anything is written. */
  ended: (() => void) | undefined;
  /** All that it needs to be sent is there, but for its turn. */
  isReady = false;
  /** It is on the wire. */
  isSent = false;
  /** A middleware has promised the answer of this read, and has not let it through. */
  isKept = false;
  /** What the mutation shows until its reply is committed. */
  layer: Layer | undefined;
  /** What others show until it is over: mutations in doubt until a read is, those that were replaced until the last is. */
  released: readonly Layer[] = [];
  /** The present attempt: what an earlier one brings is dropped. */
  attempt = 0;
  /** Where the reply of the present attempt will stand in the order of writes. */
  ticket: Ticket | undefined;
  /** Ends the present attempt. */
  abort: AbortController | undefined;
  /** The signals that its callers brought and that have not ended their wait, and how to stop listening to each. */
  readonly signals: Map<AbortSignal, () => void> = new Map();
  /** Somebody asked for it without a signal: no other's signal ends it. */
  isUnbound = false;
  /** Takes back the deadline of the call. */
  stopTimer: (() => void) | undefined;
  /** Who awaits it by hand: their signals, and `undefined` for those without one, who wait to the end. */
  readonly #awaiting = new Set<AbortSignal | undefined>();
  /** Components that show what it will bring, and boundaries that hold it for one that is not mounted yet. */
  holders = 0;

  constructor(endpoint: AnyEndpoint, args: readonly unknown[], key: string) {
    this.endpoint = endpoint;
    this.args = args;
    this.key = key;
    // Not Promise.withResolvers(): Node 20 has none.
    let settle: { resolve: (value: unknown) => void; reject: (reason: unknown) => void };
    this.promise = new Promise((resolve, reject) => settle = { resolve, reject });
    this.resolve = settle!.resolve;
    this.reject = settle!.reject;
    // The error of a read is in the store; whoever calls a mutation is given a promise of his own.
    unheard(this.promise);
  }

  /**
   * A mutation that the server has and finishes also when nobody waits for it any more. Without a deadline, nobody knows
   * whether it will ever be over.
   */
  get isOut(): boolean {
    return this.isSent && Boolean(this.endpoint.sideEffect) && Boolean(this.endpoint.hasDeadline);
  }

  /** Somebody awaits it by hand, until their signal ends that: it goes on whoever else leaves. */
  awaitedBy(signal: AbortSignal | null | undefined): void {
    if (!signal?.aborted) this.#awaiting.add(signal ?? undefined);
  }

  /** Whether somebody awaits it by hand. */
  get isAwaited(): boolean {
    return this.#awaiting.size > 0;
  }

  /** A signal has ended the wait of those who brought it. */
  left(signal: AbortSignal): void {
    this.signals.delete(signal);
    this.#awaiting.delete(signal);
  }

  /** What one of those who asked for it waits for: their own signal ends their wait, and nobody else's. */
  promiseFor(signal: AbortSignal | null | undefined): Promise<unknown> {
    if (!signal) return this.promise;
    const promise = new Promise((resolve, reject) => {
      const unlisten = () => signal.removeEventListener("abort", leave);
      const leave = () => {
        unlisten();
        reject(signal.reason);
      };
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave);
      this.promise.then(unlisten, unlisten);
      this.promise.then(resolve, reject);
    });
    return unheard(promise);
  }
}
