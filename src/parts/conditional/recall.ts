import type { CallContext } from "../../endpoint/interface.ts";
import type { Patch } from "../../store/patch.ts";
import type { AnswerAction } from "../../store/reducers/next_entry.ts";
import type { Store, StorePart } from "../../store/store.ts";
import { partOf } from "../part_of.ts";

/** So many notes are kept; the oldest goes first. */
const MAX_NOTES = 10_000;

interface Note {
  readonly seq: number;
  readonly value: unknown;
}

/** What replies left for other calls to find, by name: the version of a record that a later write is to be based on. */
class Notes implements StorePart {
  readonly #byName = new Map<string, Note>();

  /** The value of a name; `undefined` when there is none. */
  get(name: string): unknown {
    return this.#byName.get(name)?.value;
  }

  committed({ reset, stamp: { seq } }: Patch, action: unknown): void {
    if (reset) this.#byName.clear();
    const { note } = (action as Partial<AnswerAction> | undefined)?.reply ?? {};
    if (note === undefined) return;
    const { name, value } = note;
    // One of a later sequence number stays.
    if (this.#byName.get(name)?.seq! > seq) return;
    this.#byName.delete(name);
    // Also when there is no value: an older reply that comes late must not bring one back.
    this.#byName.set(name, { seq, value });
    if (this.#byName.size > MAX_NOTES) this.#byName.delete(this.#byName.keys().next().value!);
  }
}

/**
 * What the last reply noted under a name, whichever endpoint it was of. The notes of a store are kept from the first call
 * of this on.
 *
 * @param context What the controller gave to the call.
 * @param name The name.
 * @returns The value; `undefined` when there is none.
 */
export function recall({ owner }: CallContext, name: string): unknown {
  return partOf(owner as Store, Notes).get(name);
}
