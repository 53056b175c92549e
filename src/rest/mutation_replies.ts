/**
 * What the reply of a mutation means when it is not simply the new record: servers answer with nothing, with `"OK"`,
 * with `{ success: true }`, with a bare id.
 *
 * @module
 */
import type { MutationReply, SentRecord } from "../endpoint/interface.ts";
import { said, sentenceOf } from "../errors/texts.ts";
import { discard } from "../http/discard.ts";
import { type EntityStatics, subjectOf } from "../schemas/interface.ts";
import { pkText } from "../schemas/pk_text.ts";
import type { Params } from "./path_template.ts";
import type { CallParts } from "./rest_endpoint.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

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
}

/**
 * The reply of `update` and `partialUpdate`. What it does not say of what was sent is written all the same and not
 * confirmed; one that is empty, or has no pk, says nothing.
 *
 * @param reply What the server sent.
 * @param context What the call was.
 * @returns The record to write; `stale` where nothing of what was sent is in it.
 */
export function readUpdateReply(reply: unknown, context: ReplyContext): MutationReply {
  const { entity, parts: { params, body, record = params }, args, name, lists } = context;
  const sent = membersOf(body);
  const named = recordIn(entity, reply, args);
  if (named !== undefined) {
    const read = withSent(reply, [[named, sent]], context);
    return { ...read, sent: read.sent!.map((one) => ({ ...one, isChange: true })) };
  }
  const whole = recordIn(entity, { ...record, ...sent }, args);
  if (whole !== undefined) return { value: whole.pk, stale: true, sent: [sentOf(whole.pk, sent, context, params)] };
  return {
    value: undefined,
    expire: lists,
    warning: sentenceOf(said(515, { name, entity: entity.key })),
  };
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
  const { entity, parts: { body }, args, lists } = context;
  const named = recordIn(entity, reply, args);
  if (named === undefined) return { value: undefined, expire: lists, warning: namesNone(reply, context) };
  return withSent(reply, [[named, membersOf(body)]], context);
}

/**
 * The reply of a verb of a list. That of `push`, `unshift` and `assign` is read like that of `create`, that of `remove`
 * and `move` like that of an update; several items at once, or items by name, are items each.
 *
 * @param verb Which one.
 * @param reply What the server sent.
 * @param context What the call was.
 * @returns The record, or the records, to write; if nothing names one, the lists are asked again.
 */
export function readChangeReply(
  verb: string,
  reply: unknown,
  context: ReplyContext,
): MutationReply {
  const { entity, args, parts: { body } } = context;
  const isList = Array.isArray(reply);
  const records = recordsIn(verb, reply, entity, args);
  if (records !== undefined) {
    const sent = Object(body) as { readonly [name: string]: unknown };
    // Whether a server answers in the order in which it was asked, nobody knows: only names and pks say which is which.
    const pairs = records.map(([named, name]): [RecordOf, Params] => [
      named,
      membersOf(
        isList ? Object.values(sent).find((item) => recordIn(entity, item, args)?.pk === named.pk) : sent[name],
      ),
    ]);
    const read = withSent(reply, pairs, context);
    const isTerse = isList &&
      Object.values(sent).some((item) =>
        records.some(([named]) => Object.keys(membersOf(item)).some((name) => !Object.hasOwn(named.members, name)))
      );
    return isTerse ? { ...read, stale: true } : read;
  }
  if (verb === "remove") return readRemoveReply(reply, context);
  if (verb === "move") return readUpdateReply(reply, context);
  // Under which name, only the server knows.
  if (verb === "assign") return { value: undefined, expire: context.lists, warning: namesNone(reply, context) };
  return readCreateReply(reply, context);
}

/** What to say where a reply says something, and no record can be found in it. */
function namesNone(reply: unknown, { name, entity }: ReplyContext): string | undefined {
  if (typeof reply !== "object" || reply === null || Object.keys(reply).length === 0) return undefined;
  return sentenceOf(said(516, { name, entity: entity.key, reply }));
}

/** The records that a reply is, if it is several: in a row, or by name. */
function recordsIn(
  verb: string,
  reply: unknown,
  entity: EntityStatics,
  args: readonly unknown[],
): readonly (readonly [record: RecordOf, name: string])[] | undefined {
  if (!Array.isArray(reply) && verb !== "assign" && verb !== "move") return undefined;
  const items = Object.entries(Object(reply)).map(([name, item]) => [recordIn(entity, item, args), name] as const);
  return items.length > 0 && items.every(([record]) => record !== undefined) ? items as never : undefined;
}

/**
 * How the verb of a list reads replies where the list reads its own in a way of its own. That is for lists first: what it
 * makes of one record may name none any more. Then the record is taken as it came.
 *
 * @param list The list endpoint.
 * @param plain How an endpoint reads that has no way of its own.
 * @param verb What is done.
 * @param entity The class of the items.
 * @returns Options for the endpoint of the verb.
 */
export function itemReader(
  list: AnyRestEndpoint,
  plain: Pick<AnyRestEndpoint, "parseResponse" | "process">,
  verb: string,
  entity: EntityStatics,
): object {
  const { parseResponse, process } = list;
  const names = (value: unknown, args: readonly unknown[]) =>
    recordIn(entity, value, args) !== undefined || recordsIn(verb, value, entity, args) !== undefined;
  return {
    ...parseResponse !== plain.parseResponse && {
      async parseResponse(this: AnyRestEndpoint, response: Response): Promise<unknown> {
        const copy = response.clone();
        let value: unknown;
        let error: unknown;
        try {
          value = await parseResponse.call(this, response);
        } catch (reason) {
          error = reason;
        }
        if (error !== undefined ? !isMisread(error) : names(value, [])) {
          discard(copy);
          if (error !== undefined) throw error;
          return value;
        }
        try {
          const whole: unknown = await plain.parseResponse.call(this, copy);
          return error !== undefined || names(whole, []) ? whole : value ?? whole;
        } catch {
          if (error !== undefined) throw error;
          return value;
        }
      },
    },
    ...process !== plain.process && {
      async process(this: AnyRestEndpoint, value: unknown, ...args: readonly unknown[]): Promise<unknown> {
        const isItem = names(value, args);
        try {
          const made: unknown = await process.call(this, value, ...args);
          return isItem && !names(made, args) ? value : made;
        } catch (reason) {
          if (isMisread(reason)) return value;
          throw reason;
        }
      },
    },
  };
}

/** What a function throws that finds another value than it was written for. What else it throws, it says by right. */
function isMisread(error: unknown): boolean {
  return error instanceof TypeError || error instanceof SyntaxError;
}

/** Takes out of the lists what the reply names, else what was sent; a number alone may count rows. */
function readRemoveReply(reply: unknown, context: ReplyContext): MutationReply {
  const { parts: { body }, entity, args } = context;
  const isBare = (typeof body === "string" && body !== "") || (typeof body === "number" && Number.isFinite(body));
  const named = recordIn(entity, reply, args);
  if (isBare && named === undefined) return { value: String(body), stale: true };
  const read = readUpdateReply(reply, context);
  // What is sent mostly is the item itself: a reply that has nothing else says nothing of what became of it.
  const isTerse = named !== undefined &&
    Object.keys(named.members).every((name) => Object.hasOwn(membersOf(body), name));
  return isTerse ? { ...read, stale: true } : read;
}

/**
 * The reply of `delete`: it names the record when it is an object with a pk, otherwise the parameters of the call do. A
 * bare text or number names nothing: it may be how many were deleted.
 *
 * @param reply What the server sent.
 * @param context What the call was.
 * @returns What names the record; if nothing does, the lists are asked again.
 */
export function readDeleteReply(reply: unknown, context: ReplyContext): MutationReply {
  const { entity, parts: { params, record = params }, args, lists, name } = context;
  if (pkOf(entity, reply, args) !== undefined) return { value: reply };
  if (pkOf(entity, record, args) !== undefined) return { value: record };
  return {
    value: undefined,
    expire: lists,
    warning: sentenceOf(said(517, { name, entity: entity.key })),
  };
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
 * The entity class that an endpoint is about.
 *
 * @param endpoint Anything with a schema: an entity, its `Invalidate`, or a change of lists of it.
 */
export function entityOf({ schema }: { readonly schema: unknown }): EntityStatics | undefined {
  return subjectOf(schema);
}

/** What a reply of an endpoint is read with. */
export function contextOf(
  endpoint: AnyRestEndpoint,
  entity: EntityStatics,
  args: readonly unknown[],
  reads: Pick<ReplyContext, "get" | "lists">,
): ReplyContext {
  const { name, method } = endpoint;
  return { entity, name, parts: endpoint.readArgs(args), args, isWhole: /^put$/i.test(String(method)), ...reads };
}

/** A reply with what was sent of each record in it; stale where it says nothing of that. */
function withSent(
  value: unknown,
  records: readonly (readonly [record: RecordOf, sent: Params])[],
  context: ReplyContext,
): MutationReply {
  const isSilent = ([{ members }, sent]: readonly [RecordOf, Params]) =>
    Object.keys(sent).length > 0 && !Object.keys(sent).some((name) => Object.hasOwn(members, name));
  return {
    value,
    stale: records.some(isSilent),
    sent: records.map(([{ pk }, sent]) => sentOf(pk, sent, context)),
  };
}

/** What was sent of a record, as the class makes it; with the parameters, where nothing else says anything of it. */
function sentOf(pk: string, sent: Params, context: ReplyContext, given?: Params): SentRecord {
  const { entity, parts: { params }, args, isWhole, get } = context;
  const processed = processedBy(entity, { ...params, ...sent }, args) ?? { ...params, ...sent };
  const fromParams = processedBy(entity, params, args) ?? {};
  // Members that process() adds to whatever it gets were not sent.
  const isSent = (name: string) =>
    Object.hasOwn(sent, name) || (given !== undefined && Object.hasOwn(given, name)) ||
    fromParams[name] === undefined;
  return {
    pk,
    members: Object.fromEntries(Object.entries(processed).filter(([name]) => isSent(name))),
    params,
    isWhole: isWhole && Object.keys(sent).length > 0,
    confirmedBy: get,
  };
}

/** Members that a body sends: those of an object, the texts of a form. */
export function sentMembers({ body }: CallParts): Params {
  return membersOf(body);
}

function membersOf(body: unknown): Params {
  if (typeof body !== "object" || body === null) return {};
  const kind = Object.prototype.toString.call(body).slice(8, -1);
  if (kind === "FormData" || kind === "URLSearchParams") {
    return Object.fromEntries([...body as FormData].filter(([, value]) => typeof value === "string"));
  }
  return kind === "Object" ? { ...body } : {};
}

/** Plain data that names a record. */
interface RecordOf {
  readonly pk: string;
  /** As `process` makes them. */
  readonly members: Params;
}

/** What `process` of a class makes of plain data; `undefined` where that is none, or `process` relies on more. */
function processedBy(entity: EntityStatics, value: unknown, args: readonly unknown[]): Params | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  try {
    const processed: unknown = entity.process({ ...value }, value, undefined, args);
    return typeof processed === "object" && processed !== null ? processed as Params : undefined;
  } catch {
    return undefined;
  }
}

/** The record that plain data is, or `undefined` when it has no pk. */
function recordIn(entity: EntityStatics, value: unknown, args: readonly unknown[]): RecordOf | undefined {
  const members = processedBy(entity, value, args);
  if (members === undefined) return undefined;
  try {
    // A reply of any shape: pk() may rely on members that are not there.
    const pk = pkText(entity.pk(members, value, undefined, args), members, args) ?? undefined;
    return pk === undefined ? undefined : { pk, members };
  } catch {
    return undefined;
  }
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
