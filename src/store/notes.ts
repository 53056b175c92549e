import type { ReplyNote } from "../endpoint/interface.ts";

/** So many notes are kept; the oldest goes first. */
const MAX_NOTES = 10_000;

/** What replies left for other calls to find, by name: the version of a record that a later write is to be based on. */
export class Notes {
  readonly #byName = new Map<string, Note>();

  /** The value of a name; `undefined` when there is none. */
  get(name: string): unknown {
    return this.#byName.get(name)?.value;
  }

  /**
   * Keeps a note, unless one of a later sequence number is there.
   *
   * @param note Name and value.
   * @param seq Where the reply stands in the order of writes.
   * @param key The request key of the answer that it came with: the note is collected with that. A mutation has none, and
   *   leaves the note with the answer that it came with first.
   */
  set({ name, value }: ReplyNote, seq: number, key?: string): void {
    const before = this.#byName.get(name);
    if (before !== undefined && before.seq > seq) return;
    this.#byName.delete(name);
    // Also when there is no value: an older reply that comes late must not bring one back.
    this.#byName.set(name, { seq, value, key: key ?? before?.key });
    if (this.#byName.size > MAX_NOTES) this.#byName.delete(this.#byName.keys().next().value!);
  }

  /** Forgets what came with answers that are not there any more. */
  collect(isThere: (key: string) => boolean): void {
    for (const [name, { key }] of this.#byName) if (key !== undefined && !isThere(key)) this.#byName.delete(name);
  }

  /** Forgets everything. */
  clear(): void {
    this.#byName.clear();
  }
}

interface Note {
  readonly seq: number;
  readonly value: unknown;
  readonly key: string | undefined;
}
