import type { AnyEndpoint } from "../endpoint/interface.ts";
import { isPassing, keepAsking } from "../managers/healing.ts";
import { errorOf } from "../store/freshness.ts";
import type { Answer } from "../store/entry.ts";
import { addWatcher, unwatch } from "../store/watch.ts";
import type { FailedRead } from "./context.ts";

/** Stands in for the reader that was unmounted because its read failed: asks when that would, and tells when it changes. */
export class FailedReadWatch {
  /** Which read. */
  readonly read: FailedRead;
  readonly #changed: (error: object | undefined) => void;
  readonly #stopAsking: (() => void) | undefined;
  #seen: Answer;
  #release: (() => void) | undefined;

  /**
   * @param read Which read.
   * @param changed Is told once that it is no longer as it was, with the error that it fails with now, if it does.
   */
  constructor(read: FailedRead, changed: (error: object | undefined) => void) {
    const { controller: { store }, view } = read;
    this.read = read;
    this.#changed = changed;
    addWatcher(store, view, this);
    this.#seen = view.read(store.graph);
    if (isPassing(view)) this.#stopAsking = keepAsking(read.controller, view);
  }

  /** Called by the store after each commit that gave the read another answer. */
  told(): void {
    const { controller, view } = this.read;
    const { data, hasData, error, isInvalid, mark } = this.#seen;
    const answer = this.#seen = view.read(controller.store.graph);
    const isSame = answer.data === data && answer.hasData === hasData && answer.error === error;
    if (!isSame || answer.isInvalid !== isInvalid) {
      const next = errorOf(answer, view);
      this.#changed(typeof next === "object" && next !== null ? next : undefined);
      // After it: whoever goes on showing the same read goes on counting its failures.
      this.stop();
    } else if (answer.mark !== mark) this.#ask();
  }

  /** Nobody shows it any more. */
  stop(): void {
    const { controller: { store }, view } = this.read;
    unwatch(store, view, this);
    this.#stopAsking?.();
    this.#release?.();
  }

  /** It was marked stale: whoever reads it asks again, and goes on showing what there is. */
  #ask(): void {
    const { controller, view: { endpoint, args, key } } = this.read;
    try {
      const flight = controller.startRead(endpoint as AnyEndpoint, args, key);
      this.#release?.();
      this.#release = flight && controller.hold(flight);
    } catch {
      // The controller has stopped: the error stays.
    }
  }
}
