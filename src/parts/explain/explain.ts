import { clock } from "../../deps/clock.ts";
import { findIncomplete } from "../../denormalize/completeness.ts";
import type { AnyEndpoint, AnyReadable } from "../../endpoint/interface.ts";
import { type AnySchema, isSchemaObject } from "../../schemas/interface.ts";
import type { EntityRecord, Plan } from "../../schemas/plan.ts";
import { errorOf, hidesStale } from "../../store/freshness.ts";
import { isHidden } from "../../store/is_hidden.ts";
import { reasonOf } from "../../errors/reason.ts";
import { arrivedAt, type ResponseView, storedStamp } from "../../store/response_view.ts";
import type { Answer } from "../../store/entry.ts";
import { redactText } from "../secrets/redact_text.ts";
import { redactedIfKnown, redactedInAll } from "../secrets/redacted_by.ts";
import { describeError } from "../state/state.ts";
import type { Store } from "../../store/store.ts";
import type { Slot, Stamp } from "../../store/slot.ts";
import type { Controller } from "../../controller/controller.ts";
import type { NullableArgs } from "../../schemas/infer.ts";
import { type History, historyOf, type PastAction } from "./history.ts";
import { isInactive } from "../../controller/is_inactive.ts";
import { pick } from "../../schemas/subjects.ts";

/** What keeps an answer from being shown: one row, and what is wrong with it. */
export interface Gap {
  /** The key of the class that is not satisfied, or of the record that is not there. */
  readonly entity: string;
  /** Which row. */
  readonly pk: string;
  /** Where in the answer: `results[3]`; `""` for the answer itself. */
  readonly path: string;
  /** The required member that is missing or refused; `undefined` where it is the row itself. */
  readonly field: string | undefined;
  /** What `validate` said, or a sentence. */
  readonly reason: string;
}

/** Why a read is as it is: plain data, for a log or a panel. See `explain`. */
export interface Explanation {
  /** The name of the endpoint. */
  readonly endpoint: string;
  /** The key of the read; `""` when it is inactive. */
  readonly key: string;
  /**
   * - `"inactive"`: the first argument is `null`.
   * - `"missing"`: nothing is known of it, or a row that it refers to is not there.
   * - `"incomplete"`: a row does not satisfy its class.
   * - `"invalid"`: it was invalidated.
   * - `"failed"`: a reader is shown the error, or meets the one that `process` or `validate` throws.
   * - `"stale"`, `"fresh"`: there is data.
   */
  readonly state: "inactive" | "missing" | "incomplete" | "invalid" | "failed" | "stale" | "fresh";
  /** What it is read from: an answer of its own, the records that others brought, or neither. */
  readonly source: "answer" | "records" | "nothing";
  /** Whether a reader that comes now is shown data. */
  readonly isShown: boolean;
  /** Whether a reader that comes now asks the server. */
  readonly wouldFetch: boolean;
  /** Whether a request for it is in flight. */
  readonly isInFlight: boolean;
  /** When it was stored, in ms since 1970; `undefined`: it was not. */
  readonly fetchedAt: number | undefined;
  /** Until when it is fresh, in ms since 1970; 0 when it was marked stale; `null` for ever. */
  readonly expiresAt: number | null;
  /** What it last failed with, shown or not, or what reading it throws. */
  readonly error: { readonly name: string; readonly message: string; readonly status?: number } | undefined;
  /** What is missing, where it is missing or incomplete and something refers to it. */
  readonly gap: Gap | undefined;
  /** The action that made it so; known where the controller has `history()`, for the last 1,000 actions. */
  readonly because: PastAction | undefined;
  /** The same in words. */
  readonly text: string;
}

/**
 * Why a read is as it is: whether it would fetch and why, what is missing of it (class, row, field), which action made
 * it so. Plain data, for a log, a panel or a bug report. Causes are known where the controller has `history()`, and
 * for the last 1,000 actions.
 *
 * @param controller Whose read.
 * @param given Which endpoint.
 * @param givenArgs Its arguments; `null`: inactive.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity, explain, history } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   content = "";
 *   pk() {
 *     return this.id;
 *   }
 *   static key = "Article";
 *   static validate(record: Partial<Article>) {
 *     return record.content === undefined ? "content is missing" : undefined;
 *   }
 * }
 * const getArticle = new Endpoint(async (id: string) => await Promise.resolve({ id }), {
 *   name: "getArticle",
 *   schema: Article,
 * });
 * const controller = new Controller({ use: [history()] });
 * controller.set(Article, "5", { id: "5" });
 * const { state, wouldFetch, gap, because } = explain(controller, getArticle, "5");
 * assert(state === "incomplete" && wouldFetch);
 * assert(gap?.entity === "Article" && gap.pk === "5" && gap.reason === "content is missing");
 * assert(because?.type === "set");
 * ```
 */
export function explain<E extends AnyReadable>(
  controller: Controller,
  given: E,
  ...givenArgs: NullableArgs<E["~types"]["args"]>
): Explanation {
  const { store } = controller;
  if (isInactive(givenArgs)) return { ...INACTIVE, endpoint: given.name };
  const { endpoint, args, key } = store.callOf(given, givenArgs);
  const view = store.response(endpoint, args, key);
  const { answer, isThrown } = read(store, view);
  const expiresAt = view.expiresAt();
  const isStale = clock.now() >= expiresAt;
  const isCallable = !isSchemaObject(endpoint) && !endpoint.sideEffect;
  const isInFlight = isCallable && controller.findRead(endpoint as unknown as AnyEndpoint, key) !== undefined;
  const isUndecided = isCallable && !answer.hasData && !isThrown && isHidden(store, view);
  const shownError = isThrown ? answer.error : isUndecided ? undefined : errorOf(answer, view);
  const gap = answer.hasData || view.entry?.isInvalid || isThrown ? undefined : gapOf(store, view, args);
  const state = stateOf(answer, shownError, gap, isStale, view.entry?.isInvalid);
  const stamp = storedStamp(view);
  const names = redactedIfKnown(store, endpoint.schema);
  const failure = answer.error === undefined ? undefined : describeError(answer.error);
  const because = isUndecided
    ? undefined
    : causeOf(store, historyOf(controller), view, isThrown ? undefined : state, stamp, gap);
  const found = {
    endpoint: endpoint.name,
    key: redactText(key, names, args),
    state,
    source: stamp === undefined ? "nothing" as const : stamp === view.entry ? "answer" as const : "records" as const,
    isShown: answer.hasData && !(isStale && hidesStale(endpoint, store.defaults)),
    wouldFetch: isCallable && !isInFlight && !isThrown && !isUndecided &&
      (isStale || (!answer.hasData && answer.error === undefined)),
    isInFlight,
    fetchedAt: arrivedAt(view),
    expiresAt: expiresAt === Infinity ? null : expiresAt,
    error: failure && { ...failure, message: redactText(failure.message, names, args) },
    gap,
    because: because?.key === undefined
      ? because
      : { ...because, key: redactText(because.key, redactedInAll(store), args) },
  };
  return { ...found, text: inWords(found, isUndecided) };
}

const INACTIVE: Explanation = {
  endpoint: "",
  key: "",
  state: "inactive",
  source: "nothing",
  isShown: false,
  wouldFetch: false,
  isInFlight: false,
  fetchedAt: undefined,
  expiresAt: null,
  error: undefined,
  gap: undefined,
  because: undefined,
  text: "The first argument is null: nothing is read",
};

/** The answer; what the code of the app throws meanwhile is the error of one that has nothing else. */
function read({ graph }: Store, view: ResponseView): { readonly answer: Answer; readonly isThrown: boolean } {
  try {
    return { answer: view.read(graph), isThrown: false };
  } catch (reason) {
    const error = reason ?? new Error(reasonOf(reason));
    return { answer: { data: undefined, hasData: false, error, mark: 0 }, isThrown: true };
  }
}

function stateOf(
  answer: Answer,
  error: unknown,
  gap: Gap | undefined,
  isStale: boolean,
  isInvalid = false,
): Explanation["state"] {
  // A request since the invalidation has failed: that is what a reader is shown.
  if (error !== undefined) return "failed";
  if (answer.hasData) return isStale ? "stale" : "fresh";
  if (isInvalid) return "invalid";
  return gap === undefined || gap.reason === NOT_THERE ? "missing" : "incomplete";
}

const NOT_THERE = "it is not there";

/** The first thing that is missing of an answer, or of what its arguments name. */
function gapOf(store: Store, { endpoint, entry }: ResponseView, args: readonly unknown[]): Gap | undefined {
  const { schema } = endpoint;
  const result = entry?.hasResult ? entry.result : store.graph.queryKey(schema, args, []);
  if (result === undefined || isSchemaObject(endpoint)) return undefined;
  const read = (plan: Plan, pk: string): EntityRecord | null | undefined => {
    const slot = slotOf(store, plan, pk);
    // Where it is read in place of an answer, something that was never here is asked for, too.
    return slot?.rec ?? (!entry?.hasResult || slot?.isDeleted ? null : undefined);
  };
  const absent = findAbsent(store, schema, result);
  if (absent !== undefined) return absent;
  const failure = findIncomplete(schema, result, read);
  if (failure === undefined) return undefined;
  const { entity, pk, path, field, reason } = failure;
  return { entity, pk, path, field, reason: typeof reason === "string" ? reason : "validate() refused it" };
}

/** The first row that an answer needs and that is not there. Arrays need none: they leave it out. */
function findAbsent(store: Store, schema: AnySchema, result: unknown): Gap | undefined {
  const stack: { schema: AnySchema; value: unknown; path: string }[] = [{ schema, value: result, path: "" }];
  while (stack.length > 0) {
    const { schema, value, path } = stack.pop()!;
    const picked = pick(schema, value);
    if (picked !== undefined) {
      const [entity, reference] = picked;
      if (typeof reference === "object") continue;
      const pk = String(reference);
      if (slotOf(store, store.graph.planOf(entity), pk)?.rec === undefined) {
        return { entity: entity.key, pk, path, field: undefined, reason: NOT_THERE };
      }
    } else if (isMembers(schema) && typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(schema).reverse()) {
        if (!Object.hasOwn(value, name)) continue;
        const below = (value as Record<string, unknown>)[name];
        stack.push({ schema: member as AnySchema, value: below, path: path === "" ? name : `${path}.${name}` });
      }
    }
  }
  return undefined;
}

function isMembers(schema: AnySchema): schema is Record<string, AnySchema> {
  return typeof schema === "object" && schema !== null && !Array.isArray(schema) && !isSchemaObject(schema);
}

/** The slot of a record, if there is one: to ask for an explanation makes none. */
function slotOf({ tables }: Store, plan: Plan, pk: string): Slot | undefined {
  return tables.find(tables.of(plan), pk);
}

/** The action that made a read what it is. */
function causeOf(
  store: Store,
  history: History | undefined,
  { entry, key }: ResponseView,
  state: Explanation["state"] | undefined,
  stamp: Stamp | undefined,
  gap: Gap | undefined,
): PastAction | undefined {
  if (history === undefined) return undefined;
  if (state === "invalid") return history.at(entry!.staleSeq);
  if (state === "failed") return history.last(key, "setError");
  if (gap !== undefined) {
    const { stamp } = slotBehind(store, gap) ?? {};
    return stamp === undefined || stamp.isNever ? history.lossOf(key) : history.at(stamp.seq);
  }
  if (stamp === undefined) return history.lossOf(key);
  const isMarked = state === "stale" && entry !== undefined && entry.staleSeq > stamp.seq;
  return history.at(isMarked ? entry.staleSeq : stamp.seq);
}

/** The row that is at fault: the one of the gap, or what its required field refers to. */
function slotBehind(store: Store, { entity, pk, field }: Gap): Slot | undefined {
  let table = store.tables.byKey.get(entity);
  let slot = table?.slots.get(pk);
  for (const name of field?.split(".") ?? []) {
    const schema = table?.plans.flatMap(({ fields }) => fields.links).find((link) => link.name === name)?.schema;
    const picked = schema === undefined ? undefined : pick(schema, slot?.rec?.[name]);
    if (picked === undefined) break;
    table = store.tables.of(store.graph.planOf(picked[0]));
    slot = table.slots.get(String(picked[1]));
  }
  return slot;
}

function inWords(found: Omit<Explanation, "text">, isUndecided: boolean): string {
  const { endpoint, gap, error, because, fetchedAt, expiresAt, isInFlight, wouldFetch } = found;
  const words = (): string => {
    if (isUndecided) return "a pending mutation takes it away, and nothing is asked for before the server has decided";
    switch (found.state) {
      case "invalid":
        return "it was invalidated, and nothing is shown before it is fetched again";
      case "failed":
        return `it failed with ${error!.name}: ${error!.message}`;
      case "missing":
        return gap === undefined ? "nothing is known of it" : `${gap.entity} "${gap.pk}"${within(gap)}: ${gap.reason}`;
      case "incomplete":
        return `${gap!.entity} "${gap!.pk}"${within(gap!)} does not satisfy its class: ${gap!.reason}`;
      case "stale":
        return expiresAt === 0 ? "it was marked stale" : `it was fresh until ${timeOf(expiresAt)}`;
      default:
        return `it is of ${timeOf(fetchedAt ?? null)} and fresh until ${timeOf(expiresAt)}`;
    }
  };
  const cause = because === undefined
    ? ""
    : ` (${because.type}${because.name === undefined ? "" : ` of "${because.name}"`})`;
  const next = isInFlight ? "; a request is in flight" : wouldFetch ? "; whoever reads it now asks for it" : "";
  return `"${endpoint}" is ${found.state}: ${words()}${cause}${next}`;
}

function within({ path }: Gap): string {
  return path === "" ? "" : ` at ${path}`;
}

function timeOf(ms: number | null): string {
  try {
    return ms === null ? "for ever" : new Date(ms).toISOString();
  } catch {
    return reasonOf(ms);
  }
}
