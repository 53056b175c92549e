import type { Args, Attached, Value } from "../plain/value.ts";
import type { Commit } from "./commit.ts";
import { Node, type Table } from "./row.ts";
import type { Schema } from "./schema.ts";

/** A request in flight, as its answer knows it. */
export interface Asking {
  readonly abort: AbortController;
  readonly promise?: Promise<Value>;
  /** It goes on when nothing reads it. */
  isHeld?: boolean;
  /** Calls that have a signal of their own. */
  waiting?: number;
}

/** The answer of a read: of one key and one schema. It is the node of its data, so `kept` is the normalized reply. */
export class Answer extends Node {
  /** Whether it was ever answered. */
  has = false;
  /** The tick when the request of its newest outcome started. */
  started = 0;
  /** Until when it is fresh; 0: stale, and to be asked again where it is mounted. */
  expiresAt = 0;
  /** The tick when it was marked stale: what was asked for before that does not make it fresh. */
  expiredAt = 0;
  /** Hidden until it is answered again. */
  isInvalid = false;
  error: Error | undefined;
  /** Data that are there stay shown beside the error. */
  isSoft = false;
  /** The request in flight. */
  flight: Asking | undefined;
  /** Its signals, while something reads it: see `signals`. */
  read: Attached;
  /** Its reply, and those of the pages that continue it by their keys: see `paginated`. */
  readonly pages: Map<string, Value> = new Map();
  /** @param isServed Before it is answered, its data are what its arguments name. */
  constructor(
    readonly isServed: boolean,
    readonly key: string,
    schema: Schema,
    args: Args,
    readonly tables: readonly Table[],
  ) {
    super();
    this.schema = schema;
    this.args = args;
  }
  /** Its outcome came. What was asked for before an edit of its tables, or comes while one is under way, is stale. */
  settle(commit: Commit, expiresAt: number): void {
    const { started } = commit;
    const isStale = this.isPending || started < this.expiredAt || this.tables.some(({ edited }) => started < edited);
    this.started = started;
    this.expiresAt = isStale ? 0 : expiresAt;
    if (!this.expiresAt) commit.changed.push(this);
  }
  /** Whether a mutation is in flight that may write its tables: until that is settled, asking again is too early. */
  get isPending(): boolean {
    return this.tables.some(({ pending }) => pending);
  }
}
