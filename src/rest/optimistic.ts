/**
 * What the mutations of a resource show before the server answers.
 *
 * @module
 */
import type { Snapshot } from "../endpoint/interface.ts";
import type { EntityStatics } from "../schemas/interface.ts";
import { pkOf, sentMembers, subjectOfCall } from "./mutation_replies.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/** The record that a call is about; it shows nothing where that is not known. */
export function shownSubject(endpoint: AnyRestEndpoint, snapshot: Snapshot, args: readonly unknown[]) {
  const subject = subjectOfCall(endpoint, args, snapshot);
  if (subject?.entity === undefined || subject.unclear) throw snapshot.abort;
  return { ...subject, entity: subject.entity };
}

/** Shows the record that is sent, or each of several, under a temporary name unless it has one already. */
export function created(this: AnyRestEndpoint, snapshot: Snapshot, ...args: readonly unknown[]): unknown {
  const { entity, put } = shownSubject(this, snapshot, args);
  const parts = this.readArgs(args);
  const { body } = parts;
  if (typeof body !== "object" || body === null) throw snapshot.abort;
  if (Array.isArray(body)) return put(body.map((item) => withName(entity, { ...item as object }, args, snapshot)));
  const members = sentMembers(parts);
  // A stream or a file: nobody knows what will become of it.
  if (Object.keys(members).length === 0 && Object.prototype.toString.call(body) !== "[object Object]") {
    throw snapshot.abort;
  }
  return put(withName(entity, members, args, snapshot));
}

/** Members with a pk. Which of them makes it, the class knows: it is asked of each. */
export function withName(entity: EntityStatics, members: object, args: readonly unknown[], snapshot: Snapshot): object {
  if (pkOf(entity, members, args) !== undefined) return members;
  const id = snapshot.temporaryId();
  for (const name of ["id", ...Object.keys(entity.defaults)]) {
    const named = { ...members, [name]: id };
    if (pkOf(entity, named, args) === id) return named;
  }
  // Its pk is made of several members: what the server will make of them cannot be guessed.
  throw snapshot.abort;
}

/** Shows what is sent. */
export function sent(this: AnyRestEndpoint, snapshot: Snapshot, ...args: readonly unknown[]): unknown {
  const { entity, put } = shownSubject(this, snapshot, args);
  const parts = this.readArgs(args);
  const value = { ...parts.params, ...sentMembers(parts) };
  if (pkOf(entity, value, args) === undefined) throw snapshot.abort;
  return put(value);
}

/** Shows what is sent over the record that is there; nothing when there is none. Writing merges the two. */
export function sentOverCurrent(this: AnyRestEndpoint, snapshot: Snapshot, ...args: readonly unknown[]): unknown {
  const { entity, put } = shownSubject(this, snapshot, args);
  const parts = this.readArgs(args);
  const value = { ...parts.params, ...sentMembers(parts) };
  const pk = pkOf(entity, { ...parts.record, ...value }, args);
  const current = pk === undefined ? snapshot.get(entity, parts.params) : snapshot.get(entity, pk);
  if (current === undefined) throw snapshot.abort;
  // Without a pk in what is sent, the record found by other members says which it is.
  return put(pkOf(entity, value, args) === undefined ? { ...current, ...value } : value);
}

/** Shows that the record of the parameters is gone. */
export function named(this: AnyRestEndpoint, snapshot: Snapshot, ...args: readonly unknown[]): unknown {
  const { entity, put } = shownSubject(this, snapshot, args);
  const { params, record = params } = this.readArgs(args);
  if (pkOf(entity, record, args) === undefined) throw snapshot.abort;
  return put(record);
}
