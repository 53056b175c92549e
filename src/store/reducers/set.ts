import { dataExpiry } from "../freshness.ts";
import { Patch } from "../patch.ts";
import type { Store } from "../store.ts";
import { define } from "../../normalize/record.ts";
import { Walk } from "../../normalize/walk.ts";
import { NormalizeError } from "../../errors/normalize_error.ts";
import { type AnySchema, isEntity } from "../../schemas/interface.ts";
import type { EntityRecord } from "../../schemas/plan.ts";

/** A value is written by hand: `controller.set`. */
export interface SetAction {
  readonly type: "set";
  readonly schema: AnySchema;
  readonly args: readonly unknown[];
  /** The value, or what makes it of the present one. */
  readonly value: unknown;
  readonly place: number;
  readonly date: number;
}

/** Writes a value. What is given for an entity may leave out what the arguments say. */
export function reduceSet(store: Store, action: SetAction): Patch {
  const { schema, args, place, date } = action;
  const patch = new Patch(store, { place, fetchedAt: date, expiresAt: dataExpiry({}, date) }, store.places.oldest());
  const isFunction = typeof action.value === "function";
  const present = isFunction ? store.graph.query(schema, args).read(store.graph) : undefined;
  const value: unknown = isFunction ? (action.value as (present: unknown) => unknown)(present) : action.value;
  if (value === undefined) return patch.seal();
  if (!isEntity(schema)) {
    patch.needsPk = true;
    patch.result = new Walk(value, args, patch).run(schema);
    return patch.seal();
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new NormalizeError(`"${schema.key}"`, "", "set() takes an object, or a function that returns one");
  }
  const plan = store.graph.planOf(schema);
  const named = store.graph.pkOf(plan, args);
  const record = named === undefined ? undefined : patch.recordOf(plan, named);
  const input = withArgs(value, args, record);
  const own = store.graph.pkOf(plan, [input]);
  if (own !== undefined && named !== undefined && named !== own) {
    throw new NormalizeError(`"${schema.key}"`, "", `the arguments name pk "${named}", the value pk "${own}"`);
  }
  const pk = own ?? named;
  // Arguments that are a pk by itself say which record it is, but not which member of it: that, the record must know.
  if (pk === undefined || (own === undefined && record === undefined)) {
    throw new NormalizeError(
      `"${schema.key}"`,
      "",
      "set() needs a pk: give its members in the arguments or in the value",
    );
  }
  if (isFunction && present !== undefined) {
    // With what names it: only a layer may show it, or a delete that is in flight may turn out to stand before this.
    const changes = withArgs(changesOf(value as EntityRecord, present as EntityRecord), args, record);
    new Walk(changes, args, patch).runRecord(plan, pk, changes);
  } else if (own === undefined) {
    new Walk(input, args, patch).runRecord(plan, pk, input);
  } else {
    new Walk(input, args, patch).run(schema);
  }
  patch.result = pk;
  return patch.seal();
}

/** The members that differ from what the function was given: a spread instance must not turn defaults into data. */
function changesOf(value: EntityRecord, present: EntityRecord): EntityRecord {
  const changes: Record<string, unknown> = {};
  for (const name of Object.keys(value)) if (value[name] !== present[name]) define(changes, name, value[name]);
  return changes;
}

/** The value with members of the first argument that it leaves out; as they are stored: `5` may stand for `"5"`. */
function withArgs(value: object, args: readonly unknown[], record: EntityRecord | undefined): EntityRecord {
  const members = value as EntityRecord;
  const [first] = args;
  if (typeof first !== "object" || first === null) return members;
  let whole: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(first)) {
    if (member !== undefined && members[name] === undefined) {
      define(whole ??= { ...members }, name, record?.[name] ?? member);
    }
  }
  return whole ?? members;
}
