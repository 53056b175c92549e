import type { Reply } from "../endpoint/endpoint_types.ts";
import { isPlain } from "../plain/equal.ts";
import { pkText } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import { type EntityClass, entityOf, memberOf } from "../store/schema.ts";
import type { RestEndpointBase } from "./rest_endpoint.ts";

/** The pk of plain data with at least one member, or of a member of it. `undefined` where it has none. */
function pkOf(E: EntityClass, reply: Value, args: Args = [], member?: string): string | undefined {
  const value = member ? reply?.[member] : reply;
  if (!isPlain(value) || Array.isArray(value) || !Object.keys(value).length) return;
  try {
    return pkText(E.pk(E.process(value, undefined, "", args), undefined, "", args));
  } catch {
    // It needs members that are not there.
  }
}
/** Of a plain object, the members that the class declares, and the tag of a union. */
const declared = (E: EntityClass, given: Value, tag?: Value): Value =>
  Object.fromEntries(
    Object.entries(isPlain(given) ? given : {}).filter(([name]) => name in E.defaults || name === tag),
  );

/** What a call says of the record that it is about; `shown`: all of it, in the form of a reply. */
function readCall(endpoint: RestEndpointBase, args: Args, subject?: string): Value {
  const { schema, method } = endpoint, { params, body } = endpoint.readArgs(args);
  const E = entityOf(schema, { ...params, ...body }), member = memberOf(schema);
  if (!E) return {};
  const tag = (schema.entity ?? schema.item ?? schema).attribute;
  const named = declared(E, params, tag), sent = declared(E, body, tag);
  // Params such as `me` are no members.
  const isNamed = subject && pkOf(E, named) === subject;
  const record = method !== "DELETE"
    ? { ...(method === "POST" || isNamed) && named, ...sent }
    : isNamed
    ? named
    : subject;
  return { E, params, sent, member, record, shown: member ? { [member]: record } : record };
}

/**
 * What the reply of a mutation of a resource means for the store.
 *
 * | reply | `update`, `partialUpdate` | `create` | `delete` |
 * |---|---|---|---|
 * | has a pk | it is written, over what was shown or sent | the same | it is deleted |
 * | empty, or without a pk (204, `""`, `{}`, `"OK"`) | `{ ...params, ...sent }`, stale | nothing | what the params name is deleted |
 *
 * @param subject The pk of the record that the call is about, as far as that is known.
 */
export function readReply(this: RestEndpointBase, reply: Value, args: Args, subject: string | undefined): Reply {
  const { E, params, sent, member, shown } = readCall(this, args, subject), isDelete = this.method === "DELETE";
  if (!E || (Array.isArray(reply) && this.schema.item)) return { value: reply };
  // Of a delete that was answered with nothing, `process` has made the params the reply (see `replyOrParams`).
  if (reply !== params && pkOf(E, reply, args, member) !== undefined) return { value: reply, sent };
  return { value: subject && shown, sent, isStale: !isDelete };
}

/** A mutation knows the list of its resource. */
type Mutation = RestEndpointBase & { readonly lists: RestEndpointBase };

/** The option `expires` of a mutation that joins no list by itself: the list is stale. */
export function expireList(this: Mutation): readonly RestEndpointBase[] {
  return [this.lists];
}
/** The same, where the reply does not say which record it is about. */
export function expireUnknown(this: Mutation, args: Args, reply: Value): readonly RestEndpointBase[] {
  const { E, member } = readCall(this, args);
  return E && pkOf(E, reply, args, member) !== undefined ? [] : [this.lists];
}

/** What `optimistic: true` shows: what was sent. */
export function showSent(this: RestEndpointBase, snapshot: Value, ...args: Args): Value {
  const { subject } = snapshot, { method } = this, { E, record, shown } = readCall(this, args, subject);
  // Some members of a record that is not there would be shown as the whole record.
  if (!E || (method === "PATCH" && !snapshot.get(E, subject))) throw snapshot.abort;
  if (method === "POST" && pkOf(E, record) === undefined) {
    // Which member makes the pk, only a try tells.
    const name = Object.keys(E.defaults).find((name) => pkOf(E, { ...record, [name]: "~" })) ?? "id";
    record[name] = snapshot.temporaryId?.();
  }
  return shown;
}
