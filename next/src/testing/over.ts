/** A stretch of time that ends when a signal aborts, or when it is let go. */
export class Over {
  readonly #own = new AbortController();
  readonly #signal: AbortSignal | undefined;
  readonly #end = (): void => this.end();
  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    if (signal?.aborted) this.#own.abort();
    signal?.addEventListener("abort", this.#end);
  }
  /** Runs a function at the end. */
  after(run: () => void): void {
    if (this.#own.signal.aborted) run();
    else this.#own.signal.addEventListener("abort", run);
  }
  /** What a promise settles with, unless the signal aborts before. */
  race<T>(promise: Promise<T>): Promise<T> {
    promise.catch(() => {});
    return Promise.race([
      new Promise<never>((_, reject) => this.after(() => this.#signal?.aborted && reject(this.#signal.reason))),
      promise,
    ]);
  }
  pause(ms: number): Promise<void> {
    return new Promise((go) => {
      const timer = setTimeout(go, ms);
      this.after(() => clearTimeout(timer));
    });
  }
  end(): void {
    this.#signal?.removeEventListener("abort", this.#end);
    this.#own.abort();
  }
}
