/**
 * This library, as an application without a UI uses it.
 *
 * @module
 */
import { effect } from "@preact/signals-core";
import { All, Controller, denormalize, Endpoint, Entity, normalize, Query } from "@rejoin/data/core";
import { readQuery } from "@rejoin/data/signals";
import type { Contestant, IssueView, ProjectView, ShowIssue, Store } from "../contestant.ts";
import { byTitle, type RawIssue, type RawProject, type Workload } from "../workload.ts";
import { Issue, User } from "./our_entities.ts";

class Topic extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static key = "Topic";
}

class Project extends Entity {
  id = "";
  name = "";
  visibility = "";
  stars = 0;
  owner = User.fromJS();
  topics: Topic[] = [];
  pk() {
    return this.id;
  }
  static key = "Project";
  static schema = { owner: User, topics: [Topic] };
}

/**
 * The arguments of every read of the list, as a page passes them: a new object each time, from which the key is made.
 */
const listOf = () => ({ repo: "rejoin", state: "all" });
type ListArgs = ReturnType<typeof listOf>;

const getIssues = new Endpoint((_args: ListArgs): Promise<RawIssue[]> => Promise.resolve([]), {
  name: "getIssues",
  schema: [Issue],
});
const editIssue = new Endpoint((change: { id: string; title: string }) => Promise.resolve(change), {
  name: "editIssue",
  schema: Issue,
  sideEffect: true,
  getOptimisticResponse: (_snapshot, change: { id: string; title: string }) => change,
});
const sorted = new Query(new All(Issue), (all) => all.toSorted(byTitle));
const getProjects = new Endpoint((): Promise<RawProject[]> => Promise.resolve([]), {
  name: "getProjects",
  schema: [Project],
});
class OurStore implements Store {
  readonly #controller = new Controller();

  writeIssues(response: RawIssue[]): void {
    this.#controller.setResponse(getIssues, listOf(), response);
  }
  writeIssue(change: { id: string; title: string }): void {
    this.#controller.set(Issue, { id: change.id }, change);
  }
  writeUser(change: { id: string; name: string }): void {
    this.#controller.set(User, { id: change.id }, change);
  }
  readIssues(): readonly IssueView[] {
    return this.#controller.getResponse(getIssues, listOf()).data ?? [];
  }
  readSorted(): readonly IssueView[] {
    return this.#controller.getResponse(sorted).data ?? [];
  }
  writeProjects(response: RawProject[]): void {
    this.#controller.setResponse(getProjects, response);
  }
  readProjects(): readonly ProjectView[] {
    return this.#controller.getResponse(getProjects).data ?? [];
  }

  watchIssue(id: string, show: ShowIssue): () => void {
    return effect(() => {
      const row = readQuery(this.#controller, Issue, { id });
      if (row !== undefined) show(row);
    });
  }

  /**
   * A refetch and an edit are in flight together, rows are written meanwhile, and the replies come in reverse order.
   */
  async overlap(workload: Workload): Promise<void> {
    const edited = workload.issueId(0);
    const list = later<RawIssue[]>();
    const refetch = this.#controller.fetch(getIssues.extend({ fetch: (_args: ListArgs) => list.promise }), listOf());
    const reply = later<{ id: string; title: string }>();
    const edit = this.#controller.fetch(
      editIssue.extend({ fetch: (_change: { id: string; title: string }) => reply.promise }),
      { id: edited, title: "being edited" },
    );
    for (let row = 0; row < workload.n; row += Math.ceil(workload.n / 20)) {
      this.writeIssue({ id: workload.issueId(row), title: `meanwhile ${row}` });
    }
    this.readIssues();
    reply.resolve({ id: edited, title: "edited" });
    await edit;
    list.resolve(workload.issues());
    await refetch;
    this.readIssues();
  }
}

/** A promise that is settled from outside, because Node 20 has no `Promise.withResolvers()`. */
function later<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  return { promise: new Promise<T>((settle) => resolve = settle), resolve: (value) => resolve(value) };
}

/** Rejoin. */
export const ours: Contestant = {
  name: "ours",
  createStore: () => new OurStore(),
  pure: {
    normalize: (response) => normalize([Issue], response),
    denormalize(normalized) {
      const { result, entities } = normalized as ReturnType<typeof normalize<[typeof Issue]>>; // what it gave
      return denormalize([Issue], result, entities) ?? [];
    },
  },
  loadBulk: async () => (await import("./our_bulk.ts")).OUR_BULK,
};
