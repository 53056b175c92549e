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
