/**
 * What nobody has needed for long is collected: `onCommit` tells of it, without anybody having sent it.
 */
export interface CollectAction {
  /** Tells it from the others. */
  readonly type: "collect";
  /** Where it stands in the order of writes. */
  readonly place: number;
  /** When; ms since 1970. */
  readonly date: number;
}
