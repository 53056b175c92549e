/** What a function of the app gives; `undefined` where it throws: it may be for values that are more than this. */
export function attempt<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
