/**
 * Runs a task for each value, a few at a time.
 *
 * @module
 */

/** Resolves when all tasks have ended; rejects with the first error. */
export async function parallel<T>(
  limit: number,
  values: readonly T[],
  task: (value: T) => Promise<void>,
): Promise<void> {
  const waiting = values.values();
  await Promise.all(Array.from({ length: limit }, async () => {
    for (const value of waiting) await task(value);
  }));
}
