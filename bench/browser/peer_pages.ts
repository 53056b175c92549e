/**
 * The pages of peers that are no development dependencies. They are texts, because they cannot be type-checked here.
 *
 * @module
 */

/**
 * TanStack Query: each row is its own query, and data that rows share are written into each. Notifications run at once,
 * as in Node.
 */
const tanstack = `
import { notifyManager, QueryClient, QueryClientProvider, useQuery } from "@tanstack/preact-query";
import { countRender, install, textOf } from "./meter.ts";

notifyManager.setScheduler((callback) => callback());
const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity } } });
const queryFn = () => Promise.reject(new Error("unused"));

function Row({ id }) {
  countRender();
  const { data } = useQuery({ queryKey: ["issue", id], queryFn });
  return <li>{data && textOf(data)}</li>;
}

install({
  fill: (response) => response.forEach((issue) => client.setQueryData(["issue", issue.id], issue)),
  rows: (ids) => <QueryClientProvider client={client}>{ids.map((id) => <Row key={id} id={id} />)}</QueryClientProvider>,
  writeIssue: (change) => client.setQueryData(["issue", change.id], (issue) => ({ ...issue, ...change })),
  writeUser: (change) =>
    notifyManager.batch(() =>
      client.setQueriesData(
        { queryKey: ["issue"], predicate: ({ state }) => state.data.user.id === change.id },
        (issue) => ({ ...issue, user: { ...issue.user, ...change } }),
      )
    ),
});`;

/**
 * data-client: its hooks are made for React and run on `preact/compat` here. A row reads its entity by its endpoint.
 */
const dataClient = `
import { Controller, createReducer, initialState } from "@data-client/core";
import { CacheProvider, useCache, useController } from "@data-client/react";
import { Entity, RestEndpoint } from "@data-client/rest";
import { countRender, install, textOf } from "./meter.ts";

class User extends Entity {
  id = ""; login = ""; name = ""; email = ""; avatarUrl = ""; followers = 0;
  pk() { return this.id; }
  static key = "User";
}
class Label extends Entity {
  id = ""; name = ""; color = ""; description = "";
  pk() { return this.id; }
  static key = "Label";
}
class Issue extends Entity {
  id = ""; number = 0; title = ""; body = ""; state = ""; comments = 0; url = ""; createdAt = ""; updatedAt = "";
  user = User.fromJS(); labels = [];
  pk() { return this.id; }
  static key = "Issue";
  static schema = { user: User, labels: [Label] };
}
const getIssues = new RestEndpoint({ path: "/issues", schema: [Issue] });
const getIssue = new RestEndpoint({ path: "/issues/:id", schema: Issue });
const getUser = new RestEndpoint({ path: "/users/:id", schema: User });

let state = initialState;
let controller;

function Row({ id }) {
  countRender();
  const issue = useCache(getIssue, { id });
  return <li>{issue && textOf(issue)}</li>;
}
function Rows({ ids }) {
  controller = useController();
  return ids.map((id) => <Row key={id} id={id} />);
}

install({
  fill(response) {
    const reduce = createReducer(new Controller());
    const filling = new Controller({ dispatch: (action) => (state = reduce(state, action), Promise.resolve()) });
    filling.setResponse(getIssues, response);
  },
  rows: (ids) => <CacheProvider initialState={state} devButton={null}><Rows ids={ids} /></CacheProvider>,
  writeIssue: (change) => controller.setResponse(getIssue, { id: change.id }, change),
  writeUser: (change) => controller.setResponse(getUser, { id: change.id }, change),
});`;

/** For each page its code, and the package that it needs. */
export const PEER_PAGES = {
  "tanstack": { needs: "@tanstack/preact-query", code: tanstack },
  "data-client": { needs: "@data-client/react", code: dataClient },
} as const;
