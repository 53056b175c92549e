/**
 * Does something with each of many things, some at a time.
 *
 * @param stride How many are some.
 */
export function* inSteps<T>(
  things: Iterable<T>,
  stride: number,
  visit: (thing: T) => void,
): Generator<undefined, void, undefined> {
  let count = 0;
  for (const thing of things) {
    visit(thing);
    if (++count % stride === 0) yield;
  }
}

/**
 * Sorts many things in place, some at a time: runs that are sorted at once, then merged.
 *
 * @param compare As for `Array.prototype.sort`.
 * @param stride How many are some.
 */
export function* sortInSteps<T>(
  things: T[],
  compare: (a: T, b: T) => number,
  stride: number,
): Generator<undefined, void, undefined> {
  for (let from = 0; from < things.length; from += stride) {
    const run = things.slice(from, from + stride).sort(compare);
    for (let at = 0; at < run.length; at++) things[from + at] = run[at]!;
    yield;
  }
  let count = 0;
  for (let width = stride; width < things.length; width *= 2) {
    for (let from = 0; from + width < things.length; from += 2 * width) {
      const left = things.slice(from, from + width);
      let right = from + width;
      const end = Math.min(right + width, things.length);
      let to = from;
      for (let at = 0; at < left.length; to++) {
        things[to] = right < end && compare(things[right]!, left[at]!) < 0 ? things[right++]! : left[at++]!;
        if (++count % stride === 0) yield;
      }
    }
  }
}
