/**
 * Apollo Client's cache without its links. A reader watches the fragment of its row, as `useFragment` does.
 *
 * The limits of its caches, 5,000 to 50,000 entries by default, are raised so that they hold all rows. With the
 * defaults each write would read the dropped rows again.
 *
 * @module
 */
import { gql, InMemoryCache } from "@apollo/client";
import { cacheSizes } from "@apollo/client/utilities";
import type { Contestant, IssueView, ProjectView, ShowIssue, Store } from "../contestant.ts";
import { byTitle, type RawIssue, type RawProject } from "../workload.ts";

const ROOM = 1_000_000;
cacheSizes["inMemoryCache.executeSelectionSet"] = ROOM;
cacheSizes["inMemoryCache.executeSubSelectedArray"] = ROOM;
cacheSizes["inMemoryCache.maybeBroadcastWatch"] = ROOM;

const ISSUE_ROW = gql`
  fragment IssueRow on Issue {
    id number title body state comments url createdAt updatedAt
    user { id login name email avatarUrl followers }
    labels { id name color description }
  }
`;
const ISSUE_TITLE = gql`fragment IssueTitle on Issue { title }`;
const USER_NAME = gql`fragment UserName on User { name }`;
const ISSUES = gql`
  query Issues { issues { ...IssueRow } }
  ${ISSUE_ROW}
`;
const PROJECTS = gql`
  query Projects {
    projects {
      id name visibility stars
      owner { id login name email avatarUrl followers }
      topics { id name }
    }
  }
`;

/** An object, as a GraphQL server sends it. */
function typed<Value extends object>(__typename: string, value: Value) {
  return { __typename, ...value };
}

class ApolloStore implements Store {
  #cache = new InMemoryCache();

  writeIssues(response: RawIssue[]): void {
    const issues = response.map(({ user, labels, ...issue }) => ({
      ...typed("Issue", issue),
      user: typed("User", user),
      labels: labels.map((label) => typed("Label", label)),
    }));
    this.#cache.writeQuery({ query: ISSUES, data: { issues } });
  }
  writeIssue({ id, title }: { id: string; title: string }): void {
    this.#cache.writeFragment({ id: `Issue:${id}`, fragment: ISSUE_TITLE, data: typed("Issue", { title }) });
  }
  writeUser({ id, name }: { id: string; name: string }): void {
    this.#cache.writeFragment({ id: `User:${id}`, fragment: USER_NAME, data: typed("User", { name }) });
  }
  readIssues(): readonly IssueView[] {
    return this.#cache.readQuery<{ issues: IssueView[] }>({ query: ISSUES })?.issues ?? [];
  }
  readSorted(): IssueView[] {
    return this.readIssues().toSorted(byTitle);
  }
  writeProjects(response: RawProject[]): void {
    const projects = response.map(({ owner, topics, ...project }) => ({
      ...typed("Project", project),
      owner: typed("User", owner),
      topics: topics.map((topic) => typed("Topic", topic)),
    }));
    this.#cache.writeQuery({ query: PROJECTS, data: { projects } });
  }
  readProjects(): readonly ProjectView[] {
    return this.#cache.readQuery<{ projects: ProjectView[] }>({ query: PROJECTS })?.projects ?? [];
  }

  watchIssue(id: string, show: ShowIssue): () => void {
    const rows = this.#cache.watchFragment<IssueView>({
      fragment: ISSUE_ROW,
      from: { __typename: "Issue", id },
    });
    const subscription = rows.subscribe(({ data }) => show(data as IssueView));
    return () => subscription.unsubscribe();
  }
}

/** Apollo Client 4. */
export const apollo: Contestant = {
  name: "apollo",
  createStore: () => new ApolloStore(),
};
