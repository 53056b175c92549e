/**
 * Walls that do not hold yet, with what is held meanwhile: a test fails above the figure here, and when a wall holds, until
 * it is taken off the list.
 *
 * @module
 */
import { assert } from "@std/assert";

const OPEN: Readonly<Record<string, number>> = {
  "what README.md teaches": 17_600,
  "app with hooks": 16_600,
  "resources, no UI": 13_800,
};

/** Asserts that a figure is within its wall, or where that is open, within what was reached last. */
export function holds(wall: string, figure: number, bound: number, detail = ""): void {
  const reached = OPEN[wall];
  console.log(`${wall}: ${figure}, wall ${bound}${reached ? `, open: ${reached}` : ""}`);
  assert(figure <= (reached ?? bound), `${wall}: ${figure}, more than ${reached ?? bound}\n${detail}`);
  assert(!reached || figure > bound, `${wall} holds now: take it off the list in tests/repo/open_walls.ts`);
}
