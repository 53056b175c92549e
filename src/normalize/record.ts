import { NormalizeError } from "../errors/normalize_error.ts";
import { said } from "../errors/texts.ts";
import { type AnySchema, type EntityMeta, isEntity, type ListEffect } from "../schemas/interface.ts";
import { isMet } from "../schemas/containers.ts";
import { define, isRecord } from "../schemas/define.ts";
import { type EntityRecord, type Plan, planOf } from "../schemas/plan.ts";
import { deepEqual } from "./deep_equal.ts";
import type { MemberWalk } from "./record_target.ts";
import { pick } from "../schemas/subjects.ts";

export { define, isRecord };

type Members = Record<string, unknown>;

/** What is kept of a value that a serializer will read: itself, or the text of a `Date`. */
export function stored(value: unknown): unknown {
  if (!(value instanceof Date)) return value;
  return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
}

/** Whether two lists have the same items at the same places. */
export function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** How long a list may be to be searched by comparing each with each, which needs no memory. */
const SHORT_LIST = 8;

function hasRepeats(list: readonly unknown[]): boolean {
  for (let i = 1; i < list.length; i++) if (list.indexOf(list[i]) < i) return true;
  return false;
}

/**
 * A list with each record once; what is no reference to one stays. The list itself when nothing repeats.
 *
 * @param item What each item is: an entity class, or a schema object that picks one of several.
 */
export function eachOnce(item: AnySchema, list: unknown[]): unknown[] {
  if (isEntity(item) && list.length <= SHORT_LIST && !hasRepeats(list)) return list;
  const seen = new Map<string, Set<unknown>>();
  const unique = list.filter((kept) => {
    const [entity, pk] = pick(item, kept) ?? [];
    return typeof pk !== "string" || !isMet(seen, entity!.key, pk);
  });
  return unique.length === list.length ? list : unique;
}

/**
 * Copies by spread, which defines and never calls a setter. Engines learn four shapes at one place of a source, and copy
 * objects of others by name, three to five times slower: so classes take turns at eight places. They are functions,
 * because minifiers make one of branches that are the same.
 */
const COPIES: readonly ((record: object) => Members)[] = [
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
];

function copy(plan: Plan, record: object): Members {
  return COPIES[plan.id % 8]!(record);
}

/** The first record of an entity: a plain object, a copy of what came. */
export function freshRecord(walk: MemberWalk, plan: Plan, input: object): EntityRecord {
  const record = copy(plan, input);
  normalizeMembers(walk, plan, record, input);
  return record;
}

/** Normalizes the members of a copy of `input` in place. */
export function normalizeMembers(walk: MemberWalk, plan: Plan, record: Members, input: object): void {
  const { byName } = walk.fieldsOf(plan);
  for (const name in record) {
    const value = record[name];
    const normalized = walk.member(byName.get(name), value, input);
    if (normalized === undefined) delete record[name];
    else if (normalized !== value) record[name] = normalized;
  }
  suspectReferences(walk, plan, input);
}

/**
 * A record with an occurrence merged over it by the default rule: shallow, incoming wins, `undefined` is absence. Gives
 * `base` itself when nothing differs; members that are equal keep their references.
 *
 * @param walk The walk over the occurrence; `undefined` for one that is normalized already.
 */
export function mergedRecord(
  walk: MemberWalk | undefined,
  plan: Plan,
  base: EntityRecord,
  input: object,
): EntityRecord {
  const byName = walk?.fieldsOf(plan).byName;
  let next: Members | undefined;
  let brought = 0;
  for (const name in input) {
    const value = (input as Members)[name];
    const before = base[name];
    if (value === undefined || (value !== before && !Object.hasOwn(input, name))) continue;
    brought++;
    if (value === before) continue;
    const after = walk === undefined ? value : walk.member(byName!.get(name), value, input);
    if (after === before || after === undefined || (Object.hasOwn(base, name) && deepEqual(after, before))) continue;
    // In the order of `base`.
    define(next ??= copy(plan, base), name, after);
  }
  if (walk !== undefined) {
    walk.brought = brought;
    suspectReferences(walk, plan, input);
  }
  return next ?? base;
}

/** A bare pk may refer to what is deleted, also where it is the one that is stored. */
function suspectReferences(walk: MemberWalk, { fields }: Plan, input: object): void {
  for (const { name, entity } of fields.required) {
    const value = (input as Members)[name];
    if (value !== undefined && typeof value !== "object") walk.refer(entity!, value);
  }
}

/**
 * What an occurrence has just brought to the record that it was merged into: the members that it has, as they are there.
 * The record itself when it brought all of them. For classes that keep all members, see {@linkcode Fields.areKept}.
 */
export function broughtBy(walk: MemberWalk, record: EntityRecord, input: object): EntityRecord {
  let others = -walk.brought;
  for (const _name in record) others++;
  // What an object inherits, it does not bring.
  if (others === 0 && Object.getPrototypeOf(input) === Object.prototype) return record;
  const part: Members = { ...input };
  for (const name in part) {
    const value = part[name];
    if (value === undefined) delete part[name];
    else if (record[name] !== value) part[name] = record[name];
  }
  return part;
}

/** The same for two records, by the class's own `merge` where it has one. `undefined` is no record: absent or deleted. */
export function mergeRecords(plan: Plan, base: EntityRecord | undefined, incoming: EntityRecord): EntityRecord {
  if (base === undefined) return incoming;
  if (!plan.hasMerge) return mergedRecord(undefined, plan, base, incoming);
  const merged: unknown = plan.entity.merge(base, incoming);
  if (merged === base) return base;
  if (typeof merged !== "object" || merged === null || Array.isArray(merged)) {
    throw new NormalizeError(`"${plan.key}"`, "", said(209, { value: merged }));
  }
  const result: Members = { ...merged };
  for (const name of Object.keys(result)) if (result[name] === undefined) delete result[name];
  for (const field of plan.fields.all) {
    const list = result[field.name];
    if (field.item !== undefined && Array.isArray(list)) result[field.name] = eachOnce(field.item, list);
  }
  return keepEqual(plan, base, result);
}

/** The record after the writes of an amendment. */
export function amendedRecord(record: EntityRecord, writes: ListEffect["writes"] = []): EntityRecord {
  return writes.reduce((merged, { entity, incoming }) => mergeRecords(planOf(entity), merged, incoming), record);
}

/**
 * Whether a class wants what came merged into the record that is there, where there is one.
 *
 * @param existingMeta When `base` came.
 * @param incomingMeta When `incoming` came.
 */
export function wantsMerge(
  plan: Plan,
  base: EntityRecord | undefined,
  incoming: EntityRecord,
  existingMeta: EntityMeta,
  incomingMeta: EntityMeta,
): boolean {
  return base === undefined || !plan.hasShouldUpdate ||
    Boolean(plan.entity.shouldUpdate(existingMeta, incomingMeta, base, incoming));
}

/** `base` itself when the result is equal to it; else the result, in which what is equal keeps its reference. */
export function keepEqual(plan: Plan, base: EntityRecord, result: EntityRecord): EntityRecord {
  let kept: Members | undefined;
  const names = Object.keys(result);
  let isSame = names.length === Object.keys(base).length;
  for (const name of names) {
    const before = base[name];
    if (result[name] === before) continue;
    if (Object.hasOwn(base, name) && deepEqual(before, result[name])) (kept ??= copy(plan, result))[name] = before;
    else isSame = false;
  }
  return isSame ? base : kept ?? result;
}
