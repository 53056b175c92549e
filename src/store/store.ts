import { argsText } from "../plain/args_text.ts";
import { WriteError } from "../errors/mod.ts";
import { isEntity, type Schema } from "./schema.ts";
import type { Args, Value } from "../plain/value.ts";
import { Answer, Answers } from "./answers.ts";
import { equal } from "../plain/equal.ts";
import { isObject } from "../plain/is_object.ts";
import { type Layer, shown } from "./layers.ts";
import { lookup } from "./lookup.ts";
import { type Edit, mark, markAll, type Node, type Row } from "./row.ts";
import { readNode } from "./reading.ts";
import { type Asked, Commit, type CommitOptions } from "./commit.ts";

let timeOrigin = 0;
/** The clock for freshness, in ms: unlike `Date.now()` it never goes back. */
export const now = (): number => (timeOrigin ||= Date.now() - performance.now()) + performance.now();

/** All records and answers. One counter, `tick`, orders what is written. */
export class Store extends Answers {
  /**
   * One commit and one options object, never freed: at a full collection engines drop the shapes of objects without an
   * instance, and the code compiled for them. To share a shape, options list the same members
   * in the same order, and their times have a fraction (a whole number would be stored in another way).
   */
  declare static kept: unknown[] | undefined;
  /** Requests in flight, in order of start. */
  readonly flights: Set<Asked> = new Set();
  /** The edits that rows keep, in order. */
  readonly edits: Set<Edit> = new Set();
  /** Wraps the telling of readers, so that all signals change together. */
  batch: (tell: () => void) => void = (tell) => tell();
  /** The number of passes that `memory` has made. */
  age = 1;
  /** How often the store was emptied: data from before may belong to another user. */
  resets = 0;

  constructor() {
    super();
    Store.kept ??= [
      new Commit(undefined!, [], { edit: 1, expiresAt: 0.5 }),
      { started: 1, edit: 1, expiresAt: 0.5, sent: 0, isPage: false, flight: undefined, key: "" },
    ];
  }

  /**
   * The only way to write. An error in `prepare` changes nothing; otherwise all writes become visible at once, and
   * readers are told. `apply` may use the result before that; it must not throw.
   */
  write<T>(
    args: Args,
    options: CommitOptions,
    prepare: (commit: Commit) => T,
    apply?: (commit: Commit, result: T) => void,
  ): T {
    const commit = new Commit(this, args, options);
    commit.isOvertaking = this.flights.size > +this.flights.has(options.flight!);
    let result: T;
    try {
      result = prepare(commit);
      // `rows` grows during this loop by the lists that `onEdit` changes. A read may bring what a pending mutation has
      // changed: its own reply will then change nothing.
      const rows = commit.edit || commit.isOvertaking ? commit.touched : [];
      for (const row of rows) {
        if (commit.edit || row.table.pending) { for (const list of row.table.lists) list.onEdit(row, commit); }
      }
    } catch (error) {
      for (const node of commit.told) node.isDirty = false;
      for (const row of commit.touched) row.next = undefined;
      const { flight } = options;
      throw commit.edit && flight ? new WriteError(401, [flight.endpoint.name, error], error) : error;
    }
    apply?.(commit, result);
    this.#show(commit);
    this.batch(() => this.#tell(commit));
    return result;
  }
  #show(commit: Commit): void {
    const { touched, told, layer, started, edit, empty, edits, options: { expiresAt = 0, isPage, flight } } = commit;
    for (const row of touched) {
      const { next, table, rec } = row;
      row.next = undefined;
      row.age = this.age;
      // An edit of some members makes a record no fresher. A reply does if no mutation edited the table meanwhile.
      const isFresh = started >= table.edited && (edit ? !rec : !table.pending && started >= row.at);
      // A record that was marked stale stays so for a list, which may lack the members that changed.
      if (isFresh && (row.expiresAt || !rec)) row.expiresAt = Math.max(row.expiresAt, expiresAt);
      // A page says nothing of the first page, so an older reply of that still counts.
      if (!edit && started > row.at && !(isPage && row.added)) row.at = started;
      if (next !== rec) {
        // A row that was looked up or deleted before its record came moves to the end, because `All` lists rows in
        // order of arrival.
        if (next && !rec && (row.node || rec === null) && !layer?.patches.has(row)) {
          table.rows.delete(row.pk);
          table.rows.set(row.pk, row);
        }
        row.rec = next;
        this.#mark(row, commit);
      }
      if (!next !== !rec) markAll(table, told);
      if (!table.isKnown) empty.push(table);
    }
    for (const table of empty) {
      if (!table.isKnown) markAll(table, told);
      table.isKnown = true;
    }
    layer?.patches.forEach((patch, row) => {
      this.#mark(row, commit);
      // Changed members of a record leave the list of all records as it is.
      if (!row.rec || !isObject(patch)) markAll(row.table, told);
    });
    if (edit && flight) {
      for (const { table } of touched) table.edited = edit;
      for (const table of flight.tables) table.edited = edit;
    }
    for (const edit of edits) {
      this.edits.add(edit);
      (edit.row.edits ??= []).push(edit);
    }
    if (commit.stale[0]) this.expireRows(commit.stale, commit);
  }
  /** After the end of a request: removes the edits that no request in flight is older than. */
  tidy(): void {
    const [{ started } = { started: Infinity }] = this.flights;
    for (const edit of this.edits) {
      if (edit.tick > started) return;
      this.edits.delete(edit);
      const { row } = edit;
      row.edits!.shift();
      if (!row.edits![0]) row.edits = undefined;
    }
  }
  #tell(commit: Commit): void {
    for (const part of this.parts) part.commit?.(commit);
    const { changed, told } = commit;
    // A node may be in both lists, but its watchers are told once.
    for (let { watcher } of changed.length ? [...new Set([...changed, ...told])] : told) {
      for (; watcher; watcher = watcher.watcher) watcher.tell();
    }
  }
  /**
   * Marks the nodes whose record differs from the one that they last read: a confirmed record may equal what a layer
   * showed.
   */
  #mark(row: Row, { layer, told }: Commit): void {
    for (let { node } = row; node; node = node.next!) {
      if (!(layer || row.layers) || node.isDirty || !equal(node.kept, shown(row))) mark(node, told);
    }
  }
  /** Shows a layer, or removes it. */
  layer(layer: Layer, commit: Commit, isShown?: boolean): void {
    commit.layer = layer;
    for (const row of layer.patches.keys()) {
      const layers = (row.layers ?? []).filter((other) => other !== layer);
      if (isShown) layers.push(layer);
      row.layers = layers[0] && layers;
    }
  }
  override shown(row: Row): Value {
    return shown(row);
  }

  /** Forgets all data. Rows and answers stay as objects, because readers watch them. */
  reset(commit: Commit): void {
    const { told, changed } = commit;
    this.resets++;
    for (const table of this.tables.values()) {
      table.pending = 0;
      table.isKnown = false;
      markAll(table, told);
      for (const row of table.rows.values()) {
        row.rec = undefined;
        if (row.added) row.added = undefined;
        row.expiresAt = 0;
        this.#mark(row, commit);
      }
    }
    for (const answer of this.answers()) {
      Object.assign(answer, { has: false, isInvalid: false, kept: undefined, error: undefined });
      answer.pages.clear();
      mark(answer, told);
      changed.push(answer);
    }
    this.tidy();
    for (const part of this.parts) part.reset?.();
  }
  /** Gives an answer its normalized reply, and marks it dirty if that differs. */
  keep(answer: Answer, kept: Value, told: Node[]): void {
    answer.age = this.age;
    if (equal(answer.kept, kept)) return;
    answer.kept = kept;
    mark(answer, told);
  }
  /**
   * The data of an answer: its reply; or the record that its arguments name, if that has all members that the class
   * declares.
   */
  data(answer: Answer): Value {
    const { schema, has, isServed, args } = answer;
    if (answer.isInvalid) return;
    if (!has) {
      const found = isServed ? lookup(schema, args, this) : undefined;
      if (found === undefined) return;
      this.keep(answer, found, []);
    }
    const data = this.readRoot(answer), rec = data && !has && isEntity(schema) && shown(answer.kids[0]!.row!);
    if (rec) { for (const name in schema.defaults) if (schema.defaults[name] !== undefined && !(name in rec)) return; }
    return data;
  }
  /** Until when the data of an answer are fresh. Without a reply, the record that its arguments name decides. */
  freshUntil({ has, error, isInvalid, expiresAt, expiredAt, kids }: Answer): number {
    const row = kids[0]?.row;
    return has || error || isInvalid ? expiresAt : row && row.at >= expiredAt ? row.expiresAt : 0;
  }
  /** The node for a schema and arguments, to read and to watch; `undefined` without a pk. */
  nodeOf(schema: Schema, args: Args): Node | undefined {
    if (!isEntity(schema)) {
      // A Query has the same default key as an endpoint.
      const key = typeof schema.key == "function" ? schema.key(...args) : argsText(args);
      const answer = this.answer({ schema }, args, key);
      this.data(answer);
      return answer;
    }
    const pk = lookup(schema, args, this);
    if (pk === undefined) return;
    const plan = this.plan(schema);
    return plan.node(plan.table.row(pk));
  }
  /**
   * Reads a node for a caller outside of the store, so `memory` keeps it. An answer whose record has gone turns stale.
   */
  readRoot(node: Node): Value {
    const { value } = node, now = readNode(this, node);
    node.age = this.age;
    if (now === undefined && value !== undefined && node.kept && node instanceof Answer) node.expiresAt = 0;
    return now;
  }
  get(schema: Schema, args: Args): Value {
    const node = this.nodeOf(schema, args);
    return node && this.readRoot(node);
  }
}
