import { Controller } from "../controller/controller.ts";
import type { AnyEndpoint } from "../endpoint/interface.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import type { State } from "../parts/state/form.ts";
import { describeState } from "../parts/state/state.ts";
import type { Fixture, FixtureList } from "./fixture.ts";
import { fixtureError } from "./fixtures.ts";

/**
 * The state of a store in which these calls have just been answered: for `hydrate`, where nothing is to be waited
 * for.
 *
 * @param list Which call has brought what, or has failed with what.
 * @returns What `stateOf` gives, with what a class redacts: it stays in this process.
 * @throws {EndpointError} If a fixture does not say which call it is for.
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
 * const ArticleResource = resource({ urlPrefix: "https://api.example.com", path: "/articles/:id", schema: Article });
 *
 * const state = mockInitialState([{ endpoint: ArticleResource.getList, args: [], response: [{ id: "5", title: "Hello" }] }]);
 * const controller = new Controller({ use: [hydrate(state)] });
 * assertEquals(controller.get(Article, { id: "5" })?.title, "Hello");
 * ```
 */
export function mockInitialState<const E extends readonly AnyEndpoint[]>(list: FixtureList<E, undefined>): State {
  const controller = new Controller();
  try {
    for (const fixture of list as unknown as readonly Fixture[]) put(controller, fixture);
    return describeState(controller.store);
  } finally {
    controller.cleanup();
  }
}

function put(controller: Controller, fixture: Fixture): void {
  const { endpoint, args, response } = fixture;
  if (args === undefined || typeof response === "function") {
    const { name } = endpoint;
    throw new EndpointError(name, `Cannot begin with "${name}": write args, and a response that is no function`);
  }
  if (Object.hasOwn(fixture, "error")) {
    controller.setError(endpoint, ...args, fixtureError(endpoint, endpoint.key(...args), fixture.error));
  } else controller.setResponse(endpoint, ...args, response);
}
