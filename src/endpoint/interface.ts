/**
 * What an endpoint is, for everything that uses one: the controller and the hooks read nothing else.
 *
 * @module
 */
import type { AnySchema } from "../schemas/interface.ts";

/** What an endpoint tells the type checker; never assigned. */
export interface EndpointTypes {
  /** Arguments of a call. */
  readonly args: readonly unknown[];
  /** What the bare call resolves with: the processed response, not normalized. */
  readonly result: unknown;
  /** What a reader gets. */
  readonly data: unknown;
  /** What a reader gets while something may be missing. */
  readonly nullable: unknown;
}

/** How an error meets data that is already there: `"soft"` keeps showing it, `"hard"` shows the error. */
export type ErrorPolicy = "hard" | "soft";

/** What a mutation's reply means for the store; given by {@linkcode EndpointPolicy.readReply}. */
export interface MutationReply {
  /** The value to normalize in place of the reply. */
  readonly value: unknown;
  /** The value was guessed from what was sent: write it, and mark the record stale. */
  readonly stale?: boolean | undefined;
  /** Endpoint entries whose answer this reply may have changed: they are expired. */
  readonly expire?: { testKey(key: string): boolean } | undefined;
  /** A sentence for the developer, said once. */
  readonly warning?: string | undefined;
}

/** Reads at one moment, layers included: what an optimistic function may look at. */
export interface Snapshot {
  /** The value that a schema and arguments name, or `undefined`. */
  get(schema: AnySchema, ...args: readonly unknown[]): unknown;
  /** What a read of an endpoint gives at this moment. */
  getResponse(endpoint: AnyReadable, ...args: readonly unknown[]): { readonly data: unknown };
  /** To be thrown: this call shows nothing before the server answers. */
  readonly abort: Error;
}

/** Members that decide how the store treats an endpoint's answers. All are optional. */
export interface EndpointPolicy {
  /** `true`: a mutation. Never deduplicated, never read by a hook, stores no entry. */
  readonly sideEffect?: boolean | undefined;
  /** How long data stays fresh, in ms. `Infinity` is allowed. Defaults to 60,000. */
  readonly dataExpiryLength?: number | undefined;
  /** How long an error keeps a key from being fetched again, in ms. Defaults to 1,000. */
  readonly errorExpiryLength?: number | undefined;
  /** Stale data is not shown. */
  readonly invalidIfStale?: boolean | undefined;
  /** How an error meets data that is already there. */
  errorPolicy?(error: unknown): ErrorPolicy | undefined;
  /** What a mutation shows before the server answers; pure, called again whenever the store changes. */
  // deno-lint-ignore no-explicit-any -- the arguments are the endpoint's own
  getOptimisticResponse?(snapshot: Snapshot, ...args: any): unknown;
  /** What a mutation's reply means for the store, when the reply alone does not say it. */
  readReply?(reply: unknown, args: readonly unknown[], snapshot: Snapshot): MutationReply;
}

/** What can be read from the store: an endpoint, or a `Query`, which has no fetch. */
export interface AnyReadable extends EndpointPolicy {
  readonly "~types": EndpointTypes;
  /** Names it in messages. */
  readonly name: string;
  /** Where entities are in its answers; `undefined`: nowhere, they are kept as they came. */
  readonly schema: AnySchema;
  /** Names one call: the same text for equal arguments, another for all others. */
  // deno-lint-ignore no-explicit-any -- each endpoint has arguments of its own
  key(...args: any): string;
  /** Whether a key is of this endpoint, whatever the arguments. */
  testKey(key: string): boolean;
}

/** Any endpoint: an async function with a key, a schema and a policy. */
export interface AnyEndpoint extends AnyReadable {
  // deno-lint-ignore no-explicit-any -- each endpoint has arguments of its own
  (...args: any): Promise<any>;
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
  /** A call always settles by itself, so that the controller need not watch it. */
  readonly hasDeadline?: boolean | undefined;
  /**
   * A copy with some members replaced: an endpoint of the same kind. Typed as a function of anything, for which the type
   * checker compares no signatures: that of a RestEndpoint would cost 4,000 instantiations for each endpoint of an app
   * (bench/types.ts).
   */
  // deno-lint-ignore no-explicit-any -- each kind of endpoint has options and a result of its own
  readonly extend: (...options: any) => any;
}

/** An endpoint that a hook may read: no mutation. */
export interface ReadEndpoint extends AnyEndpoint {
  /** A read changes nothing. */
  readonly sideEffect?: false | undefined;
}
