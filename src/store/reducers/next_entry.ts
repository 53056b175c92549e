import { clock } from "../../deps/clock.ts";
import type { AnyEndpoint, CallReply } from "../../endpoint/interface.ts";
import { emptyEntry, type Entry, isSameShape, keepResult, shapeOf } from "../entry.ts";
import { dataExpiry } from "../freshness.ts";
import type { Layer } from "../layer.ts";
import { pageRows } from "../page_rows.ts";
import { cursorOf, markPages, withPage } from "../pages.ts";
import type { Patch } from "../patch.ts";
import type { Ticket } from "../sequence.ts";
import { added } from "../shared_empty.ts";
import type { Store } from "../store.ts";

/** What a reply says beside its value. */
export type ReplyDetails = Pick<CallReply, "memo" | "dataExpiryLength" | "note">;

/** What all answers have in common, whether they bring data or say that nothing has changed. */
export interface AnswerAction {
  readonly endpoint: AnyEndpoint;
  readonly args: readonly unknown[];
  readonly key: string;
  readonly seq: number;
  readonly date: number;
  /** The request that was answered; without one it was said by hand. */
  readonly ticket?: Ticket | undefined;
  /** What the reply said beside its value. */
  readonly reply?: ReplyDetails | undefined;
  /** What mutations in doubt showed until this answer. */
  readonly released?: readonly Layer[] | undefined;
  /** Which part brought it, from a disk or another window; `undefined`: the network, or the app by hand. */
  readonly origin?: string | undefined;
  /** Another mutation of its scope is on its way, or waits: what is asked now would be asked again after that. */
  readonly isFollowed?: boolean | undefined;
}

/** Until when the records of an answer are fresh. */
export function answerExpiry({ defaults, entries }: Store, action: AnswerAction): number {
  const { endpoint, key, seq, date, ticket, reply } = action;
  // The server may have answered a read behind a mutation before it applied that one.
  if (ticket?.isBehind) return 0;
  // It was expired after it had been asked for.
  if (seq < (entries.get(key, endpoint)?.staleSeq ?? 0)) return 0;
  const { dataExpiryLength } = reply ?? {};
  return dataExpiry(dataExpiryLength === undefined ? endpoint : { dataExpiryLength }, defaults, date);
}

/**
 * Adds to a patch the entry of an answer, and that of the list that it is a page of.
 *
 * @param store The store.
 * @param patch What has the records of the answer.
 * @param action The answer.
 * @param result What remained of the response.
 * @param isMarked A record of it was marked stale after it was asked for.
 */
export function addAnswer(store: Store, patch: Patch, action: AnswerAction, result: unknown, isMarked: boolean): void {
  patch.dropLayers(action.released);
  const isBehind = Boolean(action.ticket?.isBehind);
  const isTooEarly = isBehind && store.sequence.hasMutations();
  const entry = nextEntry(store, patch, action, result, isMarked, isTooEarly);
  if (entry !== undefined) patch.addEntry(entry);
  const list = listEntry(store, patch, action, isMarked);
  if (list !== undefined) {
    if (isBehind || isMarked) patch.expire([list], 0, isTooEarly);
    else patch.addEntry(list);
  }
  markPages(patch, list ?? entry);
  if (isTooEarly) patch.behind = added(patch.behind, action.key);
}

/**
 * The entry after a read was answered.
 *
 * @param store The store.
 * @param patch What has the records of the answer, and what it stands on.
 * @param action The answer.
 * @param result What remained of the response.
 * @param isMarked See {@linkcode addAnswer}.
 * @param isTooEarly Mutations are in flight: to ask again would only be answered too early again.
 * @returns `undefined` when a later answer is there already.
 */
function nextEntry(
  store: Store,
  patch: Patch,
  action: AnswerAction,
  result: unknown,
  isMarked: boolean,
  isTooEarly: boolean,
): Entry | undefined {
  const { endpoint, key, seq, date, ticket } = action;
  const before = store.entries.get(key, endpoint);
  const isBehind = ticket?.isBehind ?? false;
  // The sequence number of a read behind a mutation does not tell when it started, and its entry is stale in any case.
  const isLate = !isBehind && (isMarked || (before !== undefined && seq < before.staleSeq));
  // What flew when it was invalidated has started anew: an invalid answer has nothing to be kept for.
  if (before?.hasResult) {
    if (before.seq > seq) return undefined;
    // The server may have answered before it did what the update shows: that stays, and is asked for again.
    if (before.updateSeq > seq) return void patch.expire([before], 0, isTooEarly);
  }
  const mark = before?.mark ?? 0;
  const expiresAt = isLate ? 0 : answerExpiry(store, action);
  // Of a list that was continued, this is the first page.
  const rows = pageRows(store, patch, endpoint.schema);
  const isContinued = before?.pages !== undefined || (listOf(action) === undefined && rows.kept(result) !== undefined);
  const paginated = isContinued
    ? withPage(
      endpoint.schema,
      before ?? emptyEntry(key, undefined, undefined),
      { key: "", own: "", seq, at: 0, result, expiresAt, cursor: [], isCounted: false, isMarked: false },
      rows,
    )
    : undefined;
  // Said later than this was asked for: it stays beside the answer, as long as it keeps the key from being fetched.
  const later = before !== undefined && before.error !== undefined && before.errorSeq > seq && !isBehind
    ? { error: before.error, errorPolicy: before.errorPolicy, errorSeq: before.errorSeq }
    : undefined;
  return {
    ...emptyEntry(key, before?.shape ?? shapeOf(endpoint), action.args),
    hasResult: true,
    seq,
    fetchedAt: date,
    expiresAt,
    lead: clock.lead(),
    ...paginated,
    ...(later !== undefined && { ...later, expiresAt: before!.expiresAt, lead: before!.lead }),
    result: keepResult(before, paginated === undefined ? result : paginated.result),
    staleSeq: before?.staleSeq ?? 0,
    updateSeq: before?.updateSeq ?? 0,
    at: store.sequence.event(),
    mark: isLate || (isBehind && !isTooEarly) ? mark + 1 : mark,
    memo: action.reply?.memo,
  };
}

/** The list that an answer is a page of. */
function listOf({ endpoint, args, key }: AnswerAction) {
  const list = endpoint.pageOf?.(args);
  const listKey = list?.endpoint.key(...list.args);
  // Without a cursor it is the list itself, and is written as that.
  return list && !(listKey === key && isSameShape(endpoint, list.endpoint)) ? { ...list, key: listKey! } : undefined;
}

/**
 * The entry of the list that an answer is a page of.
 *
 * @param store The store.
 * @param patch What has the records of the answer, and what remained of it.
 * @param action The answer of the page.
 * @param isMarked See {@linkcode addAnswer}.
 * @returns `undefined` when it is no page, or a later answer of it is there already.
 */
function listEntry(store: Store, patch: Patch, action: AnswerAction, isMarked: boolean): Entry | undefined {
  const { args, seq, date } = action;
  const { result } = patch;
  const list = listOf(action);
  if (list === undefined) return undefined;
  const before = store.entries.get(list.key, list.endpoint) ??
    emptyEntry(list.key, shapeOf(list.endpoint), list.args);
  const paginated = withPage(list.endpoint.schema, before, {
    key: list.page ?? action.key,
    own: action.key,
    seq,
    at: store.sequence.event(),
    result,
    expiresAt: answerExpiry(store, action),
    ...cursorOf(args, list.args),
    isMarked,
  }, pageRows(store, patch, list.endpoint.schema));
  if (paginated === undefined) return undefined;
  return {
    ...before,
    shape: before.shape ?? shapeOf(list.endpoint),
    args: list.args,
    fetchedAt: before.hasResult ? before.fetchedAt : date,
    hasResult: true,
    ...paginated,
    result: keepResult(before, paginated.result),
  };
}
