/** How long what comes beyond a bound has to be watched, in ms: it is to be rendered first. */
export const SETTLING = 1_000;

/** A moment, by the counts that tell what came after it. */
export interface Sample {
  /** Time that had passed, in ms. */
  readonly time: number;
  /** How often a view had been asked for. */
  readonly uses: number;
  /** What was written since has a later sequence number. */
  readonly seq: number;
}
