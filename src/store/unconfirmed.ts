import type { SentRecord } from "../endpoint/interface.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";

/** A member that was sent, and that no answer has said since. */
interface Mark {
  /** Where the mutation stands in the order of writes. */
  readonly seq: number;
  /** Whose next answer confirms the member, or takes it away. */
  readonly by: SentRecord["confirmedBy"];
}

/** What of a record was sent and is not confirmed, by the names of members. */
export type Unconfirmed = ReadonlyMap<string, Mark>;

/** What one occurrence of a record leaves open of what was sent. */
export interface Open {
  /** What is written with it. */
  readonly members: EntityRecord;
  /** What is not confirmed: these, and of a whole record what it is not to have any more. */
  readonly names: readonly string[];
  /** It was changed before anybody knew it, and members of its class are missing: it has them, for all we know. */
  readonly isPart: boolean;
}

/** Whether a value has a member; `undefined` is absence. */
export function has(value: object | undefined, name: string): boolean {
  return value !== undefined && Object.hasOwn(value, name) && (value as EntityRecord)[name] !== undefined;
}

/**
 * What of a record was sent that a reply does not say: of members that neither the class nor the record knows, nothing.
 *
 * @param record As it is before.
 * @param reply What the reply says of it; `undefined`: nothing.
 */
export function openIn(
  { entity, fields }: Pick<Plan, "entity" | "fields">,
  record: EntityRecord | undefined,
  { members, params, isWhole, isChange }: SentRecord,
  reply: object | undefined,
  isStale: boolean,
): Open {
  const isKnown = (name: string) =>
    Object.hasOwn(entity.defaults, name) || fields.byName.has(name) || has(record, name);
  const missing = Object.entries(members).filter(([name]) => has(members, name) && isKnown(name) && !has(reply, name));
  const dropped = isWhole && record !== undefined
    ? Object.keys(record).filter((name) => !has(members, name) && !has(reply, name))
    : [];
  const names = [...missing.map(([name]) => name), ...dropped].filter((name) => !has(params, name));
  const isPart = isChange === true && isStale &&
    Object.keys(entity.defaults).some((name) => !has(reply, name) && !has(members, name));
  return { members: Object.fromEntries(missing), names, isPart };
}

/** What is still open after a write. */
export function afterWrite(before: Unconfirmed, seq: number, input: object): Unconfirmed {
  return new Map([...before].filter(([name, mark]) => mark.seq > seq || !has(input, name)));
}

/** A record without some of its members. */
export function without(record: EntityRecord, names: readonly string[]): EntityRecord {
  const gone = new Set(names);
  // Defined one by one: none is a setter.
  return Object.fromEntries(Object.entries(record).filter(([name]) => !gone.has(name)));
}
