/**
 * Properties that run a hundred thousand times.
 *
 * @module
 */
import * as fc from "fast-check";
import { flush } from "./clock.ts";

/**
 * As `fc.property`, with a turn of the event loop after each run: in one that never ends, whatever was reached by a weak
 * reference stays, and with it the store of each run.
 */
export const breathing: typeof fc.property = ((...args: readonly unknown[]) => {
  const predicate = args.at(-1) as (...values: readonly unknown[]) => unknown;
  const run = async (...values: readonly unknown[]) => {
    const result = predicate(...values);
    await flush();
    return result;
  };
  return (fc.asyncProperty as (...args: readonly unknown[]) => unknown)(...args.slice(0, -1), run);
}) as unknown as typeof fc.property;
