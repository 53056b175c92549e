/**
 * What calls and replies say of one record, as its class makes it.
 *
 * @module
 */
import type { MutationReply, SentRecord } from "../endpoint/interface.ts";
import type { EntityStatics } from "../schemas/interface.ts";
import { pkText } from "../schemas/pk_text.ts";
import { attempt } from "./_attempt.ts";
import type { CallParts } from "./call_parts.ts";
import type { Params } from "./path_template.ts";

/** What a reply is read with. */
export interface ReplyContext {
  /** The entity class of the resource. */
  readonly entity: EntityStatics;
  /** The name of the endpoint, for warnings. */
  readonly name: string;
  /** The arguments of the call, taken apart. */
  readonly parts: CallParts;
  /** The arguments of the call. */
  readonly args: readonly unknown[];
  /** The lists of the entity that this resource knows. */
  readonly lists: MutationReply["expire"];
  /** Reads of one record, which say all that there is of it. */
  readonly get: SentRecord["confirmedBy"];
  /** What is sent takes the place of the record, instead of changing it. */
  readonly isWhole: boolean;
  /** What a read with the parameters of the call shows: they may name it by another member, or by a word (`me`). */
  known(): Named | undefined;
}

/** A record, by its class and its pk. */
export type Named = Pick<SentRecord, "entity" | "pk">;

/** Plain data that names a record. */
export interface RecordOf {
  readonly pk: string;
  /** As `process` makes them. */
  readonly members: Params;
}

/** What `process` of a class makes of plain data; `undefined` where that is none, or `process` relies on more. */
function processedBy(entity: EntityStatics, value: unknown, args: readonly unknown[]): Params | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const processed = attempt((): unknown => entity.process({ ...value }, value, undefined, args));
  return typeof processed === "object" && processed !== null ? processed as Params : undefined;
}

/** The record that plain data is, or `undefined` when it has no pk. */
export function recordIn(entity: EntityStatics, value: unknown, args: readonly unknown[]): RecordOf | undefined {
  const members = processedBy(entity, value, args);
  // A reply of any shape: pk() may rely on members that are not there.
  const pk = members && attempt(() => pkText(entity.pk(members, value, undefined, args), members, args));
  return pk === undefined || pk === null ? undefined : { pk, members: members! };
}

/**
 * The pk of plain data, as text.
 *
 * @param entity The entity class.
 * @param value Anything.
 * @param args The arguments of the call.
 * @returns `undefined` when it is no object, or has none.
 */
export function pkOf(entity: EntityStatics, value: unknown, args: readonly unknown[]): string | undefined {
  return recordIn(entity, value, args)?.pk;
}

/** Members that a body sends: those of an object, the texts of a form. */
export function membersOf(body: unknown): Params {
  const kind = Object.prototype.toString.call(body).slice(8, -1);
  if (kind === "FormData" || kind === "URLSearchParams") {
    return Object.fromEntries([...body as FormData].filter(([, value]) => typeof value === "string"));
  }
  return kind === "Object" ? { ...body as Params } : {};
}

/** What was sent of a record, as the class makes it; with the parameters, where nothing else says anything of it. */
export function sentOf(pk: string, sent: Params, context: ReplyContext, given: Params = {}): SentRecord {
  const { entity, parts: { params }, args, isWhole, get } = context;
  const all = { ...params, ...sent };
  const fromParams = processedBy(entity, params, args) ?? {};
  // Members that process() adds to whatever it gets were not sent.
  const isSent = ([name]: [string, unknown]): boolean =>
    Object.hasOwn(sent, name) || Object.hasOwn(given, name) || fromParams[name] === undefined;
  return {
    entity,
    pk,
    members: Object.fromEntries(Object.entries(processedBy(entity, all, args) ?? all).filter(isSent)),
    params,
    isWhole: isWhole && Object.keys(sent).length > 0,
    confirmedBy: get,
  };
}

/** What was sent of a record that a reply names; stale where the reply says nothing of that. */
export function sentOfNamed({ pk, members }: RecordOf, sent: Params, context: ReplyContext): SentRecord {
  const one = sentOf(pk, sent, context);
  // In the names of the class: what was sent is in those of the server.
  const isSaid = (name: string): boolean => Object.hasOwn(members, name);
  const isStale = Object.keys(sent).length > 0 && !Object.keys({ ...sent, ...one.members }).some(isSaid);
  return { ...one, ...isStale && { isStale } };
}
