import type { Scope } from "../../endpoint/interface.ts";
import type { Flight } from "../../controller/flight.ts";
import type { Network } from "../../controller/network.ts";
import { lineOf, type ScopeName } from "./scope_name.ts";

/** A scope whose mutations stand in lines. */
export interface LinedScope extends Scope {
  /** Names the line. */
  readonly name: ScopeName;
  /**
   * Whether a mutation that waits can take the place of the one before it, which waits, too.
   *
   * @returns What it is sent with then; `undefined`: both are sent.
   */
  replace?(older: Flight, newer: Flight): readonly unknown[] | undefined;
}

/** @param network Sends them. */
export function openLines(network: Network): Lines {
  return new Lines(network);
}

/**
 * Mutations of a controller that wait for each other: a line for each name. The first of a line is the one that is on the
 * wire, or that is sent as soon as it can be. A line without anybody is not kept.
 */
export class Lines {
  readonly #network: Network;
  readonly #byName = new Map<string, Flight[]>();

  constructor(network: Network) {
    this.#network = network;
  }

  /** Says in which line a mutation is to stand; its `scope` is `undefined` if in none. */
  name(flight: Flight): void {
    const { endpoint, args } = flight;
    flight.scope = lineOf((endpoint.scope as LinedScope).name, endpoint, args);
  }

  /** Puts a mutation behind those of its line that were called before it, or are sent. */
  join(flight: Flight): void {
    const { scope } = flight;
    if (scope === undefined) return;
    const line = this.#byName.get(scope) ?? [];
    this.#byName.set(scope, line);
    const isBefore = (other: Flight) => other.isSent || other.ticket!.seq < flight.ticket!.seq;
    line.splice(line.findLastIndex(isBefore) + 1, 0, flight);
  }

  /** A mutation names something else now. */
  rename(flight: Flight): void {
    const { scope } = flight;
    this.leave(flight);
    this.name(flight);
    this.join(flight);
    this.sendNext(scope);
  }

  /** Takes a mutation out, wherever it stands. */
  leave(flight: Flight): void {
    const { scope } = flight;
    const line = scope === undefined ? undefined : this.#byName.get(scope);
    const at = line?.indexOf(flight) ?? -1;
    if (at < 0) return;
    line!.splice(at, 1);
    if (line!.length === 0) this.#byName.delete(scope!);
  }

  /** Sends the first of a line, if it waits for its turn only. */
  sendNext(scope: string | undefined): void {
    const line = scope === undefined ? undefined : this.#byName.get(scope);
    const [first, ...waiting] = line ?? [];
    if (!first?.isReady || first.isSent) return;
    let last = first;
    const replaced: Flight[] = [];
    for (const newer of waiting) {
      const args = newer.isReady ? (newer.endpoint.scope as LinedScope).replace?.(last, newer) : undefined;
      if (args === undefined) break;
      const { args: own, key } = newer;
      newer.called = { args: own, key };
      newer.args = args;
      newer.key = newer.endpoint.key(...args);
      replaced.push(last);
      last = newer;
    }
    for (const older of replaced) this.#replace(older, last);
    this.#network.send(last);
  }

  /** A mutation is not sent: it is over when another one is, which says what it was to say. */
  #replace(older: Flight, newer: Flight): void {
    const network = this.#network;
    const { ticket, layer } = older;
    const { ended } = newer;
    // It is shown, and stands in the order of writes, until then.
    newer.ended = () => {
      ended?.();
      network.store.sequence.settle(ticket!);
    };
    if (layer !== undefined) newer.released = [...newer.released, layer];
    network.end(older, undefined, true);
    network.over(older);
    newer.promise.then(older.resolve, older.reject);
  }
}
