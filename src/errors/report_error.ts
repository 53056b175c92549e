/** Hands an error to the platform as an uncaught one, without unwinding the caller. */
export function reportError(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** Runs what must not keep its caller from going on: what it throws is reported. */
export function attempt(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    reportError(error);
  }
}

/** What something gives; `undefined` where it throws: for what somebody threw or sent, which may be a revoked proxy. */
export function tried<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
