import type { Part } from "../../controller/controller.ts";
import { lateBoundaries } from "../../controller/late_boundaries.ts";
import { loadState, type State } from "./state.ts";

/** With it, a controller begins with what another one knew. */
export function initial(state: Partial<State> | null): Part {
  return {
    init: (controller) => {
      loadState(controller.store, state);
      if (Array.isArray(state?.late)) lateBoundaries.set(controller, [...state.late]);
    },
  };
}
