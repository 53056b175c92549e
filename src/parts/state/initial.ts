import type { Part } from "../../controller/part.ts";
import { loadState, type State } from "./state.ts";

/** With it, a controller begins with what another one knew. */
export function initial(state: Partial<State> | null): Part {
  return { install: ({ store }) => loadState(store, state) };
}
