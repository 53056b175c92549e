/**
 * What the mutations of a resource show before the server answers.
 *
 * @module
 */
import type { Snapshot } from "../endpoint/interface.ts";
import type { EntityStatics } from "../schemas/interface.ts";
import type { CallParts } from "./call_parts.ts";
import { type CallSubject, subjectOfCall } from "./call_subject.ts";
import type { Params } from "./path_template.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";
import { membersOf, pkOf } from "./sent_record.ts";

/** A call whose record is known. */
export interface ShownCall extends CallSubject {
  readonly entity: EntityStatics;
  readonly parts: CallParts;
  readonly args: readonly unknown[];
  readonly snapshot: Snapshot;
  /** The parameters of the call, and what its body sends. */
  readonly sent: Params;
}

/** What a call shows of the record that it is about; nothing where that is not known. */
export function showing(show: (call: ShownCall) => unknown) {
  return function (this: AnyRestEndpoint, snapshot: Snapshot, ...args: readonly unknown[]): unknown {
    const subject = subjectOfCall(this, args, snapshot);
    if (subject?.entity === undefined || subject.unclear) throw snapshot.abort;
    const parts = this.readArgs(args);
    const sent = { ...parts.params, ...membersOf(parts.body) };
    return subject.put(show({ ...subject, entity: subject.entity, parts, args, snapshot, sent }));
  };
}

/** Shows the record that is sent, or each of several, under a temporary name unless it has one already. */
export const created = /* @__PURE__ */ showing((call) => {
  const { parts: { body }, snapshot } = call;
  if (Array.isArray(body)) return body.map((item) => withName({ ...item as object }, call));
  const members = membersOf(body);
  // A stream or a file: nobody knows what will become of it.
  const isData = Object.keys(members).length > 0 || Object.prototype.toString.call(body) === "[object Object]";
  if (!isData) throw snapshot.abort;
  return withName(members, call);
});

/** Members with a pk. Which of them makes it, the class knows: it is asked of each. */
export function withName(members: object, { entity, args, snapshot }: ShownCall): object {
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
export function showSent({ entity, sent, args, snapshot }: ShownCall): Params {
  if (pkOf(entity, sent, args) === undefined) throw snapshot.abort;
  return sent;
}

/** Shows what is sent in place of the record. */
export const sent = /* @__PURE__ */ showing(showSent);

/** Shows what is sent over the record that is there; nothing when there is none. Writing merges the two. */
export const sentOverCurrent = /* @__PURE__ */ showing(({ entity, parts, sent, args, snapshot }) => {
  const pk = pkOf(entity, { ...parts.record, ...sent }, args);
  const current = snapshot.get(entity, pk ?? parts.params);
  if (current === undefined) throw snapshot.abort;
  // Without a pk in what is sent, the record found by other members says which it is.
  return pkOf(entity, sent, args) === undefined ? { ...current, ...sent } : sent;
});

/** Shows that the record of the parameters is gone. */
export const named = /* @__PURE__ */ showing((call) => {
  const { params, record = params } = call.parts;
  return showSent({ ...call, sent: record as Params });
});
