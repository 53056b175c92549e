import type { Controller } from "../../controller/controller.ts";
import type { Store } from "../../store/store.ts";
import type { State } from "./form.ts";
import { describeState } from "./state.ts";
import { withoutSecrets } from "./without_secrets.ts";

const described = new WeakMap<Store, { readonly of: number; readonly state: State }>();

/**
 * Everything that a controller knows, as plain data that JSON can carry; without what pending mutations show, and
 * without the members in `static redact` of their class: what lacks one is stale.
 *
 * @param controller Whose.
 * @returns The same object until the next commit.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, stateOf } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   static key = "Article";
 * }
 * const controller = new Controller();
 * controller.set(Article, "5", { id: "5" });
 * assert(stateOf(controller).entities.Article?.["5"] !== undefined);
 * ```
 */
export function stateOf({ store }: Controller): State {
  const known = described.get(store);
  if (known?.of === store.commits) return known.state;
  const state = withoutSecrets(store, describeState(store));
  described.set(store, { of: store.commits, state });
  return state;
}
