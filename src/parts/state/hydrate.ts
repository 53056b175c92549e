import { clock } from "../../deps/clock.ts";
import type { Controller, Part } from "../../controller/controller.ts";
import { initial } from "./initial.ts";
import { replaceState } from "./replace.ts";
import { type State, stateFrom } from "./state.ts";

/**
 * A part that begins with what `stateOf` gave elsewhere: of a server's rendering, of the last visit. It counts as older
 * than anything that is asked for.
 *
 * @param state Plain tables, as JSON brings them; `null`, as storage gives it that holds nothing, is nothing.
 * @throws {RejoinError} When the controller is made, if it is no object.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, hydrate, stateOf } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const there = new Controller();
 * there.set(Article, "5", { id: "5", title: "Hello" });
 * const text = JSON.stringify(stateOf(there));
 * const here = new Controller({ use: [hydrate(JSON.parse(text))] });
 * assert(here.get(Article, "5")?.title === "Hello");
 * ```
 */
export function hydrate(state: Partial<State> | null): Part;
/**
 * Puts everything that `stateOf` gave in the place of everything that is known; what is in flight rejects with
 * `OvertakenError`. For devtools.
 *
 * @param controller Whose.
 * @param state Plain tables, as JSON brings them.
 */
export function hydrate(controller: Controller, state: Partial<State>): void;
export function hydrate(first: Controller | Partial<State> | null, second?: Partial<State>): Part | void {
  if (second === undefined) return initial(first as Partial<State> | null);
  const controller = first as Controller;
  const state = stateFrom(second);
  controller.dispatch({
    type: "replace",
    state,
    seq: controller.store.sequence.take(),
    date: clock.now(),
    reduce: (store, { seq, date }) => replaceState(store, state, seq, date),
  });
}
