import { RejoinError } from "./rejoin_error.ts";

/**
 * To be thrown by `getOptimisticResponse`, as `snapshot.abort` is: the call shows nothing before the server answers. It
 * never leaves the store.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { AbortOptimistic, Controller, Endpoint, Entity } from "@rejoin/data";
 *
 * class Film extends Entity {
 *   id = "";
 *   votes = 0;
 *   static key = "Film";
 * }
 * const vote = new Endpoint(async (params: { id: string }) => await Promise.resolve({ ...params, votes: 1 }), {
 *   name: "vote",
 *   schema: Film,
 *   sideEffect: true,
 *   getOptimisticResponse(snapshot, params) {
 *     const film = snapshot.get(Film, params) as Film | undefined;
 *     if (film === undefined) throw new AbortOptimistic();
 *     return { ...params, votes: film.votes + 1 };
 *   },
 * });
 * assert((await new Controller().fetch(vote, { id: "5" })).votes === 1);
 * ```
 */
export class AbortOptimistic extends RejoinError {
  override readonly name = "AbortOptimistic";

  /** Says what it is for. */
  constructor() {
    super("Nothing is shown before the server answers");
  }
}
