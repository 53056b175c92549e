import { h, type JSX } from "../deps/preact.ts";
import { DataProvider, type DataProviderProps } from "../preact/data_provider.ts";
import type { Fixtures } from "./fixtures.ts";

/** What {@linkcode MockResolver} takes: what `DataProvider` does, and fixtures. */
export interface MockResolverProps extends Omit<DataProviderProps, "controller"> {
  /** What calls are answered with: what `fixtures` gave. Read once. */
  readonly fixtures?: Fixtures | undefined;
}

/**
 * A `DataProvider` whose requests are answered by fixtures, for tests and stories. It has a store of its own, also below
 * another provider; it is strict, and sends nothing again.
 *
 * @param props Fixtures, and what `DataProvider` takes.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity, resource } from "@rejoin/data";
 * import { fixtures, MockResolver } from "@rejoin/data/testing";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const ArticleResource = resource({ urlPrefix: "https://api.example.com", path: "/articles/:id", schema: Article });
 *
 * const story = (
 *   <MockResolver fixtures={fixtures([{ endpoint: ArticleResource.getList, response: [{ id: "5", title: "Hello" }] }])}>
 *     <h1>Articles</h1>
 *   </MockResolver>
 * );
 * assert(story.type === MockResolver);
 * ```
 */
export function MockResolver(props: MockResolverProps): JSX.Element {
  const { fixtures, managers = [], defaults, strict = true, children, ...options } = props;
  return h(DataProvider, {
    ...options,
    strict,
    defaults: { retry: 0, ...defaults },
    // Nearest to the network: the others see what they would see without it.
    managers: fixtures === undefined ? managers : [...managers, fixtures],
  }, children);
}
