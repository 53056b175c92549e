import { type Layer, patched } from "./layers.ts";
import { equal } from "../plain/equal.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Plan } from "./plan.ts";
import { type Edit, markRow, type Node, type Patch, type Patches, type Row, type Table } from "./row.ts";
import type { Tables } from "./tables.ts";
import { Walk } from "./walk.ts";

/** The facts of a request that the commit of its reply needs. */
export interface Asked {
  readonly endpoint: {
    readonly name: string;
    readonly sideEffect?: boolean | undefined;
    /** Tells which arguments of a call are the params and the body. */
    readArgs?(args: Args): { readonly params: Value };
  };
  /** The tick when the request started. */
  readonly started: number;
  /** Of a mutation: the tables that it may write. */
  readonly tables: readonly Table[];
  /** Of a mutation: the pk of the record that it is about. */
  readonly subject?: string | undefined;
  /** The optimistic layer of this mutation. */
  readonly layer?: Layer;
  /** The temporary pk of the record that this mutation creates. */
  readonly temporary?: string;
}

/** The source of a commit's values, and how they are written. */
export interface CommitOptions {
  /** The tick when the request started; an edit without a request uses `edit`. */
  readonly started?: number;
  /** Of an edit: the current tick. The reply of a read has none. */
  readonly edit?: number | undefined;
  readonly expiresAt?: number;
  /** Members that a mutation sent: they win even over later edits. */
  readonly sent?: Value;
  /** The key of the read that is answered: it becomes the pk of the lists in the reply. */
  readonly key?: string | undefined;
  /** The mutation is optimistic: writes become patches of this layer, and no row changes. */
  readonly layer?: Layer;
  /** The reply is a page of a list: its items are appended. */
  readonly isPage?: boolean;
  /** The request that is answered. */
  readonly flight?: Asked | undefined;
}

/**
 * Writes that become visible together: visiting values prepares them, then `Store.write` shows them. Parts get the
 * commit, see `Part.commit`. The rule of order: an edit stays on top of every reply whose request started before the
 * edit.
 */
export class Commit extends Walk {
  /** Rows that turn stale, because only the server knows their new value. */
  readonly stale: Row[] = [];
  /** Nodes that turned dirty. */
  readonly told: Node[] = [];
  /** Nodes whose watchers are told though the data are the same, such as answers that turned stale or failed. */
  readonly changed: Node[] = [];
  /** The edits that this commit makes: they go on top of the replies of older requests. */
  readonly edits: Edit[] = [];
  /** The optimistic layer that this commit shows or removes. */
  declare layer: Patches | undefined;
  /** Whether other requests are in flight: their replies may be older than this commit. */
  isOvertaking = false;
  /** The reply of a read has records that a mutation changed after the read had started. */
  isOutdated = false;
  declare readonly started: number;
  declare readonly edit: number | undefined;

  declare readonly options: CommitOptions;

  constructor(tables: Tables, args: Args, options: CommitOptions) {
    super(tables, args);
    this.options = options;
    this.edit = options.edit;
    this.subject = options.flight?.subject;
    // A field, because `isOrdered` runs for each row, and flights have many shapes.
    this.layer = options.flight?.layer;
    this.started = options.started ?? this.edit!;
  }
  override isOrdered(row: Row): boolean {
    return this.isOvertaking || !!row.edits || this.started < row.at || !!(this.options.sent || this.layer);
  }
  override touch(row: Row): Value {
    if (this.options.layer) return;
    if (this.started < row.table.edited) this.isOutdated = true;
    return super.touch(row);
  }
  override write(plan: Plan, row: Row, incoming: Value): void {
    const { edit, started, options: { layer } } = this;
    if (layer) return plan.items ? void layer.patches.set(row, () => incoming) : layer.set(row, incoming);
    if (!this.isOrdered(row)) return super.write(plan, row, incoming);
    // A delete by a mutation is no reply, so no later edit goes on top of it.
    const base = this.touch(row), isReply = incoming || !edit;
    const sent = edit && incoming && !plan.items && this.sentOf(row, plan);
    // Members that the mutation sent but the reply lacks keep the sent value, and the row turns stale so that the
    // server confirms it.
    for (const name in sent) {
      if (Object.hasOwn(incoming, name)) sent[name] = incoming[name];
      else this.stale.push(row);
    }
    const reply = incoming, isOld = isReply && started < row.at && row.rec !== undefined;
    const later = isReply && row.edits?.filter(({ tick }) => tick > started) || [];
    for (const { patch } of later) incoming = patched(incoming, patch);
    // Of two replies of reads the one whose request started later wins; the older one only adds members that the row
    // lacks.
    if (isOld) incoming = base && !plan.items ? { ...incoming, ...base } : base;
    // An older reply differs in a member that the newer one may have lacked, so only the server knows its value now.
    for (const name in isOld && reply) {
      this.isOutdated ||= base?.[name] !== undefined && !equal(base[name], reply[name]);
    }
    if (sent) {
      // An edit or read that came meanwhile differs in a member of the reply, so only the server knows the result.
      if (!equal(incoming, { ...incoming, ...reply })) this.stale.push(row);
      incoming = patched(incoming, sent);
    }
    // A `merge` of the class would treat the stored record as the older one, but here the reply is older.
    row.next = isOld && base && !plan.items ? plan.overlay(base, incoming) : plan.merge(base, incoming, row, this);
    // Members alone cannot restore a deleted record (see `patched`), so an edit that creates a record is kept as a
    // function.
    const whole = plan.items ? () => incoming : (rec: Value) => ({ ...rec, ...incoming });
    this.keep(row, incoming && (base && !plan.items ? incoming : whole));
  }
  /**
   * The members that a mutation showed in a row (or in the temporary row that this row replaces), over those that it
   * sent.
   */
  sentOf(row: Row, plan?: Plan): Value {
    const { flight, sent } = this.options, patches = flight?.layer?.patches;
    // The first patch is that of the record that the mutation is about.
    const isRoot = row === this.roots[0], [root] = patches?.keys() ?? [];
    const shown = patches?.get(isRoot && root?.pk === flight?.temporary ? root! : row);
    return { ...isRoot && sent && (plan ? this.fresh(plan, sent) : sent), ...isObject(shown) && shown };
  }
  /**
   * A mutation was confirmed: the members that it sent are removed from the patches of older layers, which would hide
   * them.
   */
  release(row: Row): void {
    for (const { started, patches } of row.layers ?? []) {
      const patch = patches.get(row);
      if (started >= this.started || !isObject(patch)) continue;
      for (const name in this.sentOf(row)) delete patch[name];
      markRow(row, this.told);
    }
  }
  /** Remembers what an edit does to a row while older requests are in flight, because their replies lack the edit. */
  keep(row: Row, patch: Patch): void {
    const { edit: tick, isOvertaking, edits } = this;
    if (tick && isOvertaking) edits.push({ row, tick, patch });
  }
}
