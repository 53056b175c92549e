import { clock } from "../../deps/clock.ts";
import type { Controller, Part } from "../../controller/controller.ts";
import { lateBoundaries } from "../../controller/late_boundaries.ts";
import { applyPatch } from "../../store/apply_patch.ts";
import type { State } from "./form.ts";
import { isOfThisVersion, statePatch } from "./state_patch.ts";

/**
 * A part that begins with what `stateOf` gave elsewhere: of a server's rendering, of the last visit. It counts as older
 * than anything that is asked for.
 *
 * @param state Plain tables, as JSON brings them; `null`, as storage gives it that holds nothing, and `undefined` are
 *   nothing, and so is a state of another version, with a warning.
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
export function hydrate(state: Partial<State> | null | undefined): Part;
/**
 * Puts everything that `stateOf` gave in the place of everything that is known; what is in flight rejects with
 * `OvertakenError`. For devtools.
 *
 * @param controller Whose.
 * @param state Plain tables, as JSON brings them. With one of another version nothing happens but a warning.
 * @throws {RejoinError} If it is no object.
 */
export function hydrate(controller: Controller, state: Partial<State>): void;
export function hydrate(
  first: Controller | Partial<State> | null | undefined,
  ...given: readonly Partial<State>[]
): Part | void {
  if (given.length === 0) return { init: (controller) => beginWith(controller, (first ?? {}) as Partial<State>) };
  const controller = first as Controller;
  // `null` and `undefined` are refused: everything that is known would go.
  const state = given[0]!;
  if (!isOfThisVersion(state)) return;
  controller.dispatch({
    type: "replace",
    state,
    seq: controller.store.sequence.take(),
    date: clock.now(),
    reduce: (store, action) => {
      const patch = statePatch(store, state, action);
      patch.forget();
      return patch;
    },
  });
}

function beginWith(controller: Controller, state: Partial<State>): void {
  if (!isOfThisVersion(state)) return;
  const { store } = controller;
  const patch = statePatch(store, state, { seq: 0, date: 0 });
  // Nobody is told of records: they are older than all that others do. But what was kept of the store is of before.
  store.release(() => applyPatch(store, patch, []), {}, { type: "collect", seq: 0, date: 0 });
  // Another state says nothing of the page.
  if (state.late !== undefined) lateBoundaries.set(controller, [state.late].flat());
}
