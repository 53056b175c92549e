import { clock } from "../../deps/clock.ts";
import { isInferable } from "../../denormalize/is_inferable.ts";
import { bareMark, type Entry, isBare } from "../../store/entry.ts";
import type { Released, Store } from "../../store/store.ts";

/** So many marks without an answer are kept: the oldest go first. */
const MAX_MARKS = 1_000;

/** Does what changes the state, as a commit does; who listens to commits is told as of any other removal. */
export function release(store: Store, what: Released, act: () => void): void {
  store.release(act, what, { type: "collect", seq: store.sequence.take(), date: clock.now() });
}

/**
 * What is to remain of an entry whose answer goes: that it was invalidated or expired. Else what is read in its place,
 * from records, would show what is hidden, or take for fresh what is not.
 */
export function markOf(entry: Entry): Entry | undefined {
  return entry.shape === undefined || isInferable(entry.shape.schema) ? bareMark(entry) : undefined;
}

/**
 * Lets go of the oldest marks that have no answer, where there are many. What was written before one of them is stale
 * from then on, whoever asks for it: it may be what the mark was about.
 */
export function* dropMarks(store: Store, marks: readonly string[], stride: number): Generator<undefined> {
  if (marks.length <= MAX_MARKS) return;
  const { entries, responsesByKey, tables } = store;
  const gone = marks.slice(0, -MAX_MARKS / 2);
  let seq = 0;
  for (const key of gone) for (const { staleSeq } of entries.of(key)) seq = Math.max(seq, staleSeq);
  for (const { slots } of tables.byKey.values()) {
    yield* inSteps(slots.values(), stride, (slot) => {
      if (slot.stamp.seq < seq) slot.stamp = { ...slot.stamp, expiresAt: 0 };
    });
  }
  const isLeft = (key: string) => !responsesByKey.has(key) && entries.of(key).every(isBare);
  release(store, {}, () => gone.filter(isLeft).forEach((key) => store.dropKey(key, [])));
}

/** Does something with each of many things, some at a time. */
export function* inSteps<T>(things: Iterable<T>, stride: number, visit: (thing: T) => void): Generator<undefined> {
  let count = 0;
  for (const thing of things) {
    visit(thing);
    if (++count % stride === 0) yield;
  }
}
