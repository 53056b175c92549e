import { TimeoutError } from "../errors/timeout_error.ts";
import { orAbort } from "./or_abort.ts";

/** Until when a request must be over. It counts the whole time; for uploads and downloads only silence. */
export class Deadline {
  /** Aborts when the time is over, or when a signal of the caller does. */
  readonly signal: AbortSignal;
  readonly #over = new AbortController();
  readonly #error: () => TimeoutError;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #end = Infinity;

  /**
   * @param ms How long, or how much silence.
   * @param about Method and URL, for the error.
   * @param signal Of the caller.
   */
  constructor(readonly ms: number, about: readonly string[], signal?: AbortSignal) {
    this.signal = signal ? AbortSignal.any([signal, this.#over.signal]) : this.#over.signal;
    this.#error = () => new TimeoutError(603, [...about, ms]);
    this.start();
  }
  /** Something moved: the time begins anew. */
  start(ms: number = this.ms): void {
    this.stop();
    this.#end = performance.now() + ms;
    // A timer of more than 24 days would run out at once.
    this.#timer = setTimeout(() => this.#over.abort(this.#error()), Math.min(ms, 2e9));
  }
  stop(): void {
    clearTimeout(this.#timer);
  }
  /** ms until it is over. */
  get left(): number {
    return this.#end - performance.now();
  }
  /**
   * The same stream, of which each chunk is a sign of life. It reads no chunk before it is asked for one.
   *
   * @param mayRest Silence counts only while a chunk is awaited: the reader takes its time.
   * @param failed Makes the error of a stream that breaks.
   */
  guard(stream: ReadableStream<Uint8Array>, mayRest: boolean, failed = (cause: unknown): unknown => cause): ReadableStream<Uint8Array> {
    const reader = stream.getReader();
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      this.start();
      try {
        const { done, value } = await orAbort(this.signal, () => reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        reader.cancel(cause).catch(() => {});
        throw this.signal.aborted ? cause : failed(cause);
      } finally {
        if (mayRest) this.stop();
        else this.start();
      }
    };
    return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
  }
}
