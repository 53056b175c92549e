import type { RunEndpoint } from "../endpoint/run_endpoint.ts";
import { checks } from "../errors/mod.ts";
import type { Value } from "../plain/value.ts";
import { Call, type Sequel } from "./_call.ts";
import type { UseMutation } from "./hook_types.ts";
import { useMemory } from "./_internals.ts";
import { useController } from "./use_controller.ts";

/** What a handler of events is given: with `onClick={mutate}` it would be the params. */
const isEvent = (value: Value): boolean => typeof value?.preventDefault == "function";

/**
 * A mutation, and how its latest call stands. A component runs again only for the members that it reads. When it goes, the
 * call goes on.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity, resource } from "@rejoin/data";
 * import { useMutation } from "@rejoin/data/preact";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static override key = "Article";
 * }
 * const ArticleResource = resource({ path: "/articles/:id", schema: Article });
 *
 * function Publish({ title }: { title: string }) {
 *   const { mutate, isPending, error } = useMutation(ArticleResource.create);
 *   if (error) return <p role="alert">{error.message}</p>;
 *   return <button type="button" disabled={isPending} onClick={() => mutate({ title })}>Publish</button>;
 * }
 * assert(Publish.length === 1);
 * ```
 *
 * @param endpoint What to call; no read. It may be another one at each rendering.
 * @param options What follows: `onSuccess(data, args)`, `onError(error, args)`; not after a `reset`, and not when the
 *   component is gone.
 * @returns The same object and functions at each rendering: `mutate` for handlers; `mutateAsync`, which gives what
 *   `controller.fetch` gives; `reset`; and `isPending`, `error` and `data` of the latest call. An error that neither
 *   `error` nor `onError` shows is an unhandled rejection.
 */
export const useMutation: UseMutation = (endpoint: Value, options: Sequel = {}): Value => {
  checks.given?.(endpoint, "changing", "useMutation");
  const controller = useController();
  const own = useMemory(() => {
    const call = new Call();
    const mutateAsync = (...given: Value[]): Promise<Value> => {
      const args = isEvent(given[0]) ? [] : given;
      return call.run(() => controller.fetch(own.endpoint, ...args), args, () => own.options);
    };
    return {
      endpoint: endpoint as RunEndpoint & Value, // of this rendering
      options,
      mutation: {
        mutateAsync,
        mutate: (...args: Value[]): void => void mutateAsync(...args),
        reset: call.reset,
        get isPending() {
          return call.isPending;
        },
        get error() {
          return call.error;
        },
        get data() {
          return call.data;
        },
      },
      stop: () => call.stop(),
    };
  });
  own.endpoint = endpoint;
  own.options = options;
  return own.mutation;
};
