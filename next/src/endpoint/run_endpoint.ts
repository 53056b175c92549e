import type { Args, Value } from "../plain/value.ts";
import type { Policy, Reply } from "./endpoint_types.ts";

/** An endpoint at run time: what the controller, parts and hooks ask of it. `EndpointInstance` is its type for apps. */
export interface RunEndpoint extends Policy {
  (...args: Args): Promise<Value>;
  readonly name: string;
  readonly schema?: Value;
  /** A mutation: never joined, never read by a hook. */
  readonly sideEffect?: boolean | undefined;
  /** Stale data are not shown. */
  readonly invalidIfStale?: boolean | undefined;
  /** ms between two requests of `useLive`. */
  readonly pollFrequency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  key(...args: Args): string;
  testKey(key: string): boolean;
  fetch(...args: Args): Promise<Value>;
  extend(options: object): RunEndpoint;
  getOptimisticResponse?(snapshot: Value, ...args: Args): Value;
  /** The answers that a mutation makes stale. */
  expires?(args: Args, reply: Value): readonly { testKey(key: string): boolean }[];
  /** What to write for a reply. */
  readReply?(reply: Value, args: Args, subject: string | undefined): Reply;
  /** Of a mutation: the pk of the record that it is about. */
  subject?(args: Args, store: Value): string | undefined;
  /** Whether a call names one record and says nothing else. */
  namesRecord?(args: Args): boolean;
  /** Says which argument is what. */
  readArgs?(args: Args): { readonly params: Value; readonly body?: Value };
  /** Of an endpoint for pages: the endpoint of the list, and the arguments of the list that a page continues. */
  readonly list?: RunEndpoint;
  listArgs?(...args: Args): Args;
  /** The part that it needs: `controller.use(endpoint.part)`. */
  readonly part?: (() => object) | undefined;
  /** Which mutations wait for each other: see `serial`. */
  readonly scope?: { readonly part: () => object } | undefined;
}
