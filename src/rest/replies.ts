import type { Reply } from "../endpoint/endpoint_types.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import { isPlain } from "../plain/equal.ts";
import { pkText } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import { type EntityClass, entityOf, memberOf } from "../store/schema.ts";
import type { RestEndpointBase } from "./rest_endpoint.ts";

/** The pk of a reply, or of the record in its `member`; `undefined` if there is no pk, or no object with members. */
function pkOf(E: EntityClass, reply: Value, args: Args = [], member?: string): string | undefined {
  const value = member ? reply?.[member] : reply;
  if (!isPlain(value) || Array.isArray(value) || !Object.keys(value).length) return;
  try {
    // `process` may change its input, and is called again when the reply is written.
    return pkText(E.pk(E.process(copyPlain(value), reply, member, args), reply, member, args));
  } catch {
    // `process` or `pk` of the class threw: it needs members that the reply lacks.
  }
}
/** The members of a plain object that the class declares, and the tag of a union. */
const declared = (E: EntityClass, given: Value, tag?: Value): Value =>
  Object.fromEntries(
    Object.entries(isPlain(given) ? given : {}).filter(([name]) => name in E.defaults || name === tag),
  );

/**
 * Reads the record from the arguments of a mutation: its class `E`, the members that are `sent`, the `record` that they
 * make with the parameters, and `shown`, the same in the form of a reply: in the envelope `member`, if there is one.
 */
function readCall(endpoint: RestEndpointBase, args: Args, subject?: string): Value {
  const { schema, method } = endpoint, { params, body } = endpoint.readArgs(args);
  const E = entityOf(schema, { ...params, ...body }), of = schema?.entity || schema, member = memberOf(of);
  if (!E) return {};
  const tag = (of.item ?? of).attribute, named = declared(E, params, tag), sent = declared(E, body, tag);
  // The parameters are members of the record if they make its pk. `{ id: "me" }` does not.
  const isNamed = subject && pkOf(E, named) === subject;
  const record = method !== "DELETE"
    ? { ...(method === "POST" || isNamed) && named, ...sent }
    : isNamed
    ? named
    : subject;
  return { E, params, sent, member, record, shown: member ? { [member]: record } : record };
}

/**
 * What the store writes for the reply of a mutation of a resource. `sent` are the members of the body.
 *
 * | reply | `update`, `partialUpdate` | `create` | `delete` |
 * |---|---|---|---|
 * | has a pk | writes `{ ...sent, ...reply }` | the same | deletes its record |
 * | has no pk (204, `""`, `{}`, `"OK"`) | writes `{ ...params, ...sent }`, stale | writes nothing | deletes `params`' record |
 *
 * @param subject The pk of the record that the mutation changes, as far as it is known.
 */
export function readReply(this: RestEndpointBase, reply: Value, args: Args, subject: string | undefined): Reply {
  const { E, params, sent, member, shown } = readCall(this, args, subject), isDelete = this.method === "DELETE";
  if (!E || (Array.isArray(reply) && this.schema.item)) return { value: reply };
  // `replyOrParams` has replaced an empty reply to a delete by the params. They must not be taken for a record.
  if (reply !== params && pkOf(E, reply, args, member) !== undefined) return { value: reply, sent };
  return { value: subject && shown, sent, isStale: !isDelete };
}

/** A mutation with the list endpoint of its resource. */
type Mutation = RestEndpointBase & { readonly lists: RestEndpointBase & { readonly "~collection"?: unknown } };

/** The option `expires` for lists that are plain arrays: a create or delete makes them stale. */
export function expireList(this: Mutation): readonly RestEndpointBase[] {
  return [this.lists];
}
/**
 * The option `expires` for Collections: without a pk in the reply, no list can tell what joins or leaves it. It expires
 * lists that an app has made plain arrays, too.
 */
export function expireUnknown(this: Mutation, args: Args, reply: Value): readonly RestEndpointBase[] {
  const { E, member } = readCall(this, args);
  return this.lists["~collection"] && E && pkOf(E, reply, args, member) !== undefined ? [] : [this.lists];
}

/** The option `getOptimisticResponse` of `optimistic: true`: shows the members that are sent. */
export function showSent(this: RestEndpointBase, snapshot: Value, ...args: Args): Value {
  const { subject } = snapshot, { method } = this, { E, record, shown } = readCall(this, args, subject);
  // A PATCH sends some members. If the store does not have the record, they would look like the whole record.
  if (!E || (method === "PATCH" && !snapshot.get(E, subject))) throw snapshot.abort;
  if (method === "POST" && pkOf(E, record) === undefined) {
    // Only a try tells which member `pk` reads. That one gets the temporary id.
    const name = Object.keys(E.defaults).find((name) => pkOf(E, { ...record, [name]: "~" })) ?? "id";
    record[name] = snapshot.temporaryId?.();
  }
  return shown;
}
