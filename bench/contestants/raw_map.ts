/**
 * A floor, written by hand for this workload and nothing else: one `Map` per table, joined rows kept in a `Map`, and
 * for each user and label the issues that show it, so that a change forgets exactly the rows that contain it.
 *
 * @module
 */
import type { Contestant, IssueView, ProjectView, ShowIssue, Store } from "../contestant.ts";
import { byTitle, type RawIssue, type RawLabel, type RawProject, type RawTopic, type RawUser } from "../workload.ts";
import {
  type IssueRecord,
  type ProjectRecord,
  sameIssue,
  sameLabel,
  sameProject,
  sameStrings,
  sameTopic,
  sameUser,
  toIssueRecord,
  toProjectRecord,
} from "./records.ts";

class RawMapStore implements Store {
  #users = new Map<string, RawUser>();
  #labels = new Map<string, RawLabel>();
  #issues = new Map<string, IssueRecord>();
  #topics = new Map<string, RawTopic>();
  #projects = new Map<string, ProjectRecord>();

  #rows = new Map<string, IssueView>();
  #issuesOfUser = new Map<string, Set<string>>();
  #issuesOfLabel = new Map<string, Set<string>>();
  #issueIds: string[] = [];
  #list: IssueView[] | undefined;
  #sorted: IssueView[] | undefined;
  #open: IssueView[] | undefined;
  #projectIds: string[] = [];
  #projectList: ProjectView[] | undefined;

  #readers = new Map<string, Set<ShowIssue>>();
  /** Rows that have readers and are not as they were. */
  #untold = new Set<string>();

  writeIssues(response: RawIssue[]): void {
    const ids: string[] = [];
    for (const issue of response) {
      this.#putUser(issue.user);
      for (const label of issue.labels) this.#putLabel(label);
      this.#putIssue(toIssueRecord(issue));
      ids.push(issue.id);
    }
    if (!sameStrings(this.#issueIds, ids)) {
      this.#issueIds = ids;
      this.#list = undefined;
    }
    this.#tell();
  }

  writeIssue(change: { id: string; title: string }): void {
    const existing = this.#issues.get(change.id)!;
    if (existing.title === change.title) return;
    this.#issues.set(change.id, { ...existing, title: change.title });
    this.#forget(change.id);
    this.#tell();
  }

  writeUser(change: { id: string; name: string }): void {
    const existing = this.#users.get(change.id)!;
    this.#putUser({ ...existing, name: change.name });
    this.#tell();
  }

  readIssues(): IssueView[] {
    return this.#list ??= this.#issueIds.map((id) => this.#row(id));
  }

  readSorted(): IssueView[] {
    return this.#sorted ??= [...this.#issues.keys()].map((id) => this.#row(id)).sort(byTitle);
  }

  readTop(limit: number): IssueView[] {
    this.#open ??= [...this.#issues.keys()].map((id) => this.#row(id)).filter((row) => row.state === "open").sort(
      byTitle,
    );
    return this.#open.slice(0, limit);
  }

  holdIssues(): () => IssueView[] {
    return () => this.readIssues();
  }

  watchIssue(id: string, show: ShowIssue): () => void {
    const readers = this.#readers.get(id);
    if (readers === undefined) this.#readers.set(id, new Set([show]));
    else readers.add(show);
    show(this.#row(id));
    return () => this.#readers.get(id)!.delete(show);
  }

  writeProjects(response: RawProject[]): void {
    for (const project of response) {
      this.#putUser(project.owner);
      for (const topic of project.topics) {
        const existing = this.#topics.get(topic.id);
        if (existing === undefined || !sameTopic(existing, topic)) this.#topics.set(topic.id, topic);
      }
      const existing = this.#projects.get(project.id);
      const record = toProjectRecord(project);
      if (existing === undefined || !sameProject(existing, record)) {
        this.#projects.set(project.id, record);
        this.#projectList = undefined;
      }
    }
    this.#projectIds = response.map((project) => project.id);
    this.#tell();
  }

  readProjects(): ProjectView[] {
    return this.#projectList ??= this.#projectIds.map((id) => {
      const record = this.#projects.get(id)!;
      return {
        ...record,
        owner: this.#users.get(record.owner)!,
        topics: record.topics.map((topic) => this.#topics.get(topic)!),
      };
    });
  }

  #row(id: string): IssueView {
    let row = this.#rows.get(id);
    if (row === undefined) {
      const record = this.#issues.get(id)!;
      row = {
        ...record,
        user: this.#users.get(record.user)!,
        labels: record.labels.map((label) => this.#labels.get(label)!),
      };
      this.#rows.set(id, row);
    }
    return row;
  }

  #putIssue(record: IssueRecord): void {
    const existing = this.#issues.get(record.id);
    if (existing !== undefined && sameIssue(existing, record)) return;
    if (existing !== undefined) {
      this.#issuesOfUser.get(existing.user)?.delete(existing.id);
      for (const label of existing.labels) this.#issuesOfLabel.get(label)?.delete(existing.id);
    }
    this.#issues.set(record.id, record);
    addTo(this.#issuesOfUser, record.user, record.id);
    for (const label of record.labels) addTo(this.#issuesOfLabel, label, record.id);
    this.#forget(record.id);
  }

  #putUser(user: RawUser): void {
    const existing = this.#users.get(user.id);
    if (existing !== undefined && sameUser(existing, user)) return;
    this.#users.set(user.id, user);
    if (existing === undefined) return;
    this.#projectList = undefined;
    for (const id of this.#issuesOfUser.get(user.id) ?? []) this.#forget(id);
  }

  #putLabel(label: RawLabel): void {
    const existing = this.#labels.get(label.id);
    if (existing !== undefined && sameLabel(existing, label)) return;
    this.#labels.set(label.id, label);
    if (existing === undefined) return;
    for (const id of this.#issuesOfLabel.get(label.id) ?? []) this.#forget(id);
  }

  #forget(id: string): void {
    this.#rows.delete(id);
    this.#list = undefined;
    this.#sorted = undefined;
    this.#open = undefined;
    if (this.#readers.has(id)) this.#untold.add(id);
  }

  #tell(): void {
    if (this.#untold.size === 0) return;
    const ids = this.#untold;
    this.#untold = new Set();
    for (const id of ids) {
      const row = this.#row(id);
      for (const show of this.#readers.get(id)!) show(row);
    }
  }
}

function addTo(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  if (ids === undefined) index.set(key, new Set([id]));
  else ids.add(id);
}

/** Maps and nothing else. */
export const rawMap: Contestant = {
  name: "raw-map",
  promises: { classes: false, identity: true, equalRefetch: true, watching: true },
  createStore: () => new RawMapStore(),
};
