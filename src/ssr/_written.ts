import type { StepData } from "../parts/recording/plain_json.ts";

/** The form of what is written; what has another one is not read. */
export const STATE_VERSION = 3;

/** Where the data is, unless somebody says otherwise. */
export const STATE_ID = "rejoin-state";

/** What is in one element. */
export interface Written {
  readonly version: number;
  /** When the page began to be sent, by the clock of the server. */
  readonly at: number;
  /** Like `State`, but with records and results in a form that JSON can carry. */
  readonly state: { readonly [part: string]: StepData };
}
