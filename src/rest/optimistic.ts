/**
 * What the mutations of a resource show before the server answers.
 *
 * @module
 */
import type { Snapshot } from "../endpoint/interface.ts";
import { tagOf } from "../errors/kind_of.ts";
import { type Call, callOf } from "./call.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/** What a call shows of the record that it is about; nothing where that is not known. */
export function showing(show: (call: Call) => unknown) {
  return function (this: AnyRestEndpoint, snapshot: Snapshot, ...args: readonly unknown[]): unknown {
    const call = callOf(this, args, snapshot);
    if (call?.entity === undefined || call.unclear) throw snapshot.abort;
    return call.put(show(call as Call));
  };
}

/** Shows the record that is sent, or each of several, under a temporary name unless it has one already. */
export const created = /* @__PURE__ */ showing((call) => {
  const { body, members, snapshot } = call;
  if (Array.isArray(body)) return body.map((item) => withName({ ...item as object }, call));
  // A stream or a file: nobody knows what will become of it.
  const isData = Object.keys(members).length > 0 || tagOf(body) === "Object";
  if (!isData) throw snapshot.abort;
  return withName(members, call);
});

/** Members with a pk. Which of them makes it, the class knows: it is asked of each. */
export function withName(members: object, { entity, pkOf, snapshot }: Call): object {
  if (pkOf(members) !== undefined) return members;
  const id = snapshot.temporaryId();
  for (const name of ["id", ...Object.keys(entity.defaults)]) {
    const named = { ...members, [name]: id };
    if (pkOf(named) === id) return named;
  }
  // Its pk is made of several members: what the server will make of them cannot be guessed.
  throw snapshot.abort;
}

/** Shows what names a record. */
function showNamed(value: object, { pkOf, snapshot }: Call): object {
  if (pkOf(value) === undefined) throw snapshot.abort;
  return value;
}

/** Shows what is sent. */
export function showSent(call: Call): object {
  return showNamed({ ...call.params, ...call.members }, call);
}

/** Shows what is sent in place of the record. */
export const sent = /* @__PURE__ */ showing(showSent);

/** Shows what is sent over the record that is there; nothing when there is none. Writing merges the two. */
export const sentOverCurrent = /* @__PURE__ */ showing(({ entity, params, members, record, pkOf, snapshot }) => {
  const sent = { ...params, ...members };
  const current = snapshot.get(entity, pkOf({ ...record, ...sent }) ?? params);
  if (current === undefined) throw snapshot.abort;
  // Without a pk in what is sent, the record found by other members says which it is.
  return pkOf(sent) === undefined ? { ...current, ...sent } : sent;
});

/** Shows that the record of the parameters is gone. */
export const named = /* @__PURE__ */ showing((call) => showNamed(call.record, call));
