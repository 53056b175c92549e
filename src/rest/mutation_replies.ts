/**
 * What the reply of a mutation means when it is not simply the new record: servers answer with nothing, with `"OK"`,
 * with `{ success: true }`, with a bare id.
 *
 * @module
 */
import type { MutationReply } from "../endpoint/interface.ts";
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
}

/**
 * The reply of `update` and `partialUpdate`. An empty one, or one without pk, stands for what was sent; so does one that
 * names the record and says nothing about what was sent.
 *
 * @param reply What the server sent.
 * @param context What the call was.
 * @returns The record to write; `stale` where it was guessed.
 */
export function readUpdateReply(reply: unknown, context: ReplyContext): MutationReply {
  const { parts, args } = context;
  const sent = sentMembers(parts);
  if (pkOf(context.entity, reply, args) === undefined) return guess({ ...parts.params, ...sent }, context);
  const silent = Object.keys(sent).length > 0 &&
    !Object.keys(sent).some((name) => Object.hasOwn(reply as object, name));
  return silent ? { value: { ...parts.params, ...sent, ...reply as object }, stale: true } : { value: reply };
}

/**
 * The reply of `create`. One without pk names no record: nothing is written, and the lists are asked again. One that
 * names the record and says nothing about what was sent is completed by what was sent.
 *
 * @param reply What the server sent.
 * @param context What the call was.
 * @returns The record to write, if there is one.
 */
export function readCreateReply(reply: unknown, context: ReplyContext): MutationReply {
  const { parts, args, lists } = context;
  if (pkOf(context.entity, reply, args) === undefined) return { value: undefined, expire: lists };
  const sent = sentMembers(parts);
  const silent = Object.keys(sent).length > 0 &&
    !Object.keys(sent).some((name) => Object.hasOwn(reply as object, name));
  return silent ? { value: { ...sent, ...reply as object }, stale: true } : { value: reply };
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
  const { entity, args } = context;
  const items = Array.isArray(reply) ? reply : verb === "assign" || verb === "move" ? itemsByName(reply) : [];
  if (items.length > 0 && items.every((item) => pkOf(entity, item, args) !== undefined)) return { value: reply };
  if (verb === "remove") return readRemoveReply(reply, context);
  if (verb === "move") return readUpdateReply(reply, context);
  // Under which name, only the server knows.
  if (verb === "assign") return { value: undefined, expire: context.lists };
  return readCreateReply(reply, context);
}

/** Takes out of the lists what the reply names, else what was sent; a number alone may count rows. */
function readRemoveReply(reply: unknown, context: ReplyContext): MutationReply {
  const { parts: { body }, entity, args } = context;
  const isBare = (typeof body === "string" && body !== "") || (typeof body === "number" && Number.isFinite(body));
  if (isBare && pkOf(entity, reply, args) === undefined) return { value: String(body) };
  return readUpdateReply(reply, context);
}

function itemsByName(reply: unknown): readonly unknown[] {
  return typeof reply === "object" && reply !== null ? Object.values(reply) : [];
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
  const { entity, parts, args, lists, name } = context;
  if (pkOf(entity, reply, args) !== undefined) return { value: reply };
  if (pkOf(entity, parts.params, args) !== undefined) return { value: parts.params };
  return {
    value: undefined,
    expire: lists,
    warning: `Neither the reply of "${name}" nor its parameters name the "${entity.key}" that was deleted: lists are ` +
      "fetched again, the record stays. Give the endpoint a process() that returns an object with the pk",
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

/** What was sent stands for the record, if it says which. */
function guess(value: Params, { entity, args, name, lists }: ReplyContext): MutationReply {
  if (pkOf(entity, value, args) !== undefined) return { value, stale: true };
  return {
    value: undefined,
    expire: lists,
    warning: `Neither the reply of "${name}" nor what was sent names the "${entity.key}" that was changed: lists are ` +
      "fetched again. Give the endpoint a process() that returns the record",
  };
}

/** Members that a body sends: those of an object, the texts of a form. */
export function sentMembers({ body }: CallParts): Params {
  if (typeof body !== "object" || body === null) return {};
  const kind = Object.prototype.toString.call(body).slice(8, -1);
  if (kind === "FormData" || kind === "URLSearchParams") {
    return Object.fromEntries([...body as FormData].filter(([, value]) => typeof value === "string"));
  }
  return kind === "Object" ? { ...body } : {};
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
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  try {
    // A reply of any shape: process() and pk() may rely on members that are not there.
    const processed = entity.process({ ...value }, value, undefined, args);
    if (typeof processed !== "object" || processed === null) return undefined;
    return pkText(entity.pk(processed, value, undefined, args), processed, args) ?? undefined;
  } catch {
    return undefined;
  }
}
