import type { RunEndpoint } from "../endpoint/endpoint_types.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Answer, StorePart } from "../store/answers.ts";
import type { Layer } from "../store/layers.ts";
import type { Table } from "../store/row.ts";
import type { Store } from "../store/store.ts";

/** One request, from its start to its outcome. `setResponse` and `setError` make one that is never sent. */
export interface Flight {
  /** The controller that sends it. */
  readonly host: Pick<PartHost, "store" | "flights" | "use">;
  /** The endpoint, as the app called it. */
  readonly endpoint: RunEndpoint;
  /** The endpoint for this request alone: with its signal, the controller's `defaults`, and what parts put there. */
  readonly call: Value;
  /** The request's own copy of the arguments. A part may replace them before the request is sent. */
  args: Args;
  /** The tick of the store when the request started. It decides which of two replies is newer. */
  readonly started: number;
  /** The stored answer that a read updates. A mutation has none. */
  readonly answer?: Answer;
  /** Aborts the request. */
  readonly abort: AbortController;
  /** Settles with the caller's data, or with the error. */
  promise?: Promise<Value>;
  /** Resolves when `promise` settles, and never rejects: a component that suspends waits for it. */
  wait?: Promise<void>;
  /** The number of callers that need the reply. While it is 0, the request is aborted when its last reader unmounts. */
  holders: number;
  /** The tables that a mutation may write. Their answers are not fetched while it is pending. */
  readonly tables: readonly Table[];
  /** The pk of the record that a mutation changes, as far as it is known. */
  readonly subject?: string | undefined;
  /** The optimistic layer of a mutation. */
  layer?: Layer;
  /** The temporary id of the record that an optimistic create shows: see `temporaryIds`. */
  temporary?: string;
  /** Makes the temporary id, and returns it. */
  temporaryId?(): string;
}

/** The controller, as a part sees it. The methods are those of `Controller`, with types that accept any endpoint. */
export interface PartHost {
  /** The records, the stored answers, and `tick`, the counter that orders requests and edits. */
  readonly store: Store;
  /** The requests in flight, in order of start. */
  readonly flights: Set<Flight>;
  /** Adds the part that `make` creates, unless this controller has it already, and returns it. */
  use<P extends StorePart>(make: () => P): P;
  /** Calls an endpoint, and stores its reply. */
  fetch(endpoint: Value, ...args: Args): Promise<Value>;
  /** Like `fetch`, but without `isHeld` the request is aborted when its last reader unmounts. */
  send(endpoint: RunEndpoint, args: Args, isHeld: boolean): Promise<Value>;
  /** Reads from the store by schema. */
  get(schema: Value, ...args: Args): Value;
  /** Writes a value by hand: a message of a stream, for instance. */
  set(schema: Value, ...args: Args): void;
  /** Stores a reply as if the server had just sent it. */
  setResponse(endpoint: Value, ...args: Args): void;
  /** Stores an error as if a request had just failed with it. */
  setError(endpoint: Value, ...args: Args): void;
  /** Marks the data of a call stale. */
  expire(endpoint: Value, ...args: Args): void;
  /** Marks the data of all calls stale whose key passes the test. */
  expireAll(test: { testKey(key: string): boolean }): void;
  /** Hides the data of all calls whose key passes the test, until the server has sent them again. */
  invalidateAll(test: { testKey(key: string): boolean }): void;
  /** Empties the store, and aborts all requests. */
  resetEntireStore(): void;
}

/**
 * A feature that is plugged into a controller: `new Controller({ use: [part] })`. All members are optional. The store
 * calls `answer`, `commit` and `reset`, the controller the others.
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
  /** Called once, when the controller gets the part. It must not throw. */
  install?(controller: PartHost): void;
  /** Called when a request starts, before it is sent and before its optimistic layer is made. */
  start?(flight: Flight): void;
  /**
   * Sends a request: `next()` passes it on to the next part, and at last to the endpoint. The part may wait first,
   * replace `flight.args`, or give a reply without calling `next`.
   */
  send?(flight: Flight, next: () => Promise<Value>): Promise<Value>;
  /**
   * Called when a request has succeeded or failed, inside the commit of its outcome; not for requests that
   * `resetEntireStore` or `cleanup` aborts. It must not throw.
   */
  settle?(flight: Flight): void;
  /**
   * Starts to keep the data of a call current.
   *
   * @returns A function that ends it; or `undefined` if the call is not for this part: then the next part is asked.
   */
  subscribe?(endpoint: RunEndpoint, args: Args): (() => void) | undefined;
  /** Called when the controller stops. No timer, listener or connection may remain. It must not throw. */
  cleanup?(): void;
}
