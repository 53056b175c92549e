import type { KeyedCall } from "../endpoint/whole_call.ts";
import type { AnyEndpoint } from "../endpoint/interface.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import { isSameShape } from "../store/entry.ts";
import type { Flight } from "./flight.ts";
import type { Lines } from "../parts/scopes/lines.ts";

/** What a request is found by. */
export type Call = Pick<KeyedCall<AnyEndpoint>, "endpoint" | "key">;

/** The requests in flight, in the order in which they were asked for. */
export class Flights extends Set<Flight> {
  /** Where mutations wait for each other, from the first one that has a scope. */
  lines: Lines | undefined;
  readonly #reads = new Map<string, Set<Flight>>();

  /** A request is in flight from now on. */
  override add(flight: Flight): this {
    const { endpoint, key } = flight;
    if (!endpoint.sideEffect) this.#reads.set(key, (this.#reads.get(key) ?? new Set()).add(flight));
    return super.add(flight);
  }

  /** It is over, and stands in nobody's way any more. */
  override delete(flight: Flight): boolean {
    this.lines?.leave(flight);
    const reads = this.#reads.get(flight.key);
    if (reads?.delete(flight) && reads.size === 0) this.#reads.delete(flight.key);
    return super.delete(flight);
  }

  /** The read in flight for a key and shape. */
  find({ endpoint, key }: Call): Flight | undefined {
    for (const flight of this.#reads.get(key) ?? []) if (isSameShape(flight.endpoint, endpoint)) return flight;
    return undefined;
  }

  /**
   * The requests in flight for a call, the oldest first: of a read one, of a mutation any number. The key of a mutation
   * may say nothing of its body, so its arguments are compared as well.
   */
  allOf({ endpoint, key, args }: KeyedCall<AnyEndpoint>): Flight[] {
    return [...this].filter((flight) => {
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
    return [...this.#reads].flatMap(([key, flights]) => testKey(key) ? [...flights] : []);
  }
}
