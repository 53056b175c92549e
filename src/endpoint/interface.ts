/**
 * What an endpoint is, for everything that uses one: the controller and the hooks read nothing else.
 *
 * @module
 */
import type { AnyEntity, AnySchema } from "../schemas/interface.ts";

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

/** What calls of a controller take from it where their endpoint does not say; plain calls know nothing of it. */
export interface CallDefaults {
  /** How long a call may take, all attempts and the body included, in ms. Defaults to 30,000. */
  readonly deadline?: number | undefined;
  /** How often a call is sent again at most after a failure that may pass; `false` is 0. Defaults to 2. */
  readonly retry?: number | false | undefined;
}

/** How long answers are fresh, and what is shown then. */
export interface AnswerLife {
  /** How long data stays fresh, in ms; of a controller, also what is `set` by hand. `Infinity` is allowed. Defaults to 60,000. */
  readonly dataExpiryLength?: number | undefined;
  /** How long an error keeps a key from being fetched again, in ms. Defaults to 1,000. */
  readonly errorExpiryLength?: number | undefined;
  /** Stale data is not shown. */
  readonly invalidIfStale?: boolean | undefined;
  /** How an error meets data that is already there: `"soft"` keeps showing it; `undefined`: as if it were not asked. */
  errorPolicy?(error: unknown): ErrorPolicy | undefined;
}

/**
 * How a controller treats the answers of endpoints that do not say it themselves: an endpoint's own option, or member of
 * its class, wins.
 */
export interface EndpointDefaults extends CallDefaults, AnswerLife {}

/** What a mutation's reply means for the store; given by {@linkcode EndpointPolicy.readReply}. */
export interface MutationReply {
  /** The value to normalize in place of the reply. */
  readonly value: unknown;
  /** What the call resolves with in place of the value, where that is the value itself: after a delete. */
  readonly given?: unknown;
  /** The value was guessed from what was sent: write it, and mark its records stale. */
  readonly stale?: boolean | undefined;
  /**
   * What was sent of the records that the value names. What the reply does not say of it is written all the same, as not
   * confirmed, and the record is marked stale.
   */
  readonly sent?: readonly SentRecord[] | undefined;
  /** Endpoint entries whose answer this reply may have changed: they are expired. */
  readonly expire?: { testKey(key: string): boolean } | undefined;
  /** A sentence for the developer, said once. */
  readonly warning?: string | undefined;
  /** The sentence is said only where somebody watches an answer of these that is an array as the server gave it. */
  readonly warnsReadersOf?: { testKey(key: string): boolean } | undefined;
}

/** What a mutation sent of one record. */
export interface SentRecord {
  /** The class of the record. */
  readonly entity: AnyEntity;
  readonly pk: string;
  /** As `process` of the class makes them. Of those that neither class nor record knows, nothing is written. */
  readonly members: { readonly [member: string]: unknown };
  /** The parameters of the call: they name the record, and need not be confirmed. */
  readonly params: { readonly [name: string]: unknown };
  /** It is to be the whole record: what else there is of it is not confirmed any more. */
  readonly isWhole?: boolean | undefined;
  /** The value does not name it: what was sent is written by itself. */
  readonly isSilent?: boolean | undefined;
  /** What is known of it is not to be trusted. */
  readonly isStale?: boolean | undefined;
  /** It was there before: a reply that brings it for the first time may say a part of it only. */
  readonly isChange?: boolean | undefined;
  /** The reads whose next answer takes away what of it they do not say. */
  readonly confirmedBy?: { testKey(key: string): boolean } | undefined;
}

/** Reads at one moment, layers included: what an optimistic function may look at. */
export interface Snapshot {
  /** The value that a schema and arguments name, or `undefined`. */
  get(schema: AnySchema, ...args: readonly unknown[]): unknown;
  /** What a read of an endpoint gives at this moment. */
  getResponse(endpoint: AnyReadable, ...args: readonly unknown[]): { readonly data: unknown };
  /**
   * A name for what the server is to create, random: nobody types it, and no server sends it. It is seen by whoever reads what the call shows, and by nobody
   * else; when the reply names the record, it becomes another name of that. The first one of a call is always the same.
   */
  temporaryId(): string;
  /** When the call started, or its reply came; ms since 1970. */
  readonly fetchedAt: number;
  /** To be thrown, as a `new AbortOptimistic()` may be: this call shows nothing before the server answers. */
  readonly abort: Error;
}

/** By key of an endpoint's call: makes its new result of the old one, both as they are stored: pks in their shape. */
export interface ResultUpdates {
  // deno-lint-ignore no-explicit-any -- each endpoint has results of its own shape
  readonly [key: string]: (result: any) => unknown;
}

/** Which mutations of one controller wait for which: what `serial` and `latest` make. */
export interface Scope {
  /** Makes the lines in which those of one controller wait: a controller calls it, once. */
  open(network: never): unknown;
}

/** How the store treats the answers of an endpoint. All members are optional. */
export interface AnswerPolicy extends AnswerLife {
  /** How often a live reader asks anew, in ms. */
  readonly pollFrequency?: number | undefined;
  /** What a mutation shows before the server answers; pure. `throw snapshot.abort`: nothing. */
  // deno-lint-ignore no-explicit-any -- the arguments are the endpoint's own
  getOptimisticResponse?(snapshot: Snapshot, ...args: any): unknown;
  /**
   * Which other answers change with this one, by their keys: each function makes the new result of the old one.
   * Results are what remains of an answer: pks in its shape. Pure; an answer that nobody has asked for stays unknown.
   */
  // deno-lint-ignore no-explicit-any -- the result is of the schema's shape, the arguments are the endpoint's own
  update?(result: any, ...args: any): ResultUpdates;
  /**
   * Of a mutation: which others it waits for. `serial(name)`: those of one name are sent one after another, in the order
   * of their calls; `latest(name)`: of those that wait, one takes the place of the one before. Left out: it waits for none.
   */
  readonly scope?: Scope | undefined;
  /** What a mutation's reply means for the store, when the reply alone does not say it. */
  readReply?(reply: unknown, args: readonly unknown[], snapshot: Snapshot): MutationReply;
}

/** The same, and whether it changes something. */
export interface EndpointPolicy extends AnswerPolicy {
  /** `true`: a mutation. Never deduplicated, never read by a hook, stores no entry. */
  readonly sideEffect?: boolean | undefined;
}

/** What the controller gives to a call that it makes; see {@linkcode AnyEndpoint.fetchReply}. */
export interface CallContext {
  /** The same object for all calls of one controller, and of no other: what calls share hangs on it. */
  readonly owner: object;
  /** Aborts the call. */
  readonly signal: AbortSignal | undefined;
  /** What is called. */
  readonly call: {
    readonly endpoint: AnyEndpoint;
    readonly key: string;
    /** Where its reply will stand in the order of writes. */
    readonly seq: number;
    /** What is kept beside the answer of a read that is stored; see `remembered`. */
    readonly memo: unknown;
  };
  /** Nobody waits for the call any more: what was not sent by then is not to be sent. Asked when it is needed. */
  readonly isOver: boolean;
  /** What the controller says for endpoints that do not say it themselves. */
  readonly defaults: CallDefaults;
}

/** What a reply leaves for other calls to find, beside what it writes. */
export interface ReplyNote {
  /** Shared by all endpoints of a store: begin it with what tells yours from others. */
  readonly name: string;
  /** `undefined`: what was there is forgotten. */
  readonly value: unknown;
}

/** What a call gives to the controller that makes it; see {@linkcode AnyEndpoint.fetchReply}. */
export interface CallReply {
  /** The processed response, not normalized. */
  readonly value: unknown;
  /** What `remember` makes of what the next call of the same key and shape is to find. It never leaves the process. */
  readonly memo?: unknown;
  /** The response is the one that is stored: what `remember` gives in place of the value. */
  readonly renewal?: Renewal | undefined;
  /** How long this answer is fresh, in ms, where the reply says so. Counts more than that of the endpoint. */
  readonly dataExpiryLength?: number | undefined;
  /** Kept when the reply has been written. */
  readonly note?: ReplyNote | undefined;
}

/** How an answer that has not changed is made young; given by `remember`. */
export interface Renewal {
  /** Whether that can still be done. Else the call is made once more. */
  isCurrent(): boolean;
  /** Computes it. */
  readonly reduce: (store: never, action: never) => never;
}

/** A reply that asks to remember something; see `remember`. */
export interface RememberedReply extends Omit<CallReply, "memo" | "renewal"> {
  /** What the next call of the same key and shape is to find. It never leaves the process. */
  readonly memo?: unknown;
  /** The response is the one that `memo` was remembered of: where it is still what is stored, nothing is written. */
  readonly unchanged?: boolean | undefined;
  /** The value of an unchanged response, for when the store has changed since. Without it the call is made once more. */
  read?(): Promise<unknown>;
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
  /** Of what `bind` gave: what it was made of, and the arguments that were fixed. */
  readonly bound?: { readonly endpoint: AnyEndpoint; readonly args: readonly unknown[] } | undefined;
}

/** Any endpoint: an async function with a key, a schema and a policy. */
export interface AnyEndpoint extends AnyReadable {
  // deno-lint-ignore no-explicit-any -- each endpoint has arguments of its own
  (...args: any): Promise<any>;
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Of a page: the list that it continues.
   *
   * @param args The arguments of the page.
   * @returns The endpoint of the list and its arguments; and what the list calls the page, where it keeps its pages.
   */
  pageOf?(
    args: readonly unknown[],
  ): { readonly endpoint: AnyReadable; readonly args: readonly unknown[]; readonly page?: string | undefined };
  /** A call always settles by itself, so that the controller need not watch it. */
  readonly hasDeadline?: boolean | undefined;
  /** Its `errorPolicy` is that of all endpoints of its kind, nobody's choice: that of the controller goes before it. */
  readonly hasCommonErrorPolicy?: boolean | undefined;
  /**
   * What the controller calls in place of the endpoint, where there is it: the call may say more than its value.
   *
   * @param context Signal, and what earlier replies asked to remember.
   * @param args The arguments of the call.
   * @returns The reply.
   */
  fetchReply?(context: CallContext, args: readonly unknown[]): Promise<CallReply>;
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
