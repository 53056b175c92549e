/**
 * This library, used as an application without a UI uses it.
 *
 * @module
 */
import { Controller, denormalize, Endpoint, Entity, normalize, Query, schema } from "@rejoin/data";
import type { Contestant, IssueView, ProjectView } from "../contestant.ts";
import { byTitle, type RawIssue, type RawProject } from "../workload.ts";

class User extends Entity {
  id = "";
  login = "";
  name = "";
  email = "";
  avatarUrl = "";
  followers = 0;
  pk() {
    return this.id;
  }
  static key = "User";
}

class Label extends Entity {
  id = "";
  name = "";
  color = "";
  description = "";
  pk() {
    return this.id;
  }
  static key = "Label";
}

class Issue extends Entity {
  id = "";
  number = 0;
  title = "";
  body = "";
  state = "";
  comments = 0;
  url = "";
  createdAt = "";
  updatedAt = "";
  user = User.fromJS();
  labels: Label[] = [];
  pk() {
    return this.id;
  }
  static key = "Issue";
  static schema = { user: User, labels: [Label] };
}

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

const getIssues = new Endpoint((): Promise<RawIssue[]> => Promise.resolve([]), { name: "getIssues", schema: [Issue] });
const getProjects = new Endpoint((): Promise<RawProject[]> => Promise.resolve([]), {
  name: "getProjects",
  schema: [Project],
});
const sortedIssues = new Query(new schema.All(Issue), (all) => all.toSorted(byTitle));

class OurStore {
  #controller = new Controller();

  writeIssues(response: RawIssue[]): void {
    this.#controller.setResponse(getIssues, response);
  }
  writeIssue(change: { id: string; title: string }): void {
    this.#controller.set(Issue, { id: change.id }, change);
  }
  writeUser(change: { id: string; name: string }): void {
    this.#controller.set(User, { id: change.id }, change);
  }
  readIssues(): readonly IssueView[] {
    return this.#controller.getResponse(getIssues).data ?? [];
  }
  readSorted(): readonly IssueView[] {
    return this.#controller.getResponse(sortedIssues).data ?? [];
  }
  writeProjects(response: RawProject[]): void {
    this.#controller.setResponse(getProjects, response);
  }
  readProjects(): readonly ProjectView[] {
    return this.#controller.getResponse(getProjects).data ?? [];
  }
}

/** Rejoin. */
export const ours: Contestant = {
  name: "ours",
  promises: { classes: true, identity: true, equalRefetch: true },
  issueClass: Issue,
  createStore: () => new OurStore(),
  pure: {
    normalize: (response) => normalize([Issue], response),
    denormalize(normalized) {
      const { result, entities } = normalized as ReturnType<typeof normalize<[typeof Issue]>>;
      return denormalize([Issue], result, entities) ?? [];
    },
  },
};
