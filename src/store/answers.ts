import { checks } from "../errors/mod.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Attached, Value } from "../plain/value.ts";
import type { Commit } from "./commit.ts";
import { tablesOf } from "./lookup.ts";
import { Node, type Row, type Table } from "./row.ts";
import { isEntity, type Schema } from "./schema.ts";
import { Tables } from "./tables.ts";

/** A request in flight, as far as its answer needs it. */
export interface Asking {
  readonly abort: AbortController;
  readonly promise?: Promise<Value>;
  /** Like `promise`, but it never rejects. */
  wait?: Promise<void>;
  /** The number of calls that wait for this request: it is not aborted when its last reader leaves. */
  readonly holders: number;
}

/**
 * The stored state of one read: of one key and one schema. It is the node of its data, so `kept` is the normalized
 * reply.
 */
export class Answer extends Node {
  declare args: Args;
  /** Whether a reply ever came. */
  has = false;
  /** The tick when the request of the newest reply or error had started. */
  started = 0;
  /** Until when the reply is fresh, in ms; 0: stale, and mounted readers ask again. */
  expiresAt = 0;
  /** The tick when the answer was marked stale: a reply whose request started before that does not make it fresh. */
  expiredAt = 0;
  /** Invalidated: the data are hidden until the next reply. */
  isInvalid = false;
  declare error: Error | undefined;
  /** A soft error: data that are there stay shown beside it. */
  isSoft = false;
  /** The request in flight. */
  declare flight: Asking | undefined;
  /** The signals of this answer, while a component reads it: see `signals`. */
  declare read: Attached;
  /** The first reply, and those of the pages that continue it, by their keys: see `paginated`. */
  readonly pages: Map<string, Value> = new Map();
  /** Before the first reply, the record that the arguments name serves as data. */
  declare readonly isServed: boolean;
  declare readonly key: string;
  declare readonly tables: readonly Table[];
  constructor(isServed: boolean, key: string, schema: Schema, args: Args, tables: readonly Table[]) {
    super();
    Object.assign(this, { isServed, key, schema, args, tables });
  }
  /**
   * Notes that a reply or error came. It is stale if its request started before an edit of its tables, or a mutation is
   * pending.
   */
  settle(commit: Commit, expiresAt: number): void {
    const started = this.started = commit.started;
    const isStale = this.isPending || started < this.expiredAt || this.tables.some(({ edited }) => started < edited);
    this.expiresAt = isStale ? 0 : expiresAt;
    commit.changed.push(this);
  }
  /** Whether a mutation in flight may write these tables: asking again before it is settled would be too early. */
  get isPending(): boolean {
    return this.tables.some(({ pending }) => pending);
  }
}

/** The events of the store that a part can listen to. */
export interface StorePart {
  /** After all writes of a commit are in, before readers are told. Must not throw; may `mark` further nodes. */
  commit?(commit: Commit): void;
  /** After an answer was created. */
  answer?(answer: Answer): void;
  /** After all data were forgotten. Must not throw. */
  reset?(): void;
}

/** Whether a normalized reply names one of these rows. */
export const mentions = (kept: Value, pks: { has(pk: Value): boolean }): boolean =>
  isObject(kept) ? Object.values(kept).some((one) => mentions(one, pks)) : pks.has(kept);

/** The tables and answers of one schema. */
interface Scope {
  /** The tables that the schema names. */
  readonly tables: readonly Table[];
  readonly answers: Map<string, Answer>;
}

/** All answers, by schema and key. */
export class Answers extends Tables {
  readonly scopes: Map<Schema, Scope> = new Map();
  parts: StorePart[] = [];
  /** The logical clock that orders requests, replies and edits. */
  tick = 0;

  scope(schema: Schema): Scope {
    let scope = this.scopes.get(schema);
    if (!scope) {
      checks.schema?.(schema);
      this.scopes.set(schema, scope = { tables: [...tablesOf(this, schema)], answers: new Map() });
    }
    return scope;
  }
  /** The answer of a call. The same key with another schema is another answer. */
  answer(endpoint: Value, args: Args, given?: string): Answer {
    checks.endpoint?.(this, endpoint);
    // A Query is its own schema.
    const schema = endpoint.denormalize ? endpoint : endpoint.schema, { answers, tables } = this.scope(schema);
    const key = given ?? endpoint.key(...args);
    let answer = answers.get(key);
    if (!answer) {
      // A stored record may serve as data of a read before its reply only if the arguments name that record and nothing
      // else.
      const isServed = !endpoint.fetch || (isEntity(schema) && !!endpoint.namesRecord?.(args));
      answers.set(key, answer = new Answer(isServed, key, schema, copyPlain(args), tables));
      for (const part of this.parts) part.answer?.(answer);
    }
    return answer;
  }
  *answers(): Iterable<Answer> {
    for (const { answers } of this.scopes.values()) yield* answers.values();
  }
  /** Marks answers stale, or invalid (hidden). */
  expire(test: (answer: Answer) => unknown, commit: Commit, isInvalid?: boolean): void {
    for (const answer of this.answers()) {
      if (!test(answer)) continue;
      if (isInvalid) Object.assign(answer, { isInvalid, error: undefined });
      answer.expiresAt = 0;
      answer.expiredAt = this.tick;
      commit.changed.push(answer);
    }
  }
  /**
   * Marks rows stale, and with them every answer that may name them: of single records, and of all lists of their
   * tables.
   */
  expireRows(rows: readonly Row[], commit: Commit): void {
    const stale = new Set<Table>(), pks = new Set<unknown>();
    for (const row of rows) {
      row.expiresAt = 0;
      stale.add(row.table);
      pks.add(row.pk);
    }
    this.expire(
      // The answer of one record keeps a pk. A list (an array, or the name of a Collection's list) may have the row, or
      // soon get it.
      ({ tables, kept, schema }) =>
        tables.some((table) =>
          stale.has(table) && ((!table.isList && (isObject(kept) || schema.verb)) || mentions(kept, pks))
        ),
      commit,
    );
  }
}
