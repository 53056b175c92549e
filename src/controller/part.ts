import type { RunEndpoint } from "../endpoint/endpoint_types.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Answer, StorePart } from "../store/answers.ts";
import type { Layer } from "../store/layers.ts";
import type { Table } from "../store/row.ts";
import type { Store } from "../store/store.ts";

/** A request in flight. What `setResponse` writes is the reply of one that was never sent. */
export interface Flight {
  /** The controller that sends it. */
  readonly host: Pick<PartHost, "store" | "flights" | "use">;
  /** What is called. */
  readonly endpoint: RunEndpoint;
  /** The endpoint with what holds for this call only: its signal, the controller's `defaults`, what parts put there. */
  readonly call: Value;
  /** With what: values of its own. A part may change them before they are sent. */
  args: Args;
  /** The tick when it started. */
  readonly started: number;
  /** Of a read. */
  readonly answer?: Answer;
  /** Ends it. */
  readonly abort: AbortController;
  /** Settles with what the caller gets. */
  promise?: Promise<Value>;
  /** The same for who only waits: it never rejects. */
  wait?: Promise<void>;
  /** How many calls of `controller.fetch` wait for it: then it goes on when nothing reads it. */
  holders: number;
  /** Of a mutation: the tables that it may write. */
  readonly tables: readonly Table[];
  /** Of a mutation: the pk of the record that it is about. */
  readonly subject?: string | undefined;
  /** Of a mutation: what it shows before it is answered. */
  layer?: Layer;
  /** The temporary id of what it creates: see `temporaryIds`. */
  temporary?: string;
  /** Gives it one. */
  temporaryId?(): string;
}

/** What a part is plugged into: the controller that uses it. Its methods are those of `Controller`, for any endpoint. */
export interface PartHost {
  /** Records, answers, and the counter of what happens. */
  readonly store: Store;
  /** The requests in flight, in order of start. */
  readonly flights: Set<Flight>;
  /** The part that a function makes, for this controller. */
  use<P extends StorePart>(make: () => P): P;
  /** Calls an endpoint, and stores the answer. */
  fetch(endpoint: Value, ...args: Args): Promise<Value>;
  /** As `fetch`. Without `isHeld` the request is aborted when its last reader goes. */
  send(endpoint: RunEndpoint, args: Args, isHeld: boolean): Promise<Value>;
  /** Reads by schema. */
  get(schema: Value, ...args: Args): Value;
  /** Writes a value by hand: a message of a stream, for instance. */
  set(schema: Value, ...args: Args): void;
  /** Writes a reply as if it had just come. */
  setResponse(endpoint: Value, ...args: Args): void;
  /** Stores an error as if it had just come. */
  setError(endpoint: Value, ...args: Args): void;
  /** Marks the answer of a call stale. */
  expire(endpoint: Value, ...args: Args): void;
  /** Marks the answers of all keys that pass stale. */
  expireAll(test: { testKey(key: string): boolean }): void;
  /** Hides the answers of all keys that pass. */
  invalidateAll(test: { testKey(key: string): boolean }): void;
  /** Forgets everything. */
  resetEntireStore(): void;
}

/**
 * A feature that plugs in: `new Controller({ use: [part] })`. All members are optional; `answer`, `commit` and `reset` are
 * those of the store.
 *
 * @example A log of what is asked for
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Controller, Endpoint, type Part } from "@rejoin/data";
 *
 * const asked: string[] = [];
 * const log: Part = { start: ({ endpoint }) => void asked.push(endpoint.name) };
 * const getTime = new Endpoint(async () => await Promise.resolve(12), { name: "getTime" });
 * await new Controller({ use: [log] }).fetch(getTime);
 * assertEquals(asked, ["getTime"]);
 * ```
 */
export interface Part extends StorePart {
  /** Once, by the controller that uses it. */
  install?(controller: PartHost): void;
  /** A request exists; nothing is sent, and nothing of it is shown yet. */
  start?(flight: Flight): void;
  /** Around the sending of a request, the first part outermost: may wait, change `flight.args`, or answer by itself. */
  send?(flight: Flight, next: () => Promise<Value>): Promise<Value>;
  /** The outcome of a request is in, or was refused; not told of those that a reset gives up. */
  settle?(flight: Flight): void;
  /** A call is to be kept current; returns how to end that. `undefined`: it is not for this part, and may be polled. */
  subscribe?(endpoint: RunEndpoint, args: Args): (() => void) | undefined;
  /** The controller stops: no timer, listener or connection may remain. */
  cleanup?(): void;
}
