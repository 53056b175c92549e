/** Hands an error to the platform as an uncaught one, without unwinding the caller. */
export function reportError(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/**
 * Runs what must not keep its caller from going on: what it throws, at once or as a promise, is reported.
 *
 * @param run What to run.
 * @param report Is told of what was thrown. Defaults to reporting it as an uncaught error.
 */
export function attempt(run: () => unknown, report: (reason: unknown) => void = reportError): void {
  try {
    const result = run();
    if (result instanceof Promise) result.catch(report);
  } catch (error) {
    report(error);
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
