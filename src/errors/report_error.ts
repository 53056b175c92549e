/** Hands an error to the platform as an uncaught one, without unwinding the caller. */
export function reportError(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
