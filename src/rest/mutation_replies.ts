/**
 * What the reply of a mutation means when it is not simply the new record: servers answer with nothing, with `"OK"`,
 * with `{ success: true }`, with a bare id.
 *
 * @module
 */
import type { MutationReply, SentRecord, Snapshot } from "../endpoint/interface.ts";
import { said, sentenceOf } from "../errors/texts.ts";
import { type AnySchema, type EntityStatics, isEntity } from "../schemas/interface.ts";
import { classesOf } from "../schemas/subjects.ts";
import { pkText } from "../schemas/pk_text.ts";
import { attempt } from "./_attempt.ts";
import type { CallParts } from "./call_parts.ts";
import { type CallSubject, subjectOfCall } from "./call_subject.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";
import { membersOf, type Named, pkOf, recordIn, type ReplyContext, sentOf, sentOfNamed } from "./sent_record.ts";

type Maybe = Pick<Named, "entity"> & { readonly pk: string | undefined };

/**
 * The reply of `update` and `partialUpdate`. What it does not say of what was sent is written all the same and not
 * confirmed; one that is empty, or has no pk, says nothing.
 *
 * @param reply What the server sent.
 * @param context What the call was.
 * @returns The record to write; `stale` where nothing of what was sent is in it.
 */
export function readUpdateReply(reply: unknown, context: ReplyContext): MutationReply {
  const { entity, parts: { params, body, record = params }, args } = context;
  const sent = membersOf(body);
  const named = recordIn(entity, reply, args);
  const shown = context.known();
  const own = pkOf(entity, record, args);
  const isWord = shown?.entity.key === entity.key && shown.pk !== own;
  const pk = named?.pk ?? (isWord ? shown.pk : pkOf(entity, { ...record, ...sent }, args));
  if (pk === undefined) return namesNone(reply, context, "changed");
  // Of the record that was asked for, a reply that names another one says nothing.
  const others = othersThan({ entity, pk }, shown, { entity, pk: own });
  if (named !== undefined) {
    return { value: reply, sent: [...others, { ...sentOfNamed(named, sent, context), isChange: true }] };
  }
  // A word for the record is none of its members.
  const given = isWord ? {} : params;
  return { value: pk, stale: true, sent: [...others, { ...sentOf(pk, sent, context, given), isSilent: true }] };
}

/** Records that a call may have been about as well: nothing is known of them. */
function othersThan({ entity, pk }: Named, ...asked: readonly (Maybe | undefined)[]): readonly SentRecord[] {
  return asked.filter((one): one is Named => one?.pk !== undefined && (one.pk !== pk || one.entity.key !== entity.key))
    .map((one) => ({ ...one, members: {}, params: {}, isStale: true }));
}

/**
 * The reply of `create`. One without pk names no record: nothing is written, and the lists are asked again. What another
 * one does not say of what was sent is written with it and not confirmed.
 *
 * @param reply What the server sent.
 * @param context What the call was.
 * @returns The record to write, if there is one.
 */
export function readCreateReply(reply: unknown, context: ReplyContext): MutationReply {
  const named = recordIn(context.entity, reply, context.args);
  if (named === undefined) return namesNone(reply, context, "made");
  return { value: reply, sent: [sentOfNamed(named, membersOf(context.parts.body), context)] };
}

/**
 * The reply of `delete`: what a read with the same parameters shows is gone. Where there is none, the reply names the
 * record when it is an object with a pk, otherwise the parameters of the call do. A bare text or number names nothing: it
 * may be how many were deleted.
 *
 * @param reply What the server sent.
 * @param context What the call was.
 * @returns What names the record; if nothing does, the lists are asked again.
 */
export function readDeleteReply(reply: unknown, context: ReplyContext): MutationReply {
  const { entity, parts: { params, record = params }, args, lists } = context;
  const shown = context.known();
  const named = pkOf(entity, reply, args);
  const own = pkOf(entity, record, args);
  const pk = (shown?.entity.key === entity.key ? shown.pk : undefined) ?? named ?? own;
  if (pk === undefined) return namesNone(reply, context, "deleted");
  // It may be of what was queued, or of the parent.
  const sent = othersThan({ entity, pk }, { entity, pk: named }, { entity, pk: own });
  const rest = { sent, expire: sent.length > 0 ? lists : undefined };
  if (pk === named) return { ...rest, value: reply };
  return pk === own ? { ...rest, value: record } : { ...rest, value: pk, given: named === undefined ? params : reply };
}

/**
 * Where nothing names a record the lists are asked again. Of what was made that is said only where the reply says
 * something.
 */
export function namesNone(
  reply: unknown,
  { name, entity, lists }: ReplyContext,
  done: "made" | "changed" | "deleted",
): MutationReply {
  const isTold = done !== "made" || (typeof reply === "object" && reply !== null && Object.keys(reply).length > 0);
  const warning = isTold ? sentenceOf(said(515, { name, entity: entity.key, reply, done })) : undefined;
  return { value: undefined, expire: lists, warning };
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
export function replyReader(
  owner: AnySchema,
  reads: () => Pick<ReplyContext, "get" | "lists">,
  read: (said: unknown, context: ReplyContext, schema: CallSubject["schema"]) => MutationReply,
) {
  return function (
    this: AnyRestEndpoint,
    reply: unknown,
    args: readonly unknown[],
    snapshot: Snapshot,
  ): MutationReply {
    const subject = subjectOfCall(this, args, snapshot, reply, owner);
    if (subject === undefined) return { value: reply };
    const { entity, schema, said, unclear, put } = subject;
    if (entity === undefined) {
      return { value: schema.answersGiven ? undefined : reply, expire: withRead(reads(), this.readArgs(args)) };
    }
    const { value, sent = [], ...result } = read(
      said,
      contextOf(this, entity, classesOf(owner).map(({ key }) => key), args, reads(), snapshot),
      schema,
    );
    const doubted = (unclear ?? []).flatMap(({ entity, said }) =>
      [said].flat().flatMap((one) => {
        const pk = entity && pkOf(entity, one, args);
        return pk === undefined ? [] : [{ entity: entity!, pk, members: {}, params: {}, isStale: true }];
      })
    );
    // A class that has some of the members only does not know the others.
    const { defaults = {} } =
      classesOf(owner).find((one) => one !== entity && one.key === entity.key) as EntityStatics ?? {};
    const isUnknown = (name: string) => Object.hasOwn(defaults, name) && !Object.hasOwn(Object(said), name);
    return {
      ...result,
      value: value !== undefined || unclear !== undefined ? put(value) : undefined,
      sent: [
        ...doubted,
        ...sent.map((one) => ({
          ...one,
          isStale: one.isStale || Object.keys(one.members).some(isUnknown) || undefined,
        })),
      ],
    };
  };
}

/** What a reply of an endpoint is read with. */
function contextOf(
  endpoint: AnyRestEndpoint,
  entity: EntityStatics,
  keys: readonly string[],
  args: readonly unknown[],
  reads: Pick<ReplyContext, "get" | "lists">,
  snapshot: Snapshot,
): ReplyContext {
  const { name, method } = endpoint;
  const parts = endpoint.readArgs(args);
  const get = reads.get as AnyRestEndpoint;
  // It may be only something that tests keys, or its key() asks for other parameters.
  const known = () =>
    attempt(() => {
      const { data } = snapshot.getResponse(get, parts.params);
      // Of whichever class of the family. What a record holds, beside itself, is another one.
      const isRecord = (one: unknown) => isEntity(Object(one).constructor);
      const [shown, ...others] = (isRecord(data) ? [data] : Object.values(Object(data)))
        .filter((one) => isRecord(one) && keys.includes((one as EntityInstanceOf).constructor.key));
      const { constructor } = shown as EntityInstanceOf;
      const pk = pkText(constructor.pk(shown), shown as object);
      return others.length > 0 || !pk ? undefined : { entity: constructor, pk };
    });
  const isWhole = /^put$/i.test(String(method));
  return { entity, name, parts, args, isWhole, known, get, lists: withRead(reads, parts) };
}

interface EntityInstanceOf {
  readonly constructor: EntityStatics;
}

/** The lists, and the read with the parameters of the call, in whichever form: what may show a record that nothing names. */
function withRead({ get, lists }: Pick<ReplyContext, "get" | "lists">, { params }: CallParts): ReplyContext["lists"] {
  const key = attempt(() => (get as AnyRestEndpoint).key(params));
  return lists && { testKey: (one) => one === key || lists.testKey(one) };
}
