/**
 * What the reply of a mutation means when it is not simply the new record: servers answer with nothing, with `"OK"`,
 * with `{ success: true }`, with a bare id.
 *
 * @module
 */
import type { MutationReply, SentRecord, Snapshot } from "../endpoint/interface.ts";
import { tried } from "../errors/report_error.ts";
import { said, sentenceOf } from "../errors/texts.ts";
import { type AnySchema, type EntityStatics, isEntity } from "../schemas/interface.ts";
import { classesOf } from "../schemas/subjects.ts";
import { pkText } from "../schemas/pk_text.ts";
import { type Call, callOf, keysOf, type Named, processedBy, recordIn, type RecordOf } from "./call.ts";
import type { Params } from "./path_template.ts";
import { upperMethod } from "./request.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/** What the replies of a resource are read with. */
export interface Reads {
  /** Reads of one record, which say all that there is of it. */
  readonly get: SentRecord["confirmedBy"];
  /** The lists of the entity that this resource knows. */
  readonly lists: MutationReply["expire"];
}

/** A call that was answered. */
export interface AnsweredCall extends Call, Reads {
  /** What a read with the parameters of the call shows: they may name it by another member, or by a word (`me`). */
  known(): Named | undefined;
}

/** Says what a reply means; `said` is what it has of the record. */
export type ReplyReading = (said: unknown, call: AnsweredCall) => MutationReply;

/**
 * The reply of `update` and `partialUpdate`. What it does not say of what was sent is written all the same and not
 * confirmed; one that is empty, or has no pk, says nothing.
 */
export const readUpdateReply: ReplyReading = (reply, call) => {
  const { entity, params, members, record, args, pkOf } = call;
  const named = recordIn(entity, reply, args);
  const shown = call.known();
  const own = pkOf(record);
  const isWord = shown?.entity.key === entity.key && shown.pk !== own;
  const pk = named?.pk ?? (isWord ? shown.pk : pkOf({ ...record, ...members }));
  if (pk === undefined) return namesNone(reply, call, "changed");
  // Of the record that was asked for, a reply that names another one says nothing.
  const others = othersThan(pk, reply, call);
  if (named !== undefined) {
    return { value: reply, sent: [...others, { ...sentOfNamed(named, members, call), isChange: true }] };
  }
  // A word for the record is none of its members.
  const given = isWord ? {} : params;
  return { value: pk, stale: true, sent: [...others, { ...sentOf(pk, members, call, given), isSilent: true }] };
};

/**
 * The reply of `create`. One without pk names no record: nothing is written, and the lists are asked again. What another
 * one does not say of what was sent is written with it and not confirmed.
 */
export const readCreateReply: ReplyReading = (reply, call) => {
  const named = recordIn(call.entity, reply, call.args);
  return named === undefined
    ? namesNone(reply, call, "made")
    : { value: reply, sent: [sentOfNamed(named, call.members, call)] };
};

/**
 * The reply of `delete`: what a read with the same parameters shows is gone. Where there is none, the reply names the
 * record if it has a usable pk, else the parameters do. A bare text or number in the reply names nothing: it may be how
 * many were deleted.
 */
export const readDeleteReply: ReplyReading = (reply, call) => {
  const { entity, params, record, pkOf, lists } = call;
  const shown = call.known();
  const named = pkOf(reply);
  const own = pkOf(record);
  const pk = (shown?.entity.key === entity.key ? shown.pk : undefined) ?? named ?? own;
  if (pk === undefined) return namesNone(reply, call, "deleted");
  // It may be of what was queued, or of the parent.
  const sent = othersThan(pk, reply, call);
  const rest = { sent, expire: sent.length > 0 ? lists : undefined };
  if (pk === named) return { ...rest, value: reply };
  return pk === own ? { ...rest, value: record } : { ...rest, value: pk, given: named === undefined ? params : reply };
};

/**
 * Where nothing names a record the lists are asked again. Of what was made that is said only where the reply says
 * something.
 */
export function namesNone(
  reply: unknown,
  { endpoint: { name }, entity, lists }: AnsweredCall,
  done: "made" | "changed" | "deleted",
): MutationReply {
  const isTold = done !== "made" || (Object(reply) === reply && Object.keys(reply as object).length > 0);
  const warning = isTold ? sentenceOf(said(515, { name, entity: entity.key, reply, done })) : undefined;
  return { value: undefined, expire: lists, warning };
}

/** A record that a call may have been about as well: nothing is known of it. */
function doubted({ entity, pk }: Named): SentRecord {
  return { entity, pk, members: {}, params: {}, isStale: true };
}

/** What else a call may have been about than one record: what a read shows, what the reply or what was given names. */
function othersThan(pk: string, reply: unknown, { entity, record, pkOf, known }: AnsweredCall): readonly SentRecord[] {
  return [known(), ...[reply, record].map((one) => ({ entity, pk: pkOf(one) }))]
    .filter((one): one is Named => one?.pk !== undefined && (one.pk !== pk || one.entity.key !== entity.key))
    .map(doubted);
}

/** What was sent of a record, as the class makes it; with the parameters, where nothing else says anything of it. */
export function sentOf(pk: string, sent: Params, call: AnsweredCall, given: Params = {}): SentRecord {
  const { endpoint, entity, params, args, get } = call;
  const all = { ...params, ...sent };
  const fromParams = processedBy(entity, params, args) ?? {};
  // Members that process() adds to whatever it gets were not sent.
  const isSent = ([name]: [string, unknown]): boolean =>
    Object.hasOwn({ ...sent, ...given }, name) || fromParams[name] === undefined;
  return {
    entity,
    pk,
    members: Object.fromEntries(Object.entries(processedBy(entity, all, args) ?? all).filter(isSent)),
    params,
    // It takes the place of the record, instead of changing it.
    isWhole: upperMethod(endpoint) === "PUT" && Object.keys(sent).length > 0,
    confirmedBy: get,
  };
}

/** What was sent of a record that a reply names; stale where the reply says nothing of that. */
export function sentOfNamed({ pk, members }: RecordOf, sent: Params, call: AnsweredCall): SentRecord {
  const one = sentOf(pk, sent, call);
  // In the names of the class: what was sent is in those of the server.
  const isSaid = (name: string): boolean => Object.hasOwn(members, name);
  const isStale = Object.keys(sent).length > 0 && !Object.keys({ ...sent, ...one.members }).some(isSaid);
  return isStale ? { ...one, isStale } : one;
}

/**
 * An endpoint that gives the parameters of the call where the reply is no object with members: so that a call without a
 * controller says what is gone, too.
 */
export function orParams(endpoint: AnyRestEndpoint): AnyRestEndpoint {
  const { process: of } = endpoint;
  const process = function (this: AnyRestEndpoint, reply: unknown, ...args: readonly unknown[]): unknown {
    const given = (value: unknown) =>
      typeof value === "object" && value !== null && Object.keys(value).length > 0 ? value : this.readArgs(args).params;
    const value: unknown = of.call(this, reply, ...args);
    return value instanceof Promise ? value.then(given) : given(value);
  };
  return endpoint.extend({ process: Object.assign(process, { of }) }) as AnyRestEndpoint;
}

/**
 * How the replies of an endpoint are read, as long as its schema has records of the resource: an `extend` may give it
 * another one.
 *
 * @param owner What the resource is of.
 * @param reads What a reply is read with.
 * @param read Reads what a reply says of the record.
 */
export function replyReader(owner: AnySchema, reads: () => Reads, read: ReplyReading) {
  return function (
    this: AnyRestEndpoint,
    reply: unknown,
    args: readonly unknown[],
    snapshot: Snapshot,
  ): MutationReply {
    const call = callOf(this, args, snapshot, reply, owner);
    if (call === undefined) return { value: reply };
    const { entity, schema, said, unclear, put, params } = call;
    const { get, lists: all } = reads();
    // What may show a record that nothing names: the lists, and the read with the parameters of the call in whichever form.
    const key = tried(() => (get as AnyRestEndpoint).key(params));
    const lists = all && { testKey: (one: string) => one === key || all.testKey(one) };
    if (entity === undefined) return { value: schema.answersGiven ? undefined : reply, expire: lists };
    const known = () => tried(() => shownBy(snapshot, get as AnyRestEndpoint, params, keysOf(owner)));
    const { value, sent = [], ...result } = read(said, { ...call, entity, get, lists, known });
    const doubts = (unclear ?? []).flatMap(({ entity, said, pkOf }) =>
      [said].flat().map(pkOf).filter((pk) => pk !== undefined).map((pk) => doubted({ entity: entity!, pk }))
    );
    // A class that has some of the members only does not know the others.
    const { defaults = {} } =
      classesOf(owner).find((one) => one !== entity && one.key === entity.key) as EntityStatics ?? {};
    const isUnknown = (name: string) => Object.hasOwn(defaults, name) && !Object.hasOwn(Object(said), name);
    const isStale = (one: SentRecord) => one.isStale || Object.keys(one.members).some(isUnknown) || undefined;
    return {
      ...result,
      value: value !== undefined || unclear !== undefined ? put(value) : undefined,
      sent: [...doubts, ...sent.map((one) => ({ ...one, isStale: isStale(one) }))],
    };
  };
}

interface EntityInstanceOf {
  readonly constructor: EntityStatics;
}

/**
 * The one record that a read shows, of whichever class of the family. What a record holds, beside itself, is another
 * one. It throws where there is none, where what reads is only something that tests keys, or asks for other parameters.
 */
function shownBy(
  snapshot: Snapshot,
  get: AnyRestEndpoint,
  params: Params,
  keys: readonly string[],
): Named | undefined {
  const { data } = snapshot.getResponse(get, params);
  const isRecord = (one: unknown): one is EntityInstanceOf => isEntity(Object(one).constructor);
  const [shown, ...others] = (isRecord(data) ? [data] : Object.values(Object(data)).filter(isRecord))
    .filter(({ constructor }) => keys.includes(constructor.key));
  const { constructor } = shown!;
  const pk = pkText(constructor.pk(shown), shown);
  return others.length > 0 || !pk ? undefined : { entity: constructor, pk };
}
