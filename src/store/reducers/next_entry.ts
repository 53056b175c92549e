import type { AnyEndpoint, CallReply } from "../../endpoint/interface.ts";
import { emptyEntry, type Entry, isSameShape, keepResult } from "../entry.ts";
import { dataExpiry } from "../freshness.ts";
import { pageRows } from "../page_rows.ts";
import { cursorOf, markPages, withPage } from "../pages.ts";
import { type Ended, type Patch, patchAt, type Placed } from "../patch.ts";
import type { Ticket } from "../sequence.ts";
import { added } from "../shared_empty.ts";
import type { Store } from "../store.ts";

/** What a reply says beside its value. */
export type ReplyDetails = Pick<CallReply, "memo" | "dataExpiryLength" | "note">;

/** What becomes of a call. */
export interface CallAction extends Placed, Ended {
  readonly endpoint: AnyEndpoint;
  readonly args: readonly unknown[];
  readonly key: string;
  /** The request that is over; without one it was said by hand. */
  readonly ticket?: Ticket | undefined;
}

/** What all answers have in common, whether they bring data or say that nothing has changed. */
export interface AnswerAction extends CallAction {
  /** What the reply said beside its value. */
  readonly reply?: ReplyDetails | undefined;
  /** Which part brought it, from a disk or another window; `undefined`: the network, or the app by hand. */
  readonly origin?: string | undefined;
  /** Another mutation of its scope is on its way, or waits: what is asked now would be asked again after that. */
  readonly isFollowed?: boolean | undefined;
}

/** A patch for the records of an answer, and what stands with it. */
export function answerPatch(store: Store, action: AnswerAction): Patch {
  const patch = patchAt(store, action, answerExpiry(store, action));
  patch.dropLayers(action);
  return patch;
}

/** Until when the records of an answer are fresh. */
function answerExpiry({ defaults, entries }: Store, action: AnswerAction): number {
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
 * @param patch What has the records of the answer, and its stamp.
 * @param action The answer.
 * @param result What remained of the response.
 * @param isMarked A record of it was marked stale after it was asked for.
 */
export function addAnswer(store: Store, patch: Patch, action: AnswerAction, result: unknown, isMarked: boolean): void {
  const isBehind = Boolean(action.ticket?.isBehind);
  // While mutations are in flight, to ask again would only be answered too early again.
  const isTooEarly = isBehind && store.sequence.hasMutations();
  const list = listOf(action);
  const own = nextEntry(store, patch, action, result, isMarked, isTooEarly, list !== undefined);
  const whole = list && listEntry(store, patch, action, result, isMarked, list);
  for (const entry of [own, whole]) {
    if (entry === undefined) continue;
    if (isBehind || isMarked || (entry === own && own.seq < own.staleSeq)) patch.expire([entry], 0, isTooEarly);
    else patch.addEntry(entry);
  }
  markPages(patch, whole ?? own);
  // Also where a later answer is there already: that may be stale, and this was to mend it.
  if (isTooEarly) patch.behind = added(patch.behind, action.key);
}

/** The entry after a read was answered; `undefined` when a later answer is there already. */
function nextEntry(
  store: Store,
  patch: Patch,
  { endpoint, args, key, ticket, reply }: AnswerAction,
  result: unknown,
  isMarked: boolean,
  isTooEarly: boolean,
  isPage: boolean,
): Entry | undefined {
  const { seq } = patch.stamp;
  const before = store.entries.present(key, endpoint, args);
  const { staleSeq, updateSeq, mark, error, errorPolicy, errorSeq } = before;
  // What flew when it was invalidated has started anew: an invalid answer has nothing to be kept for.
  if (before.hasResult) {
    if (before.seq > seq) return undefined;
    // The server may have answered before it did what the update shows: that stays, and is asked for again.
    if (updateSeq > seq) return void patch.expire([before], 0, isTooEarly);
  }
  const expiresAt = isMarked ? 0 : patch.stamp.expiresAt;
  // Of a list that was continued, this is the first page.
  const rows = pageRows(store, patch, endpoint.schema);
  const page = { key: "", own: "", seq, at: 0, result, expiresAt, cursor: [], isCounted: false, isMarked: false };
  const isContinued = before.pages !== undefined || (!isPage && rows.kept(result) !== undefined);
  const paginated = isContinued ? withPage(endpoint.schema, before, page, rows) : undefined;
  // Said later than this was asked for: it stays beside the answer, as long as it keeps the key from being fetched. The
  // sequence number of a read behind a mutation does not tell when it was asked for.
  const isErrorLater = error !== undefined && errorSeq > seq && !ticket?.isBehind;
  return {
    ...emptyEntry(key, before.shape, args),
    ...patch.stamp,
    expiresAt,
    hasResult: true,
    ...paginated,
    ...isErrorLater && { error, errorPolicy, errorSeq, expiresAt: before.expiresAt, lead: before.lead },
    result: keepResult(before, paginated === undefined ? result : paginated.result),
    staleSeq,
    updateSeq,
    at: store.sequence.event(),
    mark,
    memo: reply?.memo,
  };
}

/** The list that an answer is a page of, and its key. */
function listOf({ endpoint, args, key }: AnswerAction) {
  const list = endpoint.pageOf?.(args);
  const listKey = list?.endpoint.key(...list.args);
  // Without a cursor it is the list itself, and is written as that.
  return list && !(listKey === key && isSameShape(endpoint, list.endpoint)) ? { ...list, key: listKey! } : undefined;
}

/** The entry of the list that an answer is a page of; `undefined` when a later answer of the page is there already. */
function listEntry(
  store: Store,
  patch: Patch,
  action: AnswerAction,
  result: unknown,
  isMarked: boolean,
  { endpoint, args, key, page = action.key }: NonNullable<ReturnType<typeof listOf>>,
): Entry | undefined {
  const { seq, fetchedAt, expiresAt } = patch.stamp;
  const before = store.entries.present(key, endpoint, args);
  const paginated = withPage(endpoint.schema, before, {
    key: page,
    own: action.key,
    seq,
    at: store.sequence.event(),
    result,
    expiresAt,
    ...cursorOf(action.args, args),
    isMarked,
  }, pageRows(store, patch, endpoint.schema));
  return paginated && {
    ...before,
    args,
    fetchedAt: before.hasResult ? before.fetchedAt : fetchedAt,
    hasResult: true,
    ...paginated,
    result: keepResult(before, paginated.result),
  };
}
