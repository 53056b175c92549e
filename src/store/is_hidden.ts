import { graphBelow } from "./layers.ts";
import { Patch } from "./patch.ts";
import { ResponseView } from "./response_view.ts";
import { NEVER } from "./slot.ts";
import type { Store } from "./store.ts";

/** Whether there is an answer, and a mutation that has not been answered shows that there is none: a delete, mostly. */
export function isHidden(store: Store, { endpoint, args, key, entry }: ResponseView): boolean {
  if (store.layers.length === 0) return false;
  return new ResponseView(endpoint, args, key, entry).read(graphBelow(new Patch(store, NEVER))).hasData;
}
