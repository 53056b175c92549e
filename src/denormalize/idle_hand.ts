/** How many entries are looked at for one to forget: where all are in use, a search would cost all of them each time. */
const MAX_LOOKS = 16;

/**
 * Goes round a map and finds what nobody uses, the oldest first. What is in use stays where it is, and is looked at
 * again on the next round: to put it behind the others would cost the map a rehash every few thousand entries.
 */
export class IdleHand<V> {
  readonly map: Map<string, V>;
  readonly #isIdle: (value: V) => boolean;
  #rest: Iterator<[string, V]> | undefined;

  /**
   * @param map Where to look.
   * @param isIdle Whether something may be forgotten.
   */
  constructor(map: Map<string, V>, isIdle: (value: V) => boolean) {
    this.map = map;
    this.#isIdle = isIdle;
  }

  /** The next entry that nobody uses; `undefined` when there was none among those that were looked at. */
  next(): [key: string, value: V] | undefined {
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      this.#rest ??= this.map.entries();
      const { done, value } = this.#rest.next();
      if (done) this.#rest = undefined;
      else if (this.#isIdle(value[1])) return value;
    }
    return undefined;
  }

  /** Begins anew: an iterator that rests would keep every table that the map has outgrown since. */
  rest(): void {
    this.#rest = undefined;
  }
}
