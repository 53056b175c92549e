import type { RunEndpoint } from "../endpoint/run_endpoint.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Answer, StorePart } from "../store/answers.ts";
import type { Layer } from "../store/layers.ts";
import type { Table } from "../store/row.ts";
import type { Store } from "../store/store.ts";

/** What a request knows of its controller. */
export interface FlightHost {
  readonly store: Store;
  /** Whether a request is in flight: not settled, and not given up. */
  readonly flights: { has(flight: Flight): boolean };
  /** The part that a function makes, for this controller. */
  use<P extends StorePart>(make: () => P): P;
}

/** A request in flight. What `setResponse` writes is one that is answered at once. */
export interface Flight {
  /** The controller that sends it. */
  readonly host: FlightHost;
  /** What is called. */
  readonly endpoint: RunEndpoint;
  /** With what: values of its own. A part may change them before they are sent. */
  args: Args;
  /** The tick when it started. */
  readonly started: number;
  /** Of a read. */
  readonly answer: Answer | undefined;
  /** Ends it. */
  readonly abort: AbortController;
  /** Settles with what the caller gets. */
  promise?: Promise<Value>;
  /** A call of `controller.fetch` waits for it: it goes on when nothing reads it. */
  isHeld?: boolean;
  /** How many calls with a signal of their own wait for it. */
  waiting?: number;
  /** Of a mutation: the tables that it may write. */
  readonly tables: readonly Table[];
  /** Of a mutation: the pk of the record that it is about. */
  subject?: string | undefined;
  /** Of a mutation: what it shows before it is answered. */
  layer?: Layer;
  /** The temporary id of what it creates: see `temporaryIds`. */
  temporary?: string;
  /** Gives it one. */
  temporaryId?(): string;
  /** Answers in place of the endpoint, after all parts: see `fixtures` of the testing kit. */
  answerInstead?(send: () => Promise<Value>): Promise<Value>;
  /** How long its reply is fresh, in ms, where the server says so: see `cacheControl`. */
  freshFor?: number | undefined;
}
