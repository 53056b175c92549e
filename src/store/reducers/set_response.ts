import { findIncomplete } from "../../denormalize/completeness.ts";
import { NormalizeError } from "../../errors/normalize_error.ts";
import type { AnyEndpoint, MutationReply } from "../../endpoint/interface.ts";
import { Walk } from "../../normalize/walk.ts";
import { isEntity } from "../../schemas/interface.ts";
import { emptyEntry, type Entry, keepResult, shapeOf } from "../entry.ts";
import { dataExpiry, staleEntry } from "../freshness.ts";
import { type Layer, snapshotOf } from "../layers.ts";
import { Patch } from "../patch.ts";
import type { Ticket } from "../places.ts";
import type { Store } from "../store.ts";
import type { Slot } from "../tables.ts";

/** A server answered, or somebody says what it would have answered. */
export interface SetResponseAction {
  readonly type: "setResponse";
  readonly endpoint: AnyEndpoint;
  readonly args: readonly unknown[];
  readonly key: string;
  readonly response: unknown;
  readonly place: number;
  readonly date: number;
  /** The request that was answered; without one it was said by hand. */
  readonly ticket?: Ticket | undefined;
  /** What the mutation showed until now. */
  readonly layer?: Layer | undefined;
}

/**
 * Writes a response: records at their place, the entry of a read, and the end of a layer, all in one patch.
 *
 * @throws {NormalizeError} If the response has another shape than the schema declares.
 * @throws {ValidationError} If the answer of a read does not satisfy its own class.
 */
export function reduceSetResponse(store: Store, action: SetResponseAction): Patch {
  const { endpoint, args, place, date, ticket } = action;
  const { schema } = endpoint;
  // The server may have answered a read behind a mutation before it applied that one.
  const expiresAt = ticket?.isBehind ? 0 : dataExpiry(endpoint, date);
  const patch = new Patch(store, { place, fetchedAt: date, expiresAt }, store.places.oldest());
  const isMutation = Boolean(endpoint.sideEffect);
  const reply: MutationReply = isMutation && endpoint.readReply !== undefined
    ? endpoint.readReply(action.response, args, snapshotOf(patch))
    : { value: action.response };
  patch.value = reply.value;
  if (schema === undefined) patch.result = reply.value;
  else if (reply.value !== undefined || !isMutation) {
    const walk = new Walk(reply.value, args, patch);
    try {
      // Taken as an answer, it would be one that shows nothing, and whoever reads it would ask for ever.
      if (reply.value === undefined) {
        throw walk.fail(schema, "expected a value, got undefined; null is an empty answer");
      }
      patch.result = walk.run(schema);
    } catch (error) {
      throw inAnswer(error, action.key);
    }
    if (!isMutation && walk.suspect) {
      const failure = findIncomplete(schema, patch.result, (plan, pk) => patch.recordOf(plan, pk));
      if (failure !== undefined) throw failure;
    }
  }
  if (isMutation) {
    markWritten(store, patch, action, reply);
    if (action.layer !== undefined) patch.layers = patch.layers.filter((layer) => layer !== action.layer);
  } else {
    const entry = nextEntry(store, action, patch.result);
    if (entry !== undefined) patch.entries.push(entry);
  }
  if (ticket?.isBehind && store.places.hasMutations()) patch.behind = action.key;
  return patch.seal();
}

/** The same error with the request whose answer it was: the key of a REST call is its method and URL. */
function inAnswer(error: unknown, key: string): unknown {
  if (!(error instanceof NormalizeError)) return error;
  const { subject, path, problem } = error;
  return new NormalizeError(subject, path, `${problem} (in the answer to ${key})`, { cause: error });
}

/** The entry after a read was answered; `undefined` when a later answer is there already. */
function nextEntry(store: Store, action: SetResponseAction, result: unknown): Entry | undefined {
  const { endpoint, key, place, date, ticket } = action;
  const before = store.entries.get(key, endpoint);
  const isBehind = ticket?.isBehind ?? false;
  // The place of a read behind a mutation does not tell when it started, and its entry is stale in any case.
  const isLate = before !== undefined && !isBehind && place < before.stalePlace;
  // What flew when it was invalidated has started anew: an invalid answer has nothing to be kept for.
  if (before !== undefined && before.hasResult && !before.isInvalid && before.place > place) return undefined;
  const mark = before?.mark ?? 0;
  return {
    ...emptyEntry(key, before?.shape ?? shapeOf(endpoint)),
    hasResult: true,
    result: keepResult(before, result),
    place,
    fetchedAt: date,
    expiresAt: isLate || isBehind ? 0 : dataExpiry(endpoint, date),
    stalePlace: before?.stalePlace ?? 0,
    // While mutations are in flight, to ask again would only be answered too early again.
    mark: isLate || (isBehind && !store.places.hasMutations()) ? mark + 1 : mark,
  };
}

/** Marks stale what a mutation only guessed, and what it wrote while another mutation of the same record was in flight. */
function markWritten(store: Store, patch: Patch, action: SetResponseAction, reply: MutationReply): void {
  const { endpoint, ticket, place } = action;
  if (reply.stale && isEntity(endpoint.schema) && typeof patch.result === "string") {
    const slot = patch.find(store.graph.planOf(endpoint.schema), patch.result);
    if (slot !== undefined) patch.stale.add(slot);
  }
  if (ticket !== undefined) {
    for (const slot of patch.written()) {
      if ((store.overlaps.get(slot) ?? 0) > ticket.startedAt) patch.stale.add(slot);
    }
  }
  const stale = new Set<Entry>();
  for (const slot of patch.stale) for (const entry of store.entriesHolding(slot)) stale.add(entry);
  if (reply.expire !== undefined) { for (const entry of store.matchingEntries(reply.expire)) stale.add(entry); }
  for (const entry of stale) patch.entries.push(staleEntry(entry, place));
  if (reply.warning !== undefined) store.warnOnce(`reply of ${endpoint.name}`, () => reply.warning!);
}

/** Remembers what a mutation wrote while others were in flight. Called after its commit, when it has settled. */
export function noteOverlaps(store: Store, slots: Iterable<Slot>): void {
  if (!store.places.hasMutations()) return;
  const now = store.places.event();
  for (const slot of slots) store.overlaps.set(slot, now);
}
