import type { CallReply } from "../endpoint/interface.ts";
import { onAbort } from "../errors/on_abort.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import { argsKey } from "../schemas/args_key.ts";
import type { BatchOptions } from "./batch_options.ts";
import type { Params } from "./path_template.ts";

/** How many single reads become one request, where the endpoint does not say. */
const DEFAULT_MAX = 100;

/** One read that may be answered together with others. */
export interface BatchedCall {
  /** Names what is read; equal texts are one. */
  readonly id: string;
  /** All other parameters: only calls with equal ones are answered together. */
  readonly others: Params;
  /** Gives this call up, and no other one. */
  readonly signal: AbortSignal | undefined;
  /** Makes the call as if there were no others. */
  alone(): Promise<CallReply>;
  /**
   * Asks for many at once, in the name of all.
   *
   * @param ids What is asked for.
   * @param signal Aborts when nobody waits any more.
   * @returns What the server answered, one by one.
   */
  many(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, unknown>>;
  /** Makes a reply of what the answer holds for this call. */
  reply(item: unknown): Promise<CallReply>;
  /** What the call rejects with when the answer holds nothing for it. */
  missing(): unknown;
}

interface Waiting {
  readonly call: BatchedCall;
  readonly resolve: (reply: CallReply | Promise<CallReply>) => void;
  readonly reject: (reason: unknown) => void;
  /** Settled, or given up. */
  isDone: boolean;
  /** Tells the request that it goes on for one less. */
  left: (reason: unknown) => void;
}

/**
 * Collects the single reads of one tick and makes one request of as many as the server takes. Each call settles by
 * itself: an answer that fails fails all, one that lacks an id fails that one, and an abort ends the call that it is of,
 * and the request only when nobody waits for it any more.
 */
export class Batcher {
  readonly #max: number;
  readonly #open = new Map<string, Waiting[]>();

  /**
   * @param max How many ids one request names at most.
   * @param name The endpoint, for errors.
   */
  constructor({ max = DEFAULT_MAX }: BatchOptions, name: string) {
    if (!Number.isInteger(max) || max < 1) {
      throw new EndpointError(name, said(511, { name, max }));
    }
    this.#max = max;
  }

  /**
   * Adds a call to the batch of this tick.
   *
   * @param call The call.
   * @returns Its reply.
   */
  add(call: BatchedCall): Promise<CallReply> {
    const { signal } = call;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const group = argsKey(call.others);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        waiting.isDone = true;
        forget?.();
      };
      const waiting: Waiting = {
        call,
        resolve: (reply) => (end(), resolve(reply)),
        reject: (reason) => (end(), reject(reason)),
        isDone: false,
        left: () => {},
      };
      const forget = signal && onAbort(signal, () => {
        waiting.reject(signal.reason);
        waiting.left(signal.reason);
      });
      const open = this.#open.get(group);
      if (open !== undefined) return void open.push(waiting);
      this.#open.set(group, [waiting]);
      queueMicrotask(() => this.#send(group));
    });
  }

  #send(group: string): void {
    const byId = new Map<string, Waiting[]>();
    for (const waiting of this.#open.get(group)!) {
      if (waiting.isDone) continue;
      const same = byId.get(waiting.call.id);
      if (same === undefined) byId.set(waiting.call.id, [waiting]);
      else same.push(waiting);
    }
    // What is asked for from now on is a batch of its own.
    this.#open.delete(group);
    const ids = [...byId.keys()];
    for (let at = 0; at < ids.length; at += this.#max) {
      const part = ids.slice(at, at + this.#max);
      const all = part.flatMap((id) => byId.get(id)!);
      if (all.length === 1) all[0]!.resolve(all[0]!.call.alone());
      else void exchange(part, all);
    }
  }
}

/**
 * By controller, then by endpoint. A batch goes out with the headers of one of its calls: those of two controllers may be
 * two people's.
 */
const batchers = new WeakMap<object, WeakMap<object, Batcher>>();

/**
 * The batches of one endpoint in one controller.
 *
 * @param owner The controller, or what stands for it.
 * @param endpoint The endpoint.
 * @param make Makes them at the first call.
 */
export function batcherOf(owner: object, endpoint: object, make: () => Batcher): Batcher {
  let ofOwner = batchers.get(owner);
  if (ofOwner === undefined) batchers.set(owner, ofOwner = new WeakMap());
  let batcher = ofOwner.get(endpoint);
  if (batcher === undefined) ofOwner.set(endpoint, batcher = make());
  return batcher;
}

async function exchange(ids: readonly string[], all: readonly Waiting[]): Promise<void> {
  const abort = new AbortController();
  for (const waiting of all) {
    waiting.left = (reason) => {
      if (all.every(({ isDone }) => isDone)) abort.abort(reason);
    };
  }
  let items: ReadonlyMap<string, unknown>;
  try {
    items = await all[0]!.call.many(ids, abort.signal);
  } catch (reason) {
    for (const waiting of all) if (!waiting.isDone) waiting.reject(reason);
    return;
  }
  for (const waiting of all) {
    if (waiting.isDone) continue;
    const { call } = waiting;
    if (items.has(call.id)) waiting.resolve(call.reply(items.get(call.id)));
    else waiting.reject(call.missing());
  }
}
