/**
 * What the reply of a mutation means when it is not simply the new record: servers answer with nothing, with `"OK"`,
 * with `{ success: true }`, with a bare id.
 *
 * @module
 */
import type { MutationReply, SentRecord, Snapshot } from "../endpoint/interface.ts";
import { said, sentenceOf } from "../errors/texts.ts";
import { isMembers } from "../schemas/definition.ts";
import {
  type AnySchema,
  classesOf,
  type EntityStatics,
  isEntity,
  type SchemaObject,
  subjectOf,
  subjectsIn,
  Tagged,
} from "../schemas/interface.ts";
import { type AnyUnion, isUnion } from "../schemas/is_union.ts";
import { pkText } from "../schemas/pk_text.ts";
import type { Params } from "./path_template.ts";
import type { CallParts } from "./call_parts.ts";
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
  /** The pk of what a read with the parameters of the call shows: where they name it by another member. */
  known(): string | undefined;
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
    const { sent: [one] = [] } = withSent(reply, [[named, sent]], context);
    // Of the record that was asked for, a reply that names another one says nothing.
    const asked = recordIn(entity, record, args)?.pk ?? named.pk;
    const other = asked === named.pk ? [] : [{ ...sentOf(asked, {}, context), members: {}, isStale: true }];
    return { value: reply, sent: [{ ...one!, isChange: true }, ...other] };
  }
  const pk = recordIn(entity, { ...record, ...sent }, args)?.pk ?? context.known();
  if (pk !== undefined) {
    const one = { ...sentOf(pk, sent, context, params), isSilent: true };
    return { value: pk, stale: true, sent: [one] };
  }
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

/** What to say where a reply says something, and no record can be found in it. */
export function namesNone(reply: unknown, { name, entity }: ReplyContext): string | undefined {
  if (typeof reply !== "object" || reply === null || Object.keys(reply).length === 0) return undefined;
  return sentenceOf(said(516, { name, entity: entity.key, reply }));
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
  const known = context.known();
  if (known !== undefined) return { value: known, given: params };
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

/** What a call is about, and where in its reply that is. */
export interface CallSubject {
  /** `undefined`: one of several, and nothing says which. */
  readonly entity: EntityStatics | undefined;
  /** What stands there in the schema: the class, or what changes lists of it. */
  readonly schema: Pick<SchemaObject, "answersGiven"> & { readonly verb?: string };
  /** What the reply says of it. */
  readonly said: unknown;
  /** What stands in several places, where the reply does not tell which is meant. */
  readonly unclear: readonly Pick<CallSubject, "entity" | "said">[] | undefined;
  /** The reply with another value there. */
  put(value: unknown): unknown;
}

/**
 * The record that a call is about. Where the schema is an object of members, it stands in one of these.
 *
 * @param endpoint What is called.
 * @param args The arguments of the call.
 * @param snapshot Knows the class of a record that does not say it.
 * @param reply What the server sent, if it has.
 * @param owner What the resource is of: nothing else is looked for.
 */
export function subjectOfCall(
  endpoint: AnyRestEndpoint,
  args: readonly unknown[],
  snapshot: Snapshot,
  reply?: unknown,
  owner?: AnySchema,
): CallSubject | undefined {
  const { params, body, record = params } = endpoint.readArgs(args);
  const sent = { ...record, ...membersOf(body) };
  const keys = owner === undefined ? undefined : classesOf(owner).map(({ key }) => key);
  const found = subjectsIn(endpoint.schema as AnySchema)
    .filter(({ of }) => classesOf(of).some(({ key }) => keys?.includes(key) ?? true))
    .map(({ of, path, isRow, ...rest }) => {
      const schema = rest.schema as CallSubject["schema"];
      const said = valueAt(reply, path);
      if (!isUnion(of)) return { schema, path, isRow, said, entity: of as EntityStatics };
      const own = tagIn(of, said);
      const tag = own ?? tagIn(of, sent) ?? tagOfInstance(of, snapshot.get(of as AnySchema, params));
      const entity = of.entityOf(tag) as EntityStatics | undefined;
      return { schema, path, isRow, said, entity, tag, own };
    });
  const single = found.filter(({ isRow }) => !isRow);
  const isNamed = ({ entity, said }: typeof found[number]) =>
    entity !== undefined && pkOf(entity, said, args) === (pkOf(entity, sent, args) ?? "");
  const one = single.length > 1 ? single.find(isNamed) : single[0];
  if (one === undefined) {
    const isSome = found.some(({ said }) => Object(said) === said);
    return found[0] && { ...found[0], said: undefined, unclear: found, put: () => isSome ? reply : undefined };
  }
  const { path, said, tag, own } = one;
  const put = (value: unknown) => {
    if (value === said && tag === own) return reply;
    const tagged = (each: unknown) => tag === undefined ? each : new Tagged(tag, each);
    const below = Array.isArray(value) ? value.map(tagged) : tagged(value);
    return path.reduceRight<unknown>((value, name, at) => {
      const around = valueAt(reply, path.slice(0, at));
      return { ...isMembers(around) && around, [name]: value };
    }, below);
  };
  return { ...one, unclear: undefined, put };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, name) => isMembers(at) && Object.hasOwn(at, name) ? at[name] : undefined, value);
}

/** The tag that a value has, if it is one of the union's. */
function tagIn(union: AnyUnion, value: unknown): string | undefined {
  try {
    const tag = union.tagOf(value as object, undefined, undefined);
    return union.entityOf(tag) && tag;
  } catch {
    // A function of the app, for values that are more than this.
    return undefined;
  }
}

function tagOfInstance({ mapping }: AnyUnion, instance: unknown): string | undefined {
  return Object.keys(mapping).find((tag) => (mapping[tag] as unknown) === instance?.constructor);
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
    const { value, sent = [], ...result } = read(said, contextOf(this, entity, args, reads(), snapshot), schema);
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
  snapshot: Snapshot,
): ReplyContext {
  const { name, method } = endpoint;
  const parts = endpoint.readArgs(args);
  const known = () => {
    try {
      const { data } = snapshot.getResponse(reads.get as AnyRestEndpoint, parts.params);
      // Of whichever class of the family. What a record holds, beside itself, is another one.
      const isRecord = (one: unknown) => isEntity(Object(one).constructor);
      const [shown, ...others] = (isRecord(data) ? [data] : Object.values(Object(data)))
        .filter((one) => isRecord(one) && (one as EntityInstanceOf).constructor.key === entity.key);
      return others.length > 0 ? undefined : pkText(entity.pk(shown), shown as object) ?? undefined;
    } catch {
      // Only something that tests keys, or its key() asks for other parameters.
      return undefined;
    }
  };
  const isWhole = /^put$/i.test(String(method));
  return { entity, name, parts, args, isWhole, known, get: reads.get, lists: withRead(reads, parts) };
}

interface EntityInstanceOf {
  readonly constructor: { readonly key: string };
}

/** The lists, and the read with the parameters of the call, in whichever form: what may show a record that nothing names. */
function withRead({ get, lists }: Pick<ReplyContext, "get" | "lists">, { params }: CallParts): ReplyContext["lists"] {
  let key: string | undefined;
  try {
    key = (get as AnyRestEndpoint).key(params);
  } catch {
    // As above.
  }
  return lists && { testKey: (one) => one === key || lists.testKey(one) };
}

/** A reply with what was sent of each record in it; stale where it says nothing of that. */
export function withSent(
  value: unknown,
  records: readonly (readonly [record: RecordOf, sent: Params])[],
  context: ReplyContext,
): MutationReply {
  return {
    value,
    sent: records.map(([{ pk, members }, sent]) => {
      const one = sentOf(pk, sent, context);
      // In the names of the class: what was sent is in those of the server.
      const names = [...Object.keys(sent), ...Object.keys(one.members)];
      const isStale = Object.keys(sent).length > 0 && !names.some((name) => Object.hasOwn(members, name));
      return { ...one, ...isStale && { isStale } };
    }),
  };
}

/** What was sent of a record, as the class makes it; with the parameters, where nothing else says anything of it. */
export function sentOf(pk: string, sent: Params, context: ReplyContext, given?: Params): SentRecord {
  const { entity, parts: { params }, args, isWhole, get } = context;
  const processed = processedBy(entity, { ...params, ...sent }, args) ?? { ...params, ...sent };
  const fromParams = processedBy(entity, params, args) ?? {};
  // Members that process() adds to whatever it gets were not sent.
  const isSent = (name: string) =>
    Object.hasOwn(sent, name) || (given !== undefined && Object.hasOwn(given, name)) ||
    fromParams[name] === undefined;
  return {
    entity,
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

export function membersOf(body: unknown): Params {
  if (typeof body !== "object" || body === null) return {};
  const kind = Object.prototype.toString.call(body).slice(8, -1);
  if (kind === "FormData" || kind === "URLSearchParams") {
    return Object.fromEntries([...body as FormData].filter(([, value]) => typeof value === "string"));
  }
  return kind === "Object" ? { ...body } : {};
}

/** Plain data that names a record. */
export interface RecordOf {
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
export function recordIn(entity: EntityStatics, value: unknown, args: readonly unknown[]): RecordOf | undefined {
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
