/**
 * The check of deep data.
 *
 * @module
 */
import type { DepthStore, RawKnot } from "./contestant.ts";
import { makeKnots, type Shape } from "./scenarios_depth.ts";

/** Throws an error that says what the contestant did wrong. */
export function checkDepth(name: string, createStore: () => DepthStore, shape: Shape, count: number): void {
  const fail = (problem: string): never => {
    throw new Error(`${name}: a ${shape} of ${count}: ${problem}`);
  };
  const store = createStore();
  const expectRead = (expected: RawKnot) => {
    let knots = 0;
    let last: RawKnot | undefined;
    for (
      let found = store.read(), sent: RawKnot | undefined = expected;
      sent !== undefined;
      found = found!.next, sent = sent.next
    ) {
      if (found?.id !== sent.id || found.value !== sent.value) fail(`knot ${sent.id} is not as it was sent`);
      if (found?.tooth?.id !== sent.tooth?.id) fail(`the tooth of ${sent.id} is not as it was sent`);
      knots += sent.tooth === undefined ? 1 : 2;
      last = found;
    }
    if (knots !== count) fail(`${knots} knots were read`);
    return last!;
  };
  store.write(makeKnots(shape, count));
  expectRead(makeKnots(shape, count));
  const before = store.read();
  store.write(makeKnots(shape, count));
  if (store.read() !== before) fail("an equal one gives another object");
  store.write(makeKnots(shape, count, 77));
  expectRead(makeKnots(shape, count, 77));
  if (store.read() === before) fail("a change in the innermost leaves the outermost the same object");
  const { entities } = store.dehydrate() as { entities: Record<string, object> };
  const [table] = Object.values(entities);
  if (Object.keys(table!).length !== count) fail("the plain state lacks records");
}
