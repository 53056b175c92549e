import type { Patch } from "../../store/patch.ts";
import type { PlainPatch } from "../../store/plain_patch.ts";
import type { Store } from "../../store/store.ts";
import { redactedIfKnown, redactedIn } from "../secrets/redacted_by.ts";
import { redactText } from "../secrets/redact_text.ts";
import { withoutMembers } from "../secrets/without_members.ts";

/**
 * Leaves out of a commit what never leaves the process: members in `static redact` of their class, and lists and answers
 * that were asked for with one. What is merged elsewhere keeps there what is left out here.
 *
 * @param store Whose commit it is.
 * @param described The commit.
 * @param patch What it was described from; `undefined` where the store has let go of something.
 */
export function redactCommit(store: Store, described: PlainPatch, patch?: Patch): PlainPatch {
  const known = new Map<string, ReadonlySet<string>>();
  const namesOf = (key: string): ReadonlySet<string> => {
    let names = known.get(key);
    if (names === undefined) known.set(key, names = redactedIn(store.tables.byKey.get(key)));
    return names;
  };
  const without = <T extends { readonly before: unknown; readonly after: unknown }>(
    one: T,
    names: ReadonlySet<string>,
  ): T => {
    const [before, after] = [one.before, one.after].map((value) =>
      withoutMembers(value, names, undefined, (member) => isListOf(member, names))
    );
    return before === one.before && after === one.after ? one : { ...one, before, after };
  };
  return {
    ...described,
    records: described.records
      .filter(({ key, pk }) => !isListOf(pk, namesOf(key)))
      .map((record) => without(record, namesOf(record.key))),
    endpoints: described.endpoints.flatMap((answer, at) => {
      // They are described in the order of the patch.
      const entry = patch?.entries[at];
      const names = redactedIfKnown(store, entry?.shape?.schema);
      const isAskedWith = redactText(answer.key, names) !== answer.key ||
        withoutMembers(entry?.args, names) !== entry?.args ||
        [answer.before, answer.after].some((result) => isListOf(result, names));
      return isAskedWith ? [] : [without(answer, names)];
    }),
  };
}

/** Whether a text names a list that was asked for with such a member. */
function isListOf(text: unknown, names: ReadonlySet<string>): boolean {
  return typeof text === "string" && text.startsWith("{") && redactText(text, names) !== text;
}
