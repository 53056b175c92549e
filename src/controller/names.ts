import type { AnyEndpoint } from "../endpoint/interface.ts";
import type { KeyedCall } from "../endpoint/whole_call.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import type { Store } from "../store/store.ts";
import type { Flight } from "./flight.ts";
import type { Flights } from "./flights.ts";
import type { Settling } from "./settling.ts";

/** Requests for what the server has not named yet: they wait, and are then called by its name. */
export class Names {
  readonly #store: Store;
  readonly #flights: Flights;
  readonly #settling: Settling;

  /**
   * @param store Knows the names.
   * @param flights Those that may wait.
   * @param settling Where those go that cannot be named.
   */
  constructor(store: Store, flights: Flights, settling: Settling) {
    this.#store = store;
    this.#flights = flights;
    this.#settling = settling;
  }

  /** A call with what the server has named since. */
  callOf({ endpoint, args: given, key }: KeyedCall<AnyEndpoint>): KeyedCall<AnyEndpoint> {
    const args = this.#store.tables.ids.resolve(given);
    return { endpoint, args, key: args === given ? key : endpoint.key(...args) };
  }

  /** A mutation whose arguments have other names now stands in the line of what they name. */
  rename(flight: Flight): void {
    const { args, key } = this.callOf(flight);
    if (args === flight.args) return;
    flight.args = args;
    flight.key = key;
    if (flight.scope !== undefined) this.#flights.lines!.rename(flight);
  }

  /**
   * What waits for a name that has been given is called by it, and stands in the line of the record, before anybody else
   * joins that or asks for it.
   */
  give(): void {
    if (!this.#store.tables.ids.isUsed) return;
    for (const flight of this.#flights) {
      if (flight.isReady || !flight.endpoint.sideEffect) continue;
      try {
        this.rename(flight);
      } catch (reason) {
        this.#settling.fail(flight, reason);
      }
    }
  }

  /**
   * Waits until the server has named what a call is about.
   *
   * @throws {EndpointError} If it never will.
   */
  async wait({ endpoint: { name } }: Flight, unnamed: ReadonlySet<string>): Promise<void> {
    for (const id of unnamed) {
      const maker = [...this.#flights].find(({ layer }) => layer?.temporary.ids.includes(id));
      let cause: unknown;
      await maker?.promise.catch((reason) => cause = reason);
      if (this.#store.tables.ids.pkOf(id) === undefined) {
        throw new EndpointError(name, said(606, { name, id, cause }), { cause });
      }
    }
  }
}
