import { Controller } from "../controller/controller.ts";
import type { AnyEndpoint } from "../endpoint/endpoint_types.ts";
import { UsageError } from "../errors/mod.ts";
import { type State, stateOf } from "../parts/state.ts";
import type { Fixture, FixtureList } from "./fixture.ts";

/**
 * The state of a store in which these calls have just been answered: for `hydrate`, where nothing is to be waited for.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Controller, Entity, hydrate, resource } from "@rejoin/data";
 * import { mockInitialState } from "@rejoin/data/testing";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const { getList } = resource({ urlPrefix: "https://api.example.com", path: "/articles/:id", schema: Article });
 *
 * const state = mockInitialState([{ endpoint: getList, args: [], response: [{ id: "5", title: "Hello" }] }]);
 * const controller = new Controller({ use: [hydrate(state)] });
 * assertEquals(controller.get(Article, { id: "5" })?.title, "Hello");
 * ```
 *
 * @param list Which call has brought what.
 * @returns What `stateOf` gives.
 * @throws {UsageError} If a fixture has no `args`, or no response that is a value.
 */
export function mockInitialState<const E extends readonly AnyEndpoint[]>(list: FixtureList<E, undefined>): State {
  const controller = new Controller();
  for (const { endpoint, args, response } of list as unknown as readonly Fixture[]) { // each fits its own endpoint
    if (!args || response === undefined || typeof response == "function") throw new UsageError(1104, [endpoint.name]);
    controller.setResponse(endpoint, ...args, response as never); // of this endpoint
  }
  return stateOf(controller);
}
