import type { CallContext, CallReply, RememberedReply } from "../../endpoint/interface.ts";
import { EndpointError } from "../../errors/endpoint_error.ts";
import { OvertakenError } from "../../errors/overtaken_error.ts";
import { said } from "../../errors/texts.ts";
import type { Patch } from "../../store/patch.ts";
import type { RenewAction } from "../../store/reducers/mod.ts";
import { addAnswer, type AnswerAction, answerPatch } from "../../store/reducers/next_entry.ts";
import type { Stamp } from "../../store/slot.ts";
import type { Store, StorePart } from "../../store/store.ts";
import type { Table } from "../../store/tables.ts";
import { partOf } from "../part_of.ts";

/**
 * What is kept beside an answer: what its reply asked to remember, and the tables that it wrote to, as they were when it was
 * committed. When the server says "unchanged", it tells whether writing the same answer again would change anything.
 */
class Memo {
  readonly value: unknown;
  /** The stamp of the records that were last written by this answer. */
  stamp: Stamp | undefined;
  /** With the versions that they had. `undefined`: what is stored was never this answer. */
  tables: ReadonlyMap<Table, number> | undefined;
  /** What remained of the answer. */
  result: unknown;
  /** A reply "unchanged" has come too late for it: the next call is to bring the answer itself. */
  isSpent = false;

  constructor(value: unknown) {
    this.value = value;
  }

  /** Whether everything is as the answer left it. Others may have put something else in its place. */
  holds(result: unknown): boolean {
    if (this.tables === undefined || result !== this.result) return false;
    for (const [table, version] of this.tables) if (table.version !== version) return false;
    return true;
  }

  /** It is committed: from now on, changes of the tables count. */
  settle({ entries, stamp, store, tables, touched }: Patch): void {
    if (this.stamp === undefined) {
      this.stamp = stamp;
      // Where something that stands later lies over it, what is stored was never this answer.
      const isOnTop = !store.tableChanges.some((change) => change.stamp.seq > stamp.seq) &&
        touched.every((slot) => slot.stamp.seq <= stamp.seq);
      if (isOnTop) this.tables = versionsOf(tables);
    } else if (this.tables !== undefined) {
      // Renewed: all records of that write are as young as the new reply.
      Object.assign(this.stamp, stamp);
      this.tables = versionsOf(this.tables.keys());
    }
    this.result = entries.find(({ memo }) => memo === this)?.result;
  }
}

function versionsOf(tables: Iterable<Table>): ReadonlyMap<Table, number> {
  return new Map(Array.from(tables, (table) => [table, table.version]));
}

/** Settles what is remembered in a store. */
class Memos implements StorePart {
  committed(patch: Patch, action: unknown): void {
    const { memo } = (action as Partial<AnswerAction> | undefined)?.reply ?? {};
    if (memo instanceof Memo) memo.settle(patch);
  }
}

/**
 * What the last reply to a call asked to remember, for a `fetchReply` of one's own; see {@linkcode remember}.
 *
 * @param context What the controller gave to the call.
 * @returns `memo`: that, as long as the answer is kept; `undefined` for mutations, and where nothing is remembered.
 *   `isCurrent`: all that the answer wrote is still what is stored, so that `unchanged` needs no `read`.
 */
export function remembered(context: CallContext): { readonly memo: unknown; readonly isCurrent: boolean } {
  const memo = memoOf(context);
  return { memo: memo?.value, isCurrent: memo !== undefined && isRenewable(context, memo) };
}

/**
 * Lets the next call of the same key and shape find what this one asks to remember, and takes "unchanged" for an answer.
 *
 * @param context What the controller gave to the call.
 * @param given The reply, with `memo`, and of one that has not changed `unchanged` and `read`.
 * @returns The reply for the controller.
 * @throws {EndpointError} If it is unchanged, but nothing was remembered.
 */
export function remember(context: CallContext, given: RememberedReply): CallReply | Promise<CallReply> {
  const { memo: value, unchanged, read, ...reply } = given;
  const { call: { endpoint: { name, sideEffect } } } = context;
  const store = context.owner as Store;
  if (sideEffect) return reply;
  partOf(store, Memos);
  const memo = value === undefined && !unchanged ? undefined : new Memo(value);
  if (!unchanged) return { ...reply, memo };
  const before = memoOf(context);
  if (before === undefined || !isRenewable(context, before)) {
    if (read !== undefined) return read().then((value) => ({ ...reply, memo, value }));
    if (before === undefined) throw new EndpointError(name, said(607, { name }));
  }
  const isCurrent = () => {
    before.isSpent = !isRenewable(context, before);
    return !before.isSpent;
  };
  return { ...reply, value: undefined, memo, renewal: { isCurrent, reduce: reduceRenew as never } };
}

/** What was kept beside the answer that was stored when the call was made. */
function memoOf({ call: { memo } }: CallContext): Memo | undefined {
  return memo instanceof Memo && !memo.isSpent ? memo : undefined;
}

/**
 * Whether an unchanged answer can be taken as it is stored: writing it again would change nothing but how young it is.
 */
function isRenewable({ owner, call: { endpoint, key, seq } }: CallContext, memo: Memo): boolean {
  const { entries, sequence } = owner as Store;
  const entry = entries.get(key, endpoint);
  return entry !== undefined && entry.memo === memo && entry.hasResult && entry.seq <= seq &&
    memo.holds(entry.result) &&
    // Its reply would have to be put in before this one, and the records do not keep what this one would write over it.
    !sequence.hasBetween(entry.seq, seq);
}

/**
 * Gives an answer the sequence number and the times of a new reply. Only for what is renewable: nothing is normalized.
 *
 * @throws {OvertakenError} If the answer is not there any more.
 */
export function reduceRenew(store: Store, action: RenewAction): Patch {
  const { endpoint, key, reply } = action;
  const patch = answerPatch(store, action);
  const before = store.entries.get(key, endpoint);
  // A middleware has reset the store before it passed the reply on.
  if (before === undefined || !before.hasResult) throw new OvertakenError(endpoint.name, "reset");
  patch.value = patch.result = before.result;
  const { memo } = reply ?? {};
  if (memo instanceof Memo && before.memo instanceof Memo) {
    memo.stamp = before.memo.stamp;
    if (before.memo.holds(before.result)) memo.tables = before.memo.tables;
  }
  // Of a list that was continued, it is the first page that has not changed.
  const [{ result } = before] = before.pages ?? [];
  addAnswer(store, patch, action, result, false);
  return patch.seal();
}
