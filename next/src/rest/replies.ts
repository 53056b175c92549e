import type { Reply } from "../endpoint/endpoint_types.ts";
import { isPlain } from "../plain/equal.ts";
import { pkText } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import { type EntityClass, entityOf } from "../store/schema.ts";
import type { RestEndpointBase } from "./rest_endpoint.ts";

/** The pk of a reply: of plain data with at least one member. `undefined` where it has none. */
export function pkOf(E: EntityClass, value: Value, args: Args = []): string | undefined {
  if (!isPlain(value) || !Object.keys(value).length) return;
  try {
    return pkText(E.pk(E.process(value, undefined, "", args), undefined, "", args));
  } catch {
    // It needs members that are not there.
  }
}

/** Of a plain object, the members that the class declares. */
const declared = (E: EntityClass, given: Value): Value =>
  Object.fromEntries(
    isPlain(given) ? Object.entries(given).filter(([name, value]) => value !== undefined && name in E.defaults) : [],
  );
/** The members that params give to a record; none where its pk is another than they say, as of `me`. */
function named(E: EntityClass, params: Value, subject: string | undefined): Value {
  const members = declared(E, params);
  return pkOf(E, members) === subject ? members : {};
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
  const { schema, method } = this, E = entityOf(schema), { params, body } = this.readArgs(args);
  if (!E || Array.isArray(reply)) return { value: reply };
  const sent = declared(E, body);
  // The params are the reply of a delete that was answered with nothing.
  if (reply !== params && pkOf(E, reply, args) !== undefined) return { value: reply, sent };
  if (method === "DELETE" || subject === undefined) return { value: subject };
  return { value: named(E, params, subject), sent, isStale: true };
}

/** A mutation knows the list of its resource. */
type Mutation = RestEndpointBase & { readonly lists: RestEndpointBase };

/** The option `expires` of a mutation that joins no list by itself: the list is stale. */
export function expireList(this: Mutation): readonly RestEndpointBase[] {
  return [this.lists];
}
/** The same, where the reply does not say which record it is about. */
export function expireUnknown(this: Mutation, args: Args, reply: Value): readonly RestEndpointBase[] {
  const E = entityOf(this.schema);
  return E && pkOf(E, reply, args) !== undefined ? [] : [this.lists];
}

/** What `optimistic: true` shows: what was sent. */
export function showSent(this: RestEndpointBase, snapshot: Value, ...args: Args): Value {
  const { schema, method } = this, E = entityOf(schema), { params, body } = this.readArgs(args), { subject } = snapshot;
  if (!E || method === "DELETE") return subject ?? params;
  const sent = declared(E, body);
  if (method === "POST") {
    const made = { ...declared(E, params), ...sent };
    return pkOf(E, made) === undefined ? { ...made, id: snapshot.temporaryId?.() } : made;
  }
  // Some members of a record that is not there would be shown as the whole record.
  if (method === "PATCH" && !snapshot.get(E, subject)) throw snapshot.abort;
  return { ...named(E, params, subject), ...sent };
}
