import type { RunEndpoint } from "../endpoint/run_endpoint.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Store } from "../store/store.ts";
import type { StorePart } from "../store/store_part.ts";
import type { Flight } from "./flight.ts";

/** What a part is plugged into: the controller that uses it. */
export interface PartHost {
  readonly store: Store;
  readonly flights: Set<Flight>;
  /** Calls an endpoint, and stores the answer. */
  fetch(endpoint: Value, ...args: Args): Promise<Value>;
  send(endpoint: Value, args: Args, isHeld: boolean): Promise<Value>;
  setResponse(endpoint: Value, ...args: Args): void;
  resetEntireStore(): void;
}

/** A feature that plugs in: `new Controller({ use: [part] })`. All members are optional. */
export interface Part extends StorePart {
  /** Once, by the controller that uses it. */
  install?(controller: PartHost): void;
  /** A request exists; nothing is sent yet. */
  start?(flight: Flight): void;
  /** Around the sending of a request: may wait, change `flight.args`, or answer by itself. */
  send?(flight: Flight, next: () => Promise<Value>): Promise<Value>;
  /** The outcome of a request is in, or was refused. */
  settle?(flight: Flight): void;
  /** A call is to be kept current; returns how to end that. `undefined`: it is not for this part, and may be polled. */
  subscribe?(endpoint: RunEndpoint, args: Args): (() => void) | undefined;
  cleanup?(): void;
}
