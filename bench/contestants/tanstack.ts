/**
 * TanStack Query. Nothing is joined: each row is its own query, and data that rows share are written into each of them.
 *
 * Its notifications wait for a timer. Here they run at once (`notifyManager.setScheduler`), which is its fastest way. A
 * reader is notified of new data only, as its hooks are in a component that reads no other member of the result.
 *
 * @module
 */
import { notifyManager, QueryClient, QueryObserver } from "@tanstack/query-core";
import type { Contestant, IssueView, ProjectView, ShowIssue, Store } from "../contestant.ts";
import { byTitle, type RawIssue, type RawProject } from "../workload.ts";

notifyManager.setScheduler((callback) => callback());

const issueKey = (id: string) => ["issue", id];

class TanStackStore implements Store {
  /** Without fetches and garbage collection of queries there are no timers. */
  #client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity } } });

  writeIssues(response: RawIssue[]): void {
    notifyManager.batch(() => {
      for (const issue of response) this.#client.setQueryData(issueKey(issue.id), issue);
      this.#client.setQueryData(["issues"], response.map((issue) => issue.id));
    });
  }
  writeIssue(change: { id: string; title: string }): void {
    this.#client.setQueryData<RawIssue>(issueKey(change.id), (issue) => issue && { ...issue, ...change });
  }
  /** Finds the queries that hold the user, so that only those are written. */
  writeUser(change: { id: string; name: string }): void {
    const predicate = ({ state }: { state: { data?: unknown } }) => (state.data as RawIssue).user.id === change.id;
    notifyManager.batch(() => {
      this.#client.setQueriesData<RawIssue>(
        { queryKey: ["issue"], predicate },
        (issue) => issue && { ...issue, user: { ...issue.user, ...change } },
      );
      this.#client.setQueryData<RawProject[]>(
        ["projects"],
        (projects) =>
          projects?.map((project) =>
            project.owner.id === change.id ? { ...project, owner: { ...project.owner, ...change } } : project
          ),
      );
    });
  }
  readIssues(): IssueView[] {
    const ids = this.#client.getQueryData<string[]>(["issues"]) ?? [];
    return ids.map((id) => this.#client.getQueryData<IssueView>(issueKey(id))!);
  }
  readSorted(): IssueView[] {
    return this.readIssues().sort(byTitle);
  }
  writeProjects(response: RawProject[]): void {
    this.#client.setQueryData(["projects"], response);
  }
  readProjects(): readonly ProjectView[] {
    return this.#client.getQueryData<ProjectView[]>(["projects"]) ?? [];
  }

  watchIssue(id: string, show: ShowIssue): () => void {
    const observer = new QueryObserver<IssueView>(this.#client, {
      queryKey: issueKey(id),
      queryFn: () => Promise.reject(new Error("unused")),
      notifyOnChangeProps: ["data"],
    });
    const stop = observer.subscribe(({ data }) => data && show(data));
    show(observer.getCurrentResult().data!);
    return stop;
  }
}

/** TanStack Query 5. */
export const tanstack: Contestant = {
  name: "tanstack",
  createStore: () => new TanStackStore(),
};
