import { type Layer, patched } from "./layers.ts";
import { equal } from "../plain/equal.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Plan } from "./plan.ts";
import type { Edit, Node, Patch, Patches, Row, Table } from "./row.ts";
import { markRow } from "./row.ts";
import type { Tables } from "./tables.ts";
import { Walk } from "./walk.ts";

/** A request, as the commit of its answer knows it. */
export interface Asked {
  readonly endpoint: {
    readonly name: string;
    readonly sideEffect?: boolean | undefined;
    /** Says which argument is what. */
    readArgs?(args: Args): { readonly params: Value };
  };
  /** The tick when it started. */
  readonly started: number;
  /** Of a mutation: the tables that it may write. */
  readonly tables: readonly Table[];
  /** Of a mutation: the pk of the record that it is about. */
  readonly subject?: string | undefined;
  /** What it showed. */
  readonly layer?: Layer;
  /** The temporary id of what it creates. */
  readonly temporary?: string;
}

/** What a commit is for. */
export interface CommitOptions {
  /** The tick when it was asked for. */
  readonly started?: number;
  /** Of an edit, the tick of now; a read has none. */
  readonly edit?: number | undefined;
  readonly expiresAt?: number;
  /** Members that a mutation sent: they are written even over later edits. */
  readonly sent?: Value;
  /** The key of the read that is answered: it names the lists of its reply. */
  readonly key?: string | undefined;
  /** Optimistic: writes become patches of this layer. */
  readonly layer?: Layer;
  /** A page of a list: what it brings is appended. */
  readonly isPage?: boolean;
  /** The request that it answers. */
  readonly flight?: Asked | undefined;
}

/**
 * Writes that become visible together: prepared by visiting values, then shown by `Store.write`. Parts get it, see
 * `Part.commit`. The rule of order: an edit stays on top of every reply that was asked for before it.
 */
export class Commit extends Walk {
  /** Rows that must be asked again, because the value cannot say what they are now. */
  readonly stale: Row[] = [];
  /** Nodes that turned dirty. */
  readonly told: Node[] = [];
  /** Nodes that are to be told though their value is the same: answers that turned stale, failed … */
  readonly changed: Node[] = [];
  /** What an edit does to rows, for the replies of requests that are older. */
  readonly edits: Edit[] = [];
  /** The layer that it shows, or takes away. */
  layer: Patches | undefined;
  /** Other requests are in flight. */
  isOvertaking = false;
  /** A read met records that a mutation changed after it was asked for. */
  isOutdated = false;
  readonly started: number;
  readonly edit: number | undefined;

  constructor(tables: Tables, args: Args, readonly options: CommitOptions) {
    super(tables, args);
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
    // A delete by a mutation is no reply: nothing goes on top of it.
    const base = this.touch(row),
      isReply = incoming || !edit,
      sent = edit && incoming && !plan.items && this.sentOf(row, plan);
    // What the reply does not say stays as it was shown, or sent, and is for the server to say.
    for (const name in sent) {
      if (Object.hasOwn(incoming, name)) sent[name] = incoming[name];
      else this.stale.push(row);
    }
    if (sent) incoming = patched(incoming, sent);
    const reply = incoming,
      isOld = isReply && started < row.at && row.rec !== undefined,
      later = isReply && row.edits?.filter(({ tick }) => tick > started) || [];
    for (const { patch } of later) incoming = patched(incoming, patch);
    // Of two reads the one that was asked for later wins; the other only fills what is missing.
    if (isOld) incoming = base && incoming && !plan.items ? { ...incoming, ...base } : base;
    // The newer answer may have lacked members in which this one differs: only the server knows them.
    for (const name in isOld && reply) {
      this.isOutdated ||= base?.[name] !== undefined && !equal(base[name], reply[name]);
    }
    if (sent && !equal(incoming, reply)) {
      // What a mutation sent goes over what is newer than its reply; the rest is for the server to say.
      this.stale.push(row);
      incoming = patched(incoming, sent);
    }
    // A merge of the class would take what is there for new.
    row.next = isOld && base && !plan.items ? plan.overlay(base, incoming) : plan.merge(base, incoming, row, this);
    // Members make no record of a row that has none: a new record is kept as a function.
    const whole = plan.items ? () => incoming : (rec: Value) => ({ ...rec, ...incoming });
    this.keep(row, incoming && (base && !plan.items ? incoming : whole));
  }
  /** The members that a mutation showed of a row, or of the temporary one that the row has become; else those that it sent. */
  sentOf(row: Row, plan?: Plan): Value {
    const { flight, sent } = this.options, patches = flight?.layer?.patches;
    // The first patch is that of the record that it is about.
    const isRoot = row === this.roots[0], [root] = patches?.keys() ?? [];
    const shown = patches?.get(isRoot && root?.pk === flight?.temporary ? root! : row);
    return { ...isRoot && sent && (plan ? this.fresh(plan, sent) : sent), ...isObject(shown) && shown };
  }
  /** A mutation is confirmed: what it sent goes from the patches that started before it, for they must not hide it. */
  release(row: Row): void {
    for (const { started, patches } of row.layers ?? []) {
      const patch = patches.get(row);
      if (started >= this.started || !isObject(patch)) continue;
      for (const name in this.sentOf(row)) delete patch[name];
      markRow(row, this.told);
    }
  }
  /** Remembers what an edit makes of a row, while older requests are in flight. */
  keep(row: Row, patch: Patch): void {
    const { edit: tick, isOvertaking, edits } = this;
    if (tick && isOvertaking) edits.push({ row, tick, patch });
  }
}
