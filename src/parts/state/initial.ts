import type { Part } from "../../controller/controller.ts";
import { loadState, type State } from "./state.ts";

/** With it, a controller begins with what another one knew. */
export function initial(state: Partial<State> | null): Part {
  return { init: ({ store }) => loadState(store, state) };
}
