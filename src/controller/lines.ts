import type { Flight } from "./flight.ts";

/**
 * Mutations that are sent one after another: a line for each scope. The first of a line is the one that is on the wire,
 * or that is sent as soon as it can be. A line without anybody is not kept.
 */
export class Lines {
  readonly #byScope = new Map<string, Flight[]>();

  /** How many lines there are. */
  get size(): number {
    return this.#byScope.size;
  }

  /** Who is on the wire, or is to be sent next. */
  first(scope: string): Flight | undefined {
    return this.#byScope.get(scope)?.[0];
  }

  /** Whether a mutation waits for nobody of its scope. */
  isFirst(flight: Flight): boolean {
    return flight.scope === undefined || this.first(flight.scope) === flight;
  }

  /** Puts a mutation behind those of its scope that were called before it, or are sent. */
  join(flight: Flight): void {
    const { scope } = flight;
    if (scope === undefined) return;
    const line = this.#byScope.get(scope);
    if (line === undefined) {
      this.#byScope.set(scope, [flight]);
      return;
    }
    const isBefore = (other: Flight) => other.isSent || other.ticket!.place < flight.ticket!.place;
    line.splice(line.findLastIndex(isBefore) + 1, 0, flight);
  }

  /** Takes a mutation out, wherever it stands. */
  leave(flight: Flight): void {
    const { scope } = flight;
    const line = scope === undefined ? undefined : this.#byScope.get(scope);
    const at = line?.indexOf(flight) ?? -1;
    if (at < 0) return;
    line!.splice(at, 1);
    if (line!.length === 0) this.#byScope.delete(scope!);
  }
}
