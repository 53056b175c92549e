/**
 * Counts listeners, to show that nothing remains.
 *
 * @module
 */

/** What {@linkcode countListeners} gives. */
export interface ListenerCount {
  /** Listeners that were added since, and not removed. */
  readonly count: number;
}

/**
 * Counts the listeners that code adds to a target from now on. Those that a platform adds inside are not seen.
 *
 * @param target An abort signal, a window, any event target.
 * @returns The count, live.
 */
export function countListeners(target: EventTarget): ListenerCount {
  const listeners = new Set<unknown>();
  const add = target.addEventListener.bind(target);
  const remove = target.removeEventListener.bind(target);
  target.addEventListener = (...args: Parameters<typeof add>): void => {
    listeners.add(args[1]);
    add(...args);
  };
  target.removeEventListener = (...args: Parameters<typeof remove>): void => {
    listeners.delete(args[1]);
    remove(...args);
  };
  return {
    get count() {
      return listeners.size;
    },
  };
}
