import type { Reply } from "../endpoint/endpoint_types.ts";
import { entityOf } from "../store/schema.ts";
import { pkText } from "../plain/pk_text.ts";
import { isPlain } from "../plain/equal.ts";

/** The pk of plain data with members; `undefined` where it has none. */
export function pkOf(E: any, value: any): string | undefined {
  try {
    return isPlain(value) && Object.keys(value).length && !Array.isArray(value)
      ? pkText(E.pk(value, undefined, undefined, []))
      : undefined;
  } catch {
    // `pk` needs members that are not there.
  }
}

/** Of a plain object, the members that the class declares. */
function declared(E: any, given: any): any {
  const members: any = {};
  if (isPlain(given)) {
    for (const name in given) if (name in E.defaults && given[name] !== undefined) members[name] = given[name];
  }
  return members;
}
/** The members that params give to a record; none where its pk is another than they say, as of `me`. */
const named = (E: any, params: any, subject: any): any =>
  pkOf(E, declared(E, params)) === subject ? declared(E, params) : undefined;

/** Of the mutations of a resource: what the server does not say is what was shown, or sent. */
export function readReply(this: any, reply: any, args: readonly any[], subject: string | undefined): Reply {
  const { schema, method } = this, E = entityOf(schema), { params, body } = this.readArgs(args);
  if (!E || Array.isArray(reply)) return { value: reply };
  if (pkOf(E, reply) === undefined) reply = method === "DELETE" ? subject : subject && { ...named(E, params, subject) };
  return { value: reply, sent: declared(E, body) };
}

/** What `optimistic: true` shows: what was sent. */
export function showSent(this: any, snapshot: any, ...args: any[]): any {
  const { schema, method } = this, E = entityOf(schema), { params, body } = this.readArgs(args), { subject } = snapshot;
  if (!E || method === "DELETE") return subject ?? params;
  if (method === "POST") {
    const sent = { ...declared(E, params), ...declared(E, body) };
    return pkOf(E, sent) === undefined ? { ...sent, id: snapshot.temporaryId?.() } : sent;
  }
  // Some members of a record that is not there would be shown as the whole record.
  if (method === "PATCH" && !snapshot.get(E, subject)) throw snapshot.abort;
  return { ...named(E, params, subject), ...declared(E, body) };
}
