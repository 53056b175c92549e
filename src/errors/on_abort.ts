/**
 * Listens to a signal.
 *
 * @param signal Whose abort.
 * @param run What to call then.
 * @returns How to let go of the signal.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  signal.addEventListener("abort", run);
  return () => signal.removeEventListener("abort", run);
}
