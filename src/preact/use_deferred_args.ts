import type { ReadEndpoint } from "../endpoint/interface.ts";
import { copyArgs } from "../endpoint/copy_plain.ts";
import type { ActiveArgs, FetchedEndpoint, InactiveArgs } from "../endpoint/readable.ts";
import type { NullableArgs } from "../schemas/infer.ts";
import type { ResponseView } from "../store/response_view.ts";
import { type Memory, useMemory } from "./_internals.ts";
import { useController } from "./use_controller.ts";
import { Reader, type Reading, useRead } from "./use_read.ts";

/**
 * The arguments to read by, a step behind those that are given: with new ones the old ones stay until there is something
 * to show for the new ones, or an error. So the old rows stay on the page, in every hook that reads by them, and as they
 * are in the store: they change with their records, and when the store is emptied, or they fail meanwhile, they are gone.
 *
 * What is new is asked for at once; what nobody waits for any more is given up.
 *
 * @param endpoint What is read by them; no mutation.
 * @param args The new arguments; `null` as the first: inactive, and at once.
 * @returns The arguments to read by, and whether newer ones are on their way.
 *
 * @example Search as you type, without a skeleton in between
 * ```tsx
 * import { assert } from "@std/assert";
 * import { createResource, Entity, typed } from "@rejoin/data";
 * import { useDeferredArgs, useSuspense } from "@rejoin/data/preact";
 *
 * class Film extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Film";
 * }
 * const FilmResource = createResource({ path: "/films/:id", schema: Film, searchParams: typed<{ q: string }>() });
 *
 * function Results({ q }: { q: string }) {
 *   const [args, isPending] = useDeferredArgs(FilmResource.getList, { q });
 *   const films = useSuspense(FilmResource.getList, ...args);
 *   return <ul aria-busy={isPending}>{films.map((film) => <li key={film.id}>{film.title}</li>)}</ul>;
 * }
 * assert(Results.length === 1);
 * ```
 */
export function useDeferredArgs<E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
  endpoint: FetchedEndpoint<E, G>,
  ...args: ActiveArgs<E["~types"]["args"], F>
): readonly [args: E["~types"]["args"], isPending: boolean];
/**
 * The same where the first argument may be `null`.
 *
 * @param endpoint What is read by them; no mutation.
 * @param args The new arguments, or `null`.
 * @returns The arguments to read by, and whether newer ones are on their way.
 */
export function useDeferredArgs<E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
  endpoint: FetchedEndpoint<E, G>,
  ...args: InactiveArgs<E["~types"]["args"], F>
): readonly [args: NullableArgs<E["~types"]["args"]>, isPending: boolean];
export function useDeferredArgs(endpoint: ReadEndpoint, ...args: readonly unknown[]): readonly [Args, boolean] {
  const reading = useRead(endpoint, args, "useDeferredArgs");
  const controller = useController();
  return useMemory((component) => new Deferral(new Reader(component, { controller }))).follow(endpoint, args, reading);
}

type Args = readonly unknown[];

/** What one component was shown last. */
class Deferral implements Memory {
  /** What was shown; `undefined`: nothing that may stay. */
  #view: ResponseView | undefined;
  #args: Args = [];
  /** Reads that once more. */
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  follow(endpoint: ReadEndpoint, args: Args, { view, isShown, loading }: Reading): readonly [Args, boolean] {
    const last = this.#view;
    // It may be another object at each rendering, with a token. Of what is another endpoint the old arguments may be none.
    if (loading !== undefined && last !== undefined && last !== view && endpoint.testKey(last.key)) {
      const before = this.#reader.read(endpoint, this.#args, undefined);
      if (before.view === last && before.isShown && before.error === undefined) return [this.#args, true];
    }
    if (!isShown || view === undefined) this.#view = undefined;
    else if (last !== view) {
      this.#view = view;
      this.#args = copyArgs(args);
    }
    return [args, false];
  }

  leave(): void {
    this.#reader.leave();
  }
}
