import { h, type VNode } from "../deps/preact.ts";
import { DataProvider, type DataProviderProps } from "../preact/data_provider.ts";
import type { Fixtures } from "./fixtures.ts";

/** What {@linkcode MockResolver} takes: what `DataProvider` does, and fixtures. */
export interface MockResolverProps extends Omit<DataProviderProps, "controller"> {
  /** What calls are answered with: what `fixtures` gave. Read once. */
  readonly fixtures?: Fixtures | undefined;
}

/**
 * A `DataProvider` whose requests are answered by fixtures, for tests and stories. It has a store of its own, also below
 * another provider.
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
 *
 * @param props Fixtures, and what `DataProvider` takes.
 */
export function MockResolver({ fixtures, use = [], children, ...options }: MockResolverProps): VNode {
  return h(DataProvider, { ...options, use: fixtures ? [...use, fixtures] : use }, children);
}
