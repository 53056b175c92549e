/** What a promise settles with; it rejects at an abort, though the work may not listen to the signal. */
export function orAbort<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop);
    work().then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
