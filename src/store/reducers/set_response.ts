import { findIncomplete } from "../../denormalize/completeness.ts";
import { recordsNamed } from "../../schemas/subjects.ts";
import { check } from "../../errors/checks.ts";
import { isInstance } from "../../errors/is_instance.ts";
import { NormalizeError } from "../../errors/normalize_error.ts";
import { said } from "../../errors/texts.ts";
import type { MutationReply } from "../../endpoint/interface.ts";
import { Walk } from "../../normalize/walk.ts";
import { copyPlain } from "../../endpoint/copy_plain.ts";
import { type AnySchema, isEntity, isSchemaObject } from "../../schemas/interface.ts";
import { Tagged } from "../../schemas/subjects.ts";
import { entriesHolding, entriesLosing, isOvertaken, ownersIn, whereShown } from "../holders.ts";
import { snapshotOf } from "../layers.ts";
import { markShifted } from "../pages.ts";
import type { Patch } from "../patch.ts";
import type { Plan } from "../../schemas/plan.ts";
import { isListOf } from "../lists_of.ts";
import type { Store } from "../store.ts";
import { listsOf, type Named, recordsOfCall } from "../subject.ts";
import type { warnOfReply } from "../warnings.ts";
import { applyUpdate } from "./apply_update.ts";
import { addAnswer, type AnswerAction, answerPatch } from "./next_entry.ts";

/** A server answered, or somebody says what it would have answered. */
export interface SetResponseAction extends AnswerAction {
  readonly type: "setResponse";
  readonly response: unknown;
  /** A stream said so. While mutations were in flight, `mark` marks what nobody knows. */
  readonly heard?: { mark?(store: Store, patch: Patch): void } | undefined;
}

/**
 * Writes a response: records at their sequence number, the entry of a read, and the end of a layer, all in one patch.
 *
 * @throws {NormalizeError} If the response has another shape than the schema declares.
 * @throws {ValidationError} If the answer of a read does not satisfy its own class.
 */
export function reduceSetResponse(store: Store, action: SetResponseAction): Patch {
  const { endpoint, args, seq, date, ticket } = action;
  const { schema } = endpoint;
  const patch = answerPatch(store, action);
  const isMutation = Boolean(endpoint.sideEffect);
  const { aliases } = store.tables;
  if (ticket === undefined) aliases?.refuse(action.response, schema);
  let reply: MutationReply = isMutation && endpoint.readReply !== undefined
    ? endpoint.readReply(action.response, args, snapshotOf(patch, date))
    : { value: action.response };
  patch.value = reply.given ?? (reply.value instanceof Tagged ? reply.value.value : reply.value);
  for (const sent of reply.sent ?? []) patch.addSent(store.graph.planOf(sent.entity), sent, args);
  // What a request has brought is nobody else's; what was given by hand, or by a function of the app, may be.
  const isGiven = ticket === undefined || endpoint.fetchReply === undefined;
  // It is to say what it has deleted, and nobody reads that from its arguments.
  const isDelete = isMutation && endpoint.readReply === undefined && isSchemaObject(schema) && schema.answersGiven;
  if (schema === undefined) {
    patch.result = isGiven ? copyPlain(reply.value) : reply.value;
    // Nobody reads what a mutation answers but who made it.
    patch.value = isMutation ? reply.value : patch.result;
  } else if (reply.value !== undefined || !isMutation || isDelete) {
    const walk = new Walk(reply.value, args, patch);
    if (isGiven) walk.copy = copyPlain;
    try {
      // Taken as an answer, it would be one that shows nothing, and whoever reads it would ask for ever.
      if (reply.value === undefined) {
        throw walk.fail(schema, said(314));
      }
      if (reply.value === null && isDelete) {
        throw walk.fail(schema, said(202, { value: null }));
      }
      // A bare pk says nothing of its record: what was sent does.
      const isBare = typeof reply.value === "string" && reply.sent !== undefined;
      patch.result = isBare && isEntity(schema) ? reply.value : walk.run(schema);
      if (!isMutation) patch.omitUnsaid(action.key);
    } catch (error) {
      throw inAnswer(error, action);
    }
    if (walk.suspect) {
      const failure = findIncomplete(schema, patch.result, (plan, pk) => patch.lookUp(plan, pk));
      if (failure !== undefined && !isMutation) throw failure;
      // Lists leave it out, and their own answers may say what it lacks.
      if (failure !== undefined) reply = { ...reply, stale: true };
    }
  }
  patch.isAnswer = !isMutation;
  patch.overlaps = isMutation && ticket !== undefined;
  const { heard } = action;
  heard?.mark?.(store, patch);
  if (isMutation) {
    const named = recordsOfCall(store, schema, args);
    const slots = named.flatMap(([plan, pk]) => patch.find(plan, pk) ?? []);
    const sent = args.length > 1 ? args[1] : args[0];
    if (heard === undefined) patch.lists?.judge(store, schema, sent, new Set(slots));
    markWritten(store, patch, action, reply, named);
    markShifted(store, patch, heard ? 0 : ticket?.startedAt ?? Infinity);
    if (action.layer && aliases) patch.names = aliases.given(patch, action.layer);
  } else {
    const isMarked = patch.keepMarks() || patch.stale.size > 0 || patch.lists?.isInDoubt === true ||
      isOvertaken(patch, args);
    addAnswer(store, patch, action, patch.result, isMarked);
    if (patch.stale.size > 0) markOwners(store, patch);
    patch.lists?.mark(seq);
  }
  if (!isMutation || schema === undefined || reply.value !== undefined) applyUpdate(store, patch, action);
  return patch.seal();
}

/** An answer refers to what is marked stale: so do, from now on, the older answers that hold the same records. */
function markOwners(store: Store, patch: Patch): void {
  const { stamp: { seq }, entries: own } = patch;
  const older = entriesHolding(store, ownersIn(store, patch)).filter((entry) =>
    entry.seq < seq && entry.expiresAt > 0 && !own.some(({ key }) => key === entry.key)
  );
  patch.expire(older, 0, store.sequence.hasMutations());
}

/** The same error with the request whose answer it was: the key of a REST call is its method and URL. */
function inAnswer(error: unknown, { endpoint, key }: SetResponseAction): unknown {
  if (!isInstance(error, NormalizeError)) return error;
  // That of another mutation holds what was sent, such as a password.
  const call = endpoint.sideEffect ? key.split(" [", 1)[0] : key;
  const { subject, path, problem, code } = error;
  return Object.assign(new NormalizeError(subject, path, `${problem} (in the answer to ${call})`, { cause: error }), {
    code,
  });
}

/**
 * Marks stale what a mutation only guessed, and what it wrote while another mutation of the same record was in flight. The
 * mark has a sequence number of its own: what was asked for before, and lands later, is stale, too.
 *
 * @param named The records that the call names.
 */
function markWritten(
  store: Store,
  patch: Patch,
  action: SetResponseAction,
  reply: MutationReply,
  named: readonly Named[],
): void {
  const { endpoint, ticket, seq } = action;
  const mark = patch.mark = store.sequence.take();
  patch.settleSent();
  const { result } = patch;
  const doubted = reply.stale
    ? recordsNamed(endpoint.schema, result).map(([entity, pk]) => ({ entity, pk, isStale: true }))
    : [];
  // What is in flight may bring one that nobody knew.
  const mayCome = patch.oldest < mark;
  const find = (plan: Plan, pk: string) => mayCome ? patch.slot(plan, pk) : patch.find(plan, pk);
  for (const { entity, pk, isStale = reply.stale } of [...doubted, ...reply.sent ?? []]) {
    const slot = isStale ? find(store.graph.planOf(entity), pk) : undefined;
    if (slot !== undefined) patch.markStale(slot);
  }
  // Its reply names no record: what it did to those that it was called with, nobody knows.
  if ((result ?? undefined) === undefined || (isEntity(endpoint.schema) && typeof result !== "string")) {
    for (const [plan, pk] of named) {
      const slot = find(plan, pk);
      if (slot !== undefined && (mayCome || slot.rec !== undefined)) patch.markStale(slot);
    }
  }
  if (ticket !== undefined) {
    const crossed = [...store.overlaps].filter(([, { at }]) => at > ticket.startedAt);
    for (const slot of patch.touched) {
      const overlap = store.overlaps.get(slot);
      const isSame = slot.stamp.expiresAt > 0 && store.baseOf(slot)?.items === patch.baseOf(slot)?.items;
      const rows = isSame ? undefined : slot.table.plans[0]?.rows;
      // Sent after one that stands behind it in the order of writes: the server has applied them the other way round.
      if (
        (overlap !== undefined && (overlap.at > ticket.startedAt || overlap.seq > seq)) ||
        (store.marks.get(slot) ?? 0) > seq ||
        // A list that has other rows now, was stale, or was not known: such a one may have changed it, too.
        (rows && crossed.some(([{ table: { key } }]) => isListOf([rows.item] as AnySchema, key)))
      ) patch.markStale(slot);
    }
  }
  // Nothing is named that could be judged, or not what was made inside of it.
  const isUnnamed = reply.expire && (reply.value ?? undefined) === undefined;
  const lists = listsOf(store, isUnnamed ? endpoint.schema : patch.unnamed, () => false);
  for (const slot of lists.rows) patch.lists?.doubt(slot);
  for (const table of lists.tables) patch.lists?.doubtLater(table, mark);
  const stale = new Set([
    ...entriesLosing(store, patch),
    ...patch.stale.size > 0 ? entriesHolding(store, ...whereShown(store, patch)) : [],
    ...patch.lists?.settle(store, mark) ?? [],
    ...reply.expire === undefined ? [] : store.matchingEntries(reply.expire),
  ]);
  patch.expire(stale, mark, action.isFollowed);
  if (store.strict) check<typeof warnOfReply>("reply", store, endpoint.name, reply);
}
