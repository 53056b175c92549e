import { checks } from "../errors/mod.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Attached, Value } from "../plain/value.ts";
import type { Commit } from "./commit.ts";
import { tablesOf } from "./lookup.ts";
import { Node, type Row, type Table } from "./row.ts";
import { isEntity, type Schema } from "./schema.ts";
import { Tables } from "./tables.ts";

/** A request in flight, as its answer knows it. */
export interface Asking {
  readonly abort: AbortController;
  readonly promise?: Promise<Value>;
  /** The same for who only waits: it never rejects. */
  wait?: Promise<void>;
  /** How many calls wait for it, though nothing may read it. */
  readonly holders: number;
}

/** The answer of a read: of one key and one schema. It is the node of its data, so `kept` is the normalized reply. */
export class Answer extends Node {
  declare args: Args;
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
    commit.changed.push(this);
  }
  /** Whether a mutation is in flight that may write its tables: until that is settled, asking again is too early. */
  get isPending(): boolean {
    return this.tables.some(({ pending }) => pending);
  }
}

/** What the store tells a part. */
export interface StorePart {
  /** After all writes of a commit are in, before readers are told. Must not throw; may `mark` further nodes. */
  commit?(commit: Commit): void;
  /** An answer is used for the first time. */
  answer?(answer: Answer): void;
  reset?(): void;
}

/** Whether a normalized reply names one of these lists. */
const mentions = (kept: Value, pks: ReadonlySet<unknown>): boolean =>
  isObject(kept) ? Object.values(kept).some((one) => mentions(one, pks)) : pks.has(kept);

/** What belongs to one schema. */
interface Scope {
  /** The tables that it names. */
  readonly tables: readonly Table[];
  readonly answers: Map<string, Answer>;
}

/** What is kept of reads, by schema and key. */
export class Answers extends Tables {
  readonly scopes: Map<Schema, Scope> = new Map();
  parts: StorePart[] = [];
  /** Counts what happens: the one order of all. */
  tick = 0;

  scope(schema: Schema): Scope {
    let scope = this.scopes.get(schema);
    if (!scope) {
      checks.schema?.(schema);
      this.scopes.set(schema, scope = { tables: [...tablesOf(this, schema)], answers: new Map() });
    }
    return scope;
  }
  /** The answer of a call. One key with another schema is another answer. */
  answer(endpoint: Value, args: Args, given?: string): Answer {
    checks.endpoint?.(this, endpoint);
    // A Query is its own schema.
    const schema = endpoint.denormalize ? endpoint : endpoint.schema, { answers, tables } = this.scope(schema);
    const key = given ?? endpoint.key(...args);
    let answer = answers.get(key);
    if (!answer) {
      // A read is served from a record that another answer brought only if it names that and nothing else.
      const isServed = !endpoint.fetch || (isEntity(schema) && !!endpoint.namesRecord?.(args));
      answers.set(key, answer = new Answer(isServed, key, schema, copyPlain(args), tables));
      for (const part of this.parts) part.answer?.(answer);
    }
    return answer;
  }
  *answers(): Iterable<Answer> {
    for (const { answers } of this.scopes.values()) yield* answers.values();
  }
  /** Marks answers stale, or hides them. */
  expire(test: (answer: Answer) => unknown, commit: Commit, isInvalid?: boolean): void {
    for (const answer of this.answers()) {
      if (!test(answer)) continue;
      if (isInvalid) {
        answer.isInvalid = true;
        answer.error = undefined;
      }
      answer.expiresAt = 0;
      answer.expiredAt = this.tick;
      commit.changed.push(answer);
    }
  }
  /** Rows must be asked again, by every answer that may name them: their details, and all lists of their tables. */
  expireRows(rows: readonly Row[], commit: Commit): void {
    const stale = new Set<Table>(), pks = new Set<unknown>();
    for (const row of rows) {
      row.expiresAt = 0;
      stale.add(row.table);
      pks.add(row.pk);
    }
    this.expire(
      // A detail keeps a pk. A list, of which a Collection keeps the name, may have the row, or be about to.
      ({ tables, kept, schema }) =>
        tables.some((table) =>
          stale.has(table) && ((!table.isList && (isObject(kept) || schema.verb)) || mentions(kept, pks))
        ),
      commit,
    );
  }
}
