import { isInactive } from "../controller/is_inactive.ts";
import type { AnyEndpoint } from "../endpoint/interface.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import type { NullableArgs } from "../schemas/infer.ts";
import { checkGiven } from "./_check_given.ts";
import { type Memory, useMemory } from "./_internals.ts";

/**
 * An endpoint for calls by hand that end with their reason: what was called with it is given up when the component is
 * rendered with other arguments, and when it goes. Read hooks do so by themselves. Only this component's wait ends: the
 * request of a read goes on as long as somebody else waits for it.
 *
 * @param endpoint What is to be called.
 * @param args What the calls are for; `null` as the first: nothing.
 * @returns The endpoint with a signal; the same one as long as endpoint and arguments are. Its calls reject with an
 *   `AbortError` when they are given up, which `isEnding` knows.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity, isEnding, resource } from "@rejoin/data";
 * import { useCancelling, useController } from "@rejoin/data/preact";
 *
 * class Report extends Entity {
 *   id = "";
 *   text = "";
 *   static key = "Report";
 * }
 * const { get } = resource({ path: "/reports/:id", schema: Report });
 *
 * function CopyReport({ id }: { id: string }) {
 *   const controller = useController();
 *   const getReport = useCancelling(get, { id });
 *   const copy = async () => {
 *     try {
 *       await navigator.clipboard.writeText((await controller.fetch(getReport, { id })).text);
 *     } catch (error) {
 *       if (!isEnding(error)) throw error;
 *     }
 *   };
 *   return <button type="button" onClick={copy}>Copy</button>;
 * }
 * assert(CopyReport.length === 1);
 * ```
 */
export function useCancelling<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<E["~types"]["args"]>): E {
  checkGiven(endpoint, "call", "useCancelling");
  return useMemory(() => new Cancelling()).follow(endpoint, args) as E;
}

/** What one component may have to give up. */
class Cancelling implements Memory {
  #abort = new AbortController();
  /** What the calls are for. */
  #of: unknown;
  #endpoint: AnyEndpoint | undefined;
  #given: AnyEndpoint | undefined;

  /** The endpoint for these arguments; what was called for others is given up. */
  follow(endpoint: AnyEndpoint, args: readonly unknown[]): AnyEndpoint {
    // The key of a mutation may say nothing of its body.
    const of = isInactive(args) ? undefined : endpoint.sideEffect ? args : endpoint.key(...args);
    const isOther = this.#given !== undefined && !deepEqual(of, this.#of);
    if (isOther) {
      this.leave();
      this.#abort = new AbortController();
    }
    this.#of = of;
    if (isOther || endpoint !== this.#endpoint) {
      const { signal } = this.#abort;
      this.#endpoint = endpoint;
      this.#given = endpoint.extend({
        signal: endpoint.signal ? AbortSignal.any([endpoint.signal, signal]) : signal,
      }) as AnyEndpoint;
    }
    return this.#given!;
  }

  leave(): void {
    const abort = this.#abort;
    // Not while something is rendered: what an abort takes back is shown by others.
    queueMicrotask(() => abort.abort());
  }
}
