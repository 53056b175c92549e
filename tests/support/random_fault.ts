/**
 * What a network may do to a request, at random.
 *
 * @module
 */
import * as fc from "fast-check";
import type { Fault } from "./fault_fetch.ts";

/** A moment within a case, in ms. */
export const moment: fc.Arbitrary<number> = fc.integer({ min: 0, max: 60 });

const NAMES = [
  "delay",
  "replyDelay",
  "hold",
  "never",
  "lost",
  "reject",
  "throw",
  "hangBody",
  "cutBody",
  "drip",
  "deaf",
] as const satisfies readonly (keyof Fault)[];

const thrownValue = fc.constantFrom<{ readonly value: unknown }[]>(
  { value: null },
  { value: "text" },
  { value: 0 },
  { value: { name: "AbortError" } },
);
const fault: fc.Arbitrary<Fault> = fc.record({
  delay: moment,
  replyDelay: moment,
  hold: fc.constantFrom("request" as const, "reply" as const, "both" as const),
  never: fc.constantFrom("request" as const, "reply" as const),
  lost: fc.constantFrom("request" as const, "reply" as const),
  reject: thrownValue,
  throw: thrownValue,
  hangBody: fc.integer({ min: 0, max: 50 }),
  cutBody: fc.integer({ min: 0, max: 50 }),
  drip: fc.record({ bytes: fc.integer({ min: 1, max: 20 }), every: fc.integer({ min: 1, max: 30 }) }),
  deaf: fc.boolean(),
}, { requiredKeys: [] });

/** Faults are rare among the members of one record, so that each shows by itself and pairs still come up. */
export const rareFault: fc.Arbitrary<Fault> = fc.tuple(fault, fc.array(fc.constantFrom(...NAMES), { maxLength: 3 }))
  .map(([all, kept]) => {
    const some: Record<string, unknown> = {};
    for (const name of kept) if (all[name] !== undefined) some[name] = all[name];
    return some as Fault;
  });
