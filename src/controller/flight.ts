import { onAbort } from "../errors/on_abort.ts";
import { unheard } from "./_heard.ts";
import type { AnyEndpoint } from "../endpoint/interface.ts";
import type { KeyedCall } from "../endpoint/whole_call.ts";
import type { Layer } from "../store/layer.ts";
import type { Ticket } from "../store/sequence.ts";

type Signal = AbortSignal | null | undefined;

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
  /** The temporary ids that it waits for. */
  unnamed: ReadonlySet<string> | undefined;
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
  /** Where the reply of the present attempt will stand in the order of writes. */
  ticket: Ticket | undefined;
  /** Ends the present attempt, and tells it from others: what an earlier one brings is dropped. None when it is over. */
  abort: AbortController | undefined;
  /** Takes back the deadline of the call. */
  stopTimer: (() => void) | undefined;
  /**
   * Who needs it: components that show what it will bring, boundaries that hold it for one that is not mounted yet, and
   * who awaits it by hand: their signals, and `undefined` for those without one, who wait to the end.
   */
  readonly needs: Set<unknown> = new Set();
  /** What those wait for who asked for it with a signal that has not ended their wait; `undefined`: those without one. */
  readonly #waits = new Map<AbortSignal | undefined, Promise<unknown>>();

  constructor({ endpoint, args, key }: KeyedCall<AnyEndpoint>) {
    this.endpoint = endpoint;
    this.args = args;
    this.key = key;
    // The error of a read is in the store; whoever calls a mutation is given a promise of his own.
    ({ promise: this.promise, resolve: this.resolve, reject: this.reject } = withResolvers());
  }

  /**
   * A mutation that the server has and finishes also when nobody waits for it any more. Without a deadline, nobody knows
   * whether it will ever be over.
   */
  get isOut(): boolean {
    return this.isSent && Boolean(this.endpoint.sideEffect) && Boolean(this.endpoint.hasDeadline);
  }

  /** Whether somebody has asked for it whose wait no signal has ended. */
  get isWanted(): boolean {
    return this.#waits.size > 0;
  }

  /** Somebody awaits it by hand, until their signal ends that: it goes on whoever else leaves. */
  awaitedBy(signal: Signal): void {
    if (!signal?.aborted) this.needs.add(signal ?? undefined);
  }

  /**
   * Somebody asks for it: the signal that they brought ends their wait, also where the call does not heed it, and nobody
   * else's.
   *
   * @param left Is called when it has.
   */
  join(signal: Signal, left: (reason: unknown) => void): void {
    if (!signal) this.#waits.set(undefined, this.promise);
    if (!signal || signal.aborted || this.#waits.has(signal)) return;
    const { promise, resolve, reject } = withResolvers();
    const unlisten = onAbort(signal, () => {
      unlisten();
      this.#waits.delete(signal);
      this.needs.delete(signal);
      reject(signal.reason);
      left(signal.reason);
    });
    this.#waits.set(signal, promise);
    this.promise.then(unlisten, unlisten);
    this.promise.then(resolve, reject);
  }

  /** What somebody who has joined waits for. */
  promiseFor(signal: Signal): Promise<unknown> {
    if (signal?.aborted) return unheard(Promise.reject(signal.reason));
    return this.#waits.get(signal ?? undefined) ?? this.promise;
  }
}

/** A promise that nobody need handle. Not Promise.withResolvers(): Node 20 has none. */
function withResolvers() {
  let settle: { resolve: (value: unknown) => void; reject: (reason: unknown) => void };
  const promise = unheard(new Promise<unknown>((resolve, reject) => settle = { resolve, reject }));
  return { promise, ...settle! };
}
