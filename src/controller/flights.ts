import { deepEqual } from "../normalize/deep_equal.ts";
import { isSameShape } from "../store/entry.ts";
import type { Flight } from "./flight.ts";
import type { FetchAction } from "./middleware.ts";
import type { ScopeLines } from "./scope_lines.ts";
import type { Tap } from "./tap.ts";

/** What a request is found by. */
export type Call = Pick<FetchAction, "endpoint" | "key">;

/** The requests in flight, in the order in which they were asked for. */
export class Flights implements Iterable<Flight> {
  /** Is told when one starts, and when one ends. */
  tap: Tap | undefined;
  /** Where mutations wait for each other, from the first one that has a scope. */
  lines: ScopeLines | undefined;
  readonly #all = new Set<Flight>();
  readonly #reads = new Map<string, Flight[]>();
  readonly #listeners = new Map<string, Set<() => void>>();

  /** How many there are. */
  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<Flight> {
    return this.#all[Symbol.iterator]();
  }

  /** Whether a request is not over. */
  has(flight: Flight): boolean {
    return this.#all.has(flight);
  }

  /** A request is in flight from now on. */
  add(flight: Flight): void {
    this.#all.add(flight);
    if (flight.endpoint.sideEffect) return;
    const flights = this.#reads.get(flight.key);
    if (flights === undefined) this.#reads.set(flight.key, [flight]);
    else flights.push(flight);
    this.#tell(flight.key);
  }

  /** It is over, and stands in nobody's way any more. */
  delete(flight: Flight): void {
    this.#all.delete(flight);
    this.lines?.leave(flight);
    const flights = this.#reads.get(flight.key);
    const at = flights?.indexOf(flight) ?? -1;
    if (at < 0) return;
    flights!.splice(at, 1);
    if (flights!.length === 0) this.#reads.delete(flight.key);
    this.#tell(flight.key);
  }

  /** Calls a function when a read of a key starts, or is over. Returns how to end that. */
  listen(key: string, run: () => void): () => void {
    const runs = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, runs.add(run));
    return () => {
      if (runs.delete(run) && runs.size === 0) this.#listeners.delete(key);
    };
  }

  #tell(key: string): void {
    this.#listeners.get(key)?.forEach((run) => run());
  }

  /** The read in flight for a key and shape. */
  find({ endpoint, key }: Call): Flight | undefined {
    return this.#reads.get(key)?.find((flight) => isSameShape(flight.endpoint, endpoint));
  }

  /**
   * The requests in flight for a call, the oldest first: of a read one, of a mutation any number. The key of a mutation
   * may say nothing of its body, so its arguments are compared as well.
   */
  allOf({ endpoint, key, args }: FetchAction): Flight[] {
    return [...this.#all].filter((flight) => {
      const called = flight.called ?? flight;
      return called.key === key && isSameShape(flight.endpoint, endpoint) &&
        (!endpoint.sideEffect || deepEqual(called.args, args));
    });
  }

  /** Whether a read of a key is in flight. */
  isReading(key: string): boolean {
    return this.#reads.has(key);
  }

  /** The reads in flight whose keys pass. */
  reads(testKey: (key: string) => boolean): Flight[] {
    return [...this.#reads].flatMap(([key, flights]) => testKey(key) ? flights : []);
  }
}
