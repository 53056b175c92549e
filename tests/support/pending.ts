/**
 * Mutations that are on their way: each shows something at once, and is confirmed or refused when the test says so.
 *
 * @module
 */
import { type AnySchema, type Controller, Endpoint, type Snapshot } from "@rejoin/data";
import { flush } from "./clock.ts";

/** What a mutation asks for. */
export interface Asked {
  /** What its reply is, and what it shows. */
  readonly schema: AnySchema;
  /** What it shows before there is a reply; nothing without it. */
  readonly shows?: ((snapshot: Snapshot) => unknown) | undefined;
  /** What `fetch` is called with. */
  readonly args?: readonly unknown[] | undefined;
}

interface Flying {
  readonly resolve: (reply: unknown) => void;
  readonly reject: (reason: Error) => void;
  readonly promise: Promise<unknown>;
}

/** The mutations of one controller. */
export class Pending {
  readonly #controller: Controller;
  #flying: Flying[] = [];

  /** @param controller Where they start. */
  constructor(controller: Controller) {
    this.#controller = controller;
  }

  /** How many are on their way. */
  get size(): number {
    return this.#flying.length;
  }

  /** Starts one; what it shows is there when this returns. */
  start({ schema, shows, args = [] }: Asked): void {
    let resolve!: (reply: unknown) => void;
    let reject!: (reason: Error) => void;
    const reply = new Promise<unknown>((fulfil, refuse) => {
      resolve = fulfil;
      reject = refuse;
    });
    const endpoint = new Endpoint((..._args: readonly unknown[]) => reply, {
      name: "mutation",
      key: () => "mutation",
      schema: schema as undefined,
      sideEffect: true,
      getOptimisticResponse: shows,
    });
    const promise = this.#controller.fetch(endpoint, ...args);
    // Whether it was refused is what the test decided itself.
    promise.catch(() => {});
    this.#flying.push({ resolve, reject, promise });
  }

  /**
   * Ends one of them.
   *
   * @param at Which one, in order of their start; counted on from the first after the last.
   * @param reply What the server says; an `Error`: it refuses.
   * @returns What the caller of `fetch` is given; the reason when it rejects.
   */
  async settle(at: number, reply: unknown): Promise<unknown> {
    const [one] = this.#flying.splice(at % Math.max(1, this.#flying.length), 1);
    if (one === undefined) return undefined;
    if (reply instanceof Error) one.reject(reply);
    else one.resolve(reply);
    const outcome = one.promise.catch((reason) => reason);
    await flush();
    return await outcome;
  }

  /** Those that are on their way are no business of anybody any more: the store was reset. */
  forget(): void {
    for (const { reject } of this.#flying) reject(new Error("nobody waits for it"));
    this.#flying = [];
  }
}
