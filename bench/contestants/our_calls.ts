/**
 * What declaring and calling endpoints costs in this library.
 *
 * @module
 */
import { createResource, Entity } from "@rejoin/data";
import type { CallFunctions } from "../contestant.ts";

class Issue extends Entity {
  number = 0;
  title = "";
  pk() {
    return `${this.number}`;
  }
  static key = "Issue";
}

const urlPrefix = "https://api.example.com";
const IssueResource = createResource({
  urlPrefix,
  path: "/repos/:owner/:repo/issues/:number",
  schema: Issue,
  searchParams: {} as { state: string; page: number },
});

/** Rejoin. */
export const ourCalls: CallFunctions = {
  declare(prefix) {
    const declared = createResource({ urlPrefix, path: `${prefix as "/v1"}/:owner/:repo/:number`, schema: Issue });
    return (params) => declared.get.key(params);
  },
  key: (params) => IssueResource.get.key(params),
  listKey: (params) => IssueResource.getList.key(params),
  url: (params) => IssueResource.get.url(params),
  listUrl: (params) => IssueResource.getList.url(params),
};
