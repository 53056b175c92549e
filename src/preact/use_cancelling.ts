import type { AnyEndpoint, RunEndpoint } from "../endpoint/endpoint_types.ts";
import { checks } from "../errors/mod.ts";
import { equal } from "../plain/equal.ts";
import type { Args, Value } from "../plain/value.ts";
import type { NullableArgs } from "../store/infer.ts";
import { type Memory, useMemory } from "./_internals.ts";

class Cancelling implements Memory {
  #abort = new AbortController();
  #args: Args | undefined;
  #endpoint: RunEndpoint | undefined;
  #given: RunEndpoint | undefined;
  follow(endpoint: RunEndpoint, args: Args): RunEndpoint {
    const isOther = this.#args && !equal(args, this.#args);
    if (isOther) {
      this.stop();
      this.#abort = new AbortController();
    }
    this.#args = args;
    if (isOther || endpoint !== this.#endpoint) {
      const { signal } = this.#abort, own = endpoint.signal;
      this.#endpoint = endpoint;
      this.#given = endpoint.extend({ signal: own ? AbortSignal.any([own, signal]) : signal });
    }
    return this.#given!;
  }
  stop(): void {
    const abort = this.#abort;
    // The abort waits for the end of the rendering, because it may take back what other components show.
    queueMicrotask(() => abort.abort());
  }
}

/**
 * Returns an endpoint whose calls are aborted when the component is unmounted, or rendered with other arguments.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Endpoint } from "@rejoin/data";
 * import { useCancelling, useController } from "@rejoin/data/preact";
 *
 * const upload = new Endpoint(async (id: string) => await Promise.resolve(id), { name: "upload", sideEffect: true });
 * function Upload({ id }: { id: string }) {
 *   const controller = useController(), cancelled = useCancelling(upload, id);
 *   return <button type="button" onClick={() => controller.fetch(cancelled, id)}>Upload</button>;
 * }
 * assert(Upload.length === 1);
 * ```
 *
 * @param endpoint The endpoint to call.
 * @param args The arguments of the calls, or the first of them. When they change, the calls for the old ones are
 * aborted.
 * @returns The endpoint, the same object while the arguments are equal. An aborted call rejects with an error for which
 * `isEnding` is true.
 */
export function useCancelling<E extends AnyEndpoint>(
  endpoint: E,
  ...args: Partial<NullableArgs<E["~types"]["args"]>>
): E;
export function useCancelling(endpoint: Value, ...args: Value[]): Value {
  checks.given?.(endpoint, "called", "useCancelling");
  return useMemory(() => new Cancelling()).follow(endpoint, args);
}
