import type { StepData } from "./plain_json.ts";

/** What happened, as one step of a {@linkcode Recording}. Members that do not belong to its type are absent. */
export interface RecordedStep {
  /**
   * - `"fetch"`: a request started. `"reply"`, `"error"`, `"abort"`: how the request with that `id` ended.
   * - `"set"`, `"setResponse"`, `"setError"`, `"invalidate"`, `"expire"`, `"reset"`, `"replace"`: what the method of that
   *   name does, whoever did it.
   * - `"forgotten"`: the server answered a mutation that had been sent before a reset.
   * - `"subscribe"`, `"unsubscribe"`: only noted.
   */
  readonly type:
    | "fetch"
    | "reply"
    | "error"
    | "abort"
    | "forgotten"
    | "set"
    | "setResponse"
    | "setError"
    | "invalidate"
    | "expire"
    | "reset"
    | "replace"
    | "subscribe"
    | "unsubscribe";
  /** When; ms since 1970. */
  readonly at: number;
  /** Pairs a request with its end. */
  readonly id?: number;
  /** The name of the endpoint. */
  readonly endpoint?: string;
  /** The key of the request. */
  readonly key?: string;
  /** The arguments of the call. */
  readonly args?: readonly StepData[];
  /** Of a `fetch`: it is a mutation. */
  readonly isMutation?: boolean;
  /** Of a `set`: the schema, as messages name it, and the name of its class. */
  readonly schema?: readonly [name: string, className: string];
  /** The response, or what was set. */
  readonly value?: StepData;
  /** Of a `set` or `setResponse`: a stream said so. */
  readonly isHeard?: boolean;
  /** Of a `set` with a function: `value` holds only the members that it has changed. */
  readonly isChange?: boolean;
  /** Of a `reply`: the server said that nothing has changed. */
  readonly isUnchanged?: boolean;
  /** Of a `reply`: it asked to be remembered, so that a later one can say that nothing has changed. */
  readonly isRemembered?: boolean;
  /** Of a `reply`: how long it is fresh, in ms, where it said so itself. */
  readonly dataExpiryLength?: StepData;
  /** Of a `reply`: it came another way, before the request was sent. */
  readonly isElsewhere?: boolean;
  /** What it failed with. */
  readonly error?: StepData;
  /** The keys that an `expire` or `invalidate` was about. */
  readonly keys?: readonly string[];
  /** Of a `reset` or `replace`: the mutations that the server had and had not answered. */
  readonly out?: readonly number[];
  /** What the step threw at whoever did it: nothing happened. */
  readonly threw?: string;
  /** How many of the recording's views were there before this step; absent: as many as before. */
  readonly views?: number;
  /** Which of them nobody had read since they changed; absent: the same as before. */
  readonly unread?: readonly number[];
}

/** An answer that the store had when a recording began, of an endpoint that it had met. */
export interface RecordedAnswer {
  /** The key of the read. */
  readonly key: string;
  /** The arguments of the call. */
  readonly args: readonly StepData[];
}

/** A read that somebody made while a recording ran. */
export interface RecordedView extends RecordedAnswer {
  /** The name of the endpoint. */
  readonly endpoint: string;
}

/**
 * What happened to a store, as plain data that JSON can carry: made by `record`, played by `replay`.
 *
 * What JSON has no form for is kept as `{ "~rejoin": [kind, …] }`: `undefined`, numbers that are not finite, bigints,
 * dates, URLs, search parameters, errors (name, message, status), forms (of files only name and type). Objects of classes
 * are kept as their members, those that were read from the store as their pk. Of functions, maps, sets, symbols and
 * streams nothing is kept but their kind, of blobs and bytes not what is in them.
 */
export interface Recording {
  /** The version of this form. */
  readonly version: 1;
  /** When the recording began; ms since 1970. */
  readonly at: number;
  /** What the store knew then: what `stateOf()` gave. */
  readonly state: StepData;
  /** Which answers of that are of endpoints that the store had met: only of those it knows what they are made of. */
  readonly answers: readonly RecordedAnswer[];
  /** The numbers among the controller's `defaults`. */
  readonly defaults: StepData;
  /** How many temporary names there had been. */
  readonly temporaryIds: number;
  /** What they begin with, where there were some in the end. */
  readonly temporaryToken?: string | undefined;
  /** Which reads there were. */
  readonly views: readonly RecordedView[];
  /** What happened, in order. */
  readonly steps: readonly RecordedStep[];
}
