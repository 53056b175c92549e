/** The number of lives in a property test: the stated number with `REJOIN_SOAK=1`, else as many as take a moment. */
export const RUNS: number = Deno.env.get("REJOIN_SOAK") ? 20_000 : 400;

/** A random generator with a seed (mulberry32). It returns whole numbers below a limit. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed * 7919 + 17;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000 * below);
  };
}
