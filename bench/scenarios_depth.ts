/**
 * Data that nests 100,000 entities. Whoever walks it by recursion ends with a full stack, so only those take part who
 * do not.
 *
 * @module
 */
import type { Contestant, DepthStore, RawKnot } from "./contestant.ts";
import { type TimedScenario, times } from "./scenario.ts";

/** How many entities are nested. */
export const DEPTH = 100_000;

/** A chain nests each in the one before; a comb has a tooth at every second, beside the one that leads on. */
export type Shape = "chain" | "comb";

/** Makes so many knots, nested, with a value in the innermost. By a loop: JSON.stringify would overflow. */
export function makeKnots(shape: Shape, count: number, value = 0): RawKnot {
  let root: RawKnot | undefined;
  for (let index = count; index > 0; index--) {
    const knot: RawKnot = { id: `${index}`, value: root === undefined ? value : index };
    if (root !== undefined) knot.next = root;
    if (shape === "comb" && index > 1) {
      knot.tooth = { id: `${index}`, value: index };
      knot.id = `${--index}`;
    }
    root = knot;
  }
  return root!;
}

function written(contestant: Contestant, shape: Shape): DepthStore {
  const store = contestant.createDepthStore!();
  store.write(makeKnots(shape, DEPTH));
  return store;
}

type Start = (contestant: Contestant, shape: Shape) => (operations: number) => () => number;

const STEPS: Readonly<Record<string, { readonly about: string; readonly start: Start }>> = {
  write: {
    about: "write",
    start: (contestant, shape) => (operations) => {
      const stores = times(operations, () => contestant.createDepthStore!());
      const roots = times(operations, () => makeKnots(shape, DEPTH));
      return () => {
        stores.forEach((store, index) => store.write(roots[index]!));
        return operations;
      };
    },
  },
  read: {
    about: "read for the first time",
    start: (contestant, shape) => (operations) => {
      const stores = times(operations, () => written(contestant, shape));
      return () => stores.reduce((count, store) => count + Number(store.read() !== undefined), 0);
    },
  },
  merge: {
    about: "write again with one change, in the innermost",
    start(contestant, shape) {
      const store = written(contestant, shape);
      let value = 0;
      return (operations) => {
        store.read();
        const roots = times(operations, () => makeKnots(shape, DEPTH, ++value));
        return () => {
          for (const root of roots) store.write(root);
          return operations;
        };
      };
    },
  },
  compare: {
    about: "write an equal one again",
    start(contestant, shape) {
      const store = written(contestant, shape);
      store.read();
      return (operations) => {
        const roots = times(operations, () => makeKnots(shape, DEPTH));
        return () => {
          for (const root of roots) store.write(root);
          return operations;
        };
      };
    },
  },
  dehydrate: {
    about: "the state as plain data",
    start: (contestant, shape) => (operations) => {
      // A store may keep what it gave until the next write.
      const stores = times(operations, () => written(contestant, shape));
      return () => stores.reduce((count, store) => count + Number(store.dehydrate() !== undefined), 0);
    },
  },
};

/** In the order in which they are run. */
export const DEPTH_SCENARIOS: readonly TimedScenario[] = (["chain", "comb"] as const).flatMap((shape) =>
  Object.entries(STEPS).map(([step, { about, start }]): TimedScenario => ({
    name: `${shape}-${step}`,
    about: `${about}: a ${shape} of ${DEPTH.toLocaleString("en")} entities`,
    family: "depth",
    unit: "ns",
    heavy: true,
    rows: DEPTH,
    supports: (contestant) => contestant.createDepthStore !== undefined,
    start: (contestant) => start(contestant, shape),
  }))
);
