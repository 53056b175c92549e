import { dataExpiry, staleEntry } from "../freshness.ts";
import { markShifted } from "../pages.ts";
import { type Patch, patchAt, type Placed } from "../patch.ts";
import type { Store } from "../store.ts";
import { define, isRecord } from "../../normalize/record.ts";
import { nameOf, pick } from "../../schemas/subjects.ts";
import { Walk } from "../../normalize/walk.ts";
import { NormalizeError } from "../../errors/normalize_error.ts";
import { type Problem, said } from "../../errors/texts.ts";
import { type AnyEntity, type AnySchema, isEntity, isSchemaObject } from "../../schemas/interface.ts";
import { copyPlain } from "../../endpoint/copy_plain.ts";
import type { EntityRecord, Plan } from "../../schemas/plan.ts";

/** A value is written by hand: `controller.set`. */
export interface SetAction extends Placed {
  readonly type: "set";
  readonly schema: AnySchema;
  readonly args: readonly unknown[];
  /** The value, or what makes it of the present one. */
  readonly value: unknown;
  /** A stream said it. */
  readonly heard?: object | undefined;
  /** Computes it, where a stream said it while mutations were in flight. */
  reduce?(store: Store, action: SetAction): Patch;
  /** Which part brought it, from a disk or another window; `undefined`: the app by hand. */
  readonly origin?: string | undefined;
}

/** Writes a value. What is given for an entity may leave out what the arguments say. */
export function reduceSet(store: Store, action: SetAction): Patch {
  return writeValue(store, action, action.seq).seal();
}

/** Writes it at a sequence number; what it is to be besides is up to the caller, who seals it. */
export function writeValue(store: Store, action: SetAction, seq: number): Patch {
  const { aliases } = store.tables;
  const { schema, date } = action;
  const args = aliases?.resolve(action.args) ?? action.args;
  const item = isSchemaObject(schema) && schema.pick !== undefined ? schema : undefined;
  const isFunction = typeof action.value === "function";
  if (item !== undefined && isFunction) {
    // Of several entities the one that the arguments name: what a function changes is written member by member.
    const named = pick(item, store.graph.queryKey(item, args, []));
    if (named !== undefined) return writeValue(store, { ...action, schema: named[0] }, seq);
  }
  const present = isFunction ? store.graph.query(schema, args).read(store.graph) : undefined;
  const patch = patchAt(store, { seq, date }, dataExpiry({}, store.defaults, date));
  const given: unknown = isFunction ? (action.value as (present: unknown) => unknown)(present) : action.value;
  // What differs from the present entity is told by identity: there, only that is copied.
  const own = isFunction && (present === undefined || !isEntity(schema)) ? copyPlain(given) : given;
  const value = aliases?.resolve(own) ?? own;
  aliases?.refuse([args, value], schema);
  if (value === undefined) return patch;
  if (isEntity(schema)) patch.result = setEntity(store, patch, schema, args, value, present);
  else {
    patch.needsPk = true;
    const input = item !== undefined && isRecord(value) ? withArgs(value, args) : value;
    patch.result = new Walk(input, args, patch).run(schema);
    if (item !== undefined && pick(item, patch.result) === undefined) {
      throw new NormalizeError(nameOf(schema), "", said(312));
    }
  }
  judgeSet(store, patch, action);
  return patch;
}

/** Lists follow what is set by hand, as they follow a mutation. */
function judgeSet(store: Store, patch: Patch, { heard, schema, value, seq }: SetAction): void {
  // What a stream says judges nothing: it is no more than a read.
  if (heard === undefined) patch.lists?.judge(store, schema, value);
  for (const entry of patch.lists?.settle(store, seq) ?? []) {
    // A stream says something many times a minute: to ask after each would be too much.
    patch.addEntry(staleEntry(entry, seq, heard !== undefined));
  }
  if (heard !== undefined) markShifted(store, patch, 0);
}

/** Gives the pk. */
function setEntity(
  { graph }: Store,
  patch: Patch,
  entity: AnyEntity,
  args: readonly unknown[],
  value: unknown,
  present: unknown,
): string {
  const plan = graph.planOf(entity);
  if (!isRecord(value) || typeof value.then === "function") {
    throw refusal(plan, said(309));
  }
  const named = graph.pkOf(plan, args);
  const stored = named === undefined ? undefined : patch.recordOf(plan, named);
  const input = withArgs(value, args, stored);
  const own = graph.pkIn(plan, input, args);
  if (own !== undefined && named !== undefined && named !== own) {
    throw refusal(plan, said(310, { named, own }));
  }
  const pk = own ?? named;
  // Arguments that are a pk by itself say which record it is, but not which member of it: that, the record must know.
  if (pk === undefined || (own === undefined && stored === undefined)) {
    throw refusal(plan, said(311));
  }
  if (present !== undefined) {
    // With what names it: only a layer may show it, or a delete that is in flight may turn out to stand before this.
    const changes = withArgs(copyPlain(changesOf(value, present as EntityRecord)), args, stored);
    new Walk(changes, args, patch).put(plan, pk, changes);
  } else if (own === undefined || !plan.hasProcess) {
    // Which record it is, is known: to ask for its pk once more would cost a tenth of a write.
    new Walk(input, args, patch).put(plan, pk, input);
  } else {
    new Walk(input, args, patch).run(entity);
  }
  return pk;
}

function refusal(plan: Plan, reason: Problem): NormalizeError {
  return new NormalizeError(`"${plan.key}"`, "", reason);
}

/** The members that differ from what the function was given: a spread instance must not turn defaults into data. */
function changesOf(value: EntityRecord, present: EntityRecord): EntityRecord {
  const changes: Record<string, unknown> = {};
  for (const name of Object.keys(value)) if (value[name] !== present[name]) define(changes, name, value[name]);
  return changes;
}

/** The value with members of the first argument that it leaves out; as they are stored: `5` may stand for `"5"`. */
function withArgs(value: EntityRecord, args: readonly unknown[], stored?: EntityRecord): EntityRecord {
  const first = args[0] as EntityRecord;
  if (typeof first !== "object" || first === null) return value;
  let whole: Record<string, unknown> | undefined;
  for (const name in first) {
    if (value[name] !== undefined || first[name] === undefined || !Object.hasOwn(first, name)) continue;
    define(whole ??= { ...value }, name, stored?.[name] ?? copyPlain(first[name]));
  }
  return whole ?? value;
}
