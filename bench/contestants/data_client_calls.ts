/**
 * What declaring and calling endpoints costs in `@data-client/rest`.
 *
 * @module
 */
import { createResource, Entity } from "npm:@data-client/rest@0.9";
import type { CallFunctions } from "../contestant.ts";

class Issue extends Entity {
  number = 0;
  title = "";
  pk() {
    return `${this.number}`;
  }
  static override key = "Issue";
}

const urlPrefix = "https://api.example.com";
const IssueResource = createResource({
  urlPrefix,
  path: "/repos/:owner/:repo/issues/:number",
  schema: Issue,
  searchParams: {} as { state: string; page: number },
});

/** data-client. */
export const dataClientCalls: CallFunctions = {
  declare(prefix) {
    const declared = createResource({ urlPrefix, path: `${prefix as "/v1"}/:owner/:repo/:number`, schema: Issue });
    return (params) => declared.get.key(params);
  },
  key: (params) => IssueResource.get.key(params),
  listKey: (params) => IssueResource.getList.key(params),
  url: (params) => IssueResource.get.url(params),
  listUrl: (params) => IssueResource.getList.url(params),
};
