/**
 * A lower bound, written by hand for this workload only: one signal per entity, one computed per joined row, one
 * computed for the list.
 *
 * @module
 */
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals-core";
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

type Table<Record> = Map<string, Signal<Record>>;

class RawSignalsStore implements Store {
  #users: Table<RawUser> = new Map();
  #labels: Table<RawLabel> = new Map();
  #issues: Table<IssueRecord> = new Map();
  #topics: Table<RawTopic> = new Map();
  #projects: Table<ProjectRecord> = new Map();

  #rows = new Map<string, ReadonlySignal<IssueView>>();
  #issueIds = signal<string[]>([]);
  /** Increases when a new issue arrives, because reads of the ids of the table depend on it. */
  #arrivals = signal(0);
  #projectIds = signal<string[]>([]);

  #list = computed(() => this.#issueIds.value.map((id) => this.#row(id).value));
  #sorted = computed(() => {
    this.#arrivals.value;
    return Array.from(this.#issues.keys(), (id) => this.#row(id).value).sort(byTitle);
  });
  #projectList = computed(() => this.#projectIds.value.map((id) => this.#project(id)));

  writeIssues(response: RawIssue[]): void {
    batch(() => {
      const ids: string[] = [];
      const before = this.#issues.size;
      for (const issue of response) {
        put(this.#users, issue.user, sameUser);
        for (const label of issue.labels) put(this.#labels, label, sameLabel);
        put(this.#issues, toIssueRecord(issue), sameIssue);
        ids.push(issue.id);
      }
      if (!sameStrings(this.#issueIds.peek(), ids)) this.#issueIds.value = ids;
      if (this.#issues.size !== before) this.#arrivals.value++;
    });
  }

  writeIssue(change: { id: string; title: string }): void {
    const issue = this.#issues.get(change.id)!;
    const existing = issue.peek();
    if (existing.title !== change.title) issue.value = { ...existing, title: change.title };
  }

  writeUser(change: { id: string; name: string }): void {
    const user = this.#users.get(change.id)!;
    const existing = user.peek();
    if (existing.name !== change.name) user.value = { ...existing, name: change.name };
  }

  readIssues(): IssueView[] {
    return this.#list.value;
  }

  readSorted(): IssueView[] {
    return this.#sorted.value;
  }

  watchIssue(id: string, show: ShowIssue): () => void {
    const row = this.#row(id);
    return effect(() => show(row.value));
  }

  writeProjects(response: RawProject[]): void {
    batch(() => {
      for (const project of response) {
        put(this.#users, project.owner, sameUser);
        for (const topic of project.topics) put(this.#topics, topic, sameTopic);
        put(this.#projects, toProjectRecord(project), sameProject);
      }
      this.#projectIds.value = response.map((project) => project.id);
    });
  }

  readProjects(): ProjectView[] {
    return this.#projectList.value;
  }

  #row(id: string): ReadonlySignal<IssueView> {
    let row = this.#rows.get(id);
    if (row === undefined) {
      const issue = this.#issues.get(id)!;
      row = computed(() => {
        const record = issue.value;
        return {
          ...record,
          user: this.#users.get(record.user)!.value,
          labels: record.labels.map((label) => this.#labels.get(label)!.value),
        };
      });
      this.#rows.set(id, row);
    }
    return row;
  }

  #project(id: string): ProjectView {
    const record = this.#projects.get(id)!.value;
    return {
      ...record,
      owner: this.#users.get(record.owner)!.value,
      topics: record.topics.map((topic) => this.#topics.get(topic)!.value),
    };
  }
}

function put<Record extends { id: string }>(
  table: Table<Record>,
  record: Record,
  same: (a: Record, b: Record) => boolean,
): void {
  const existing = table.get(record.id);
  if (existing === undefined) table.set(record.id, signal(record));
  else if (!same(existing.peek(), record)) existing.value = record;
}

/** One signals-core signal per entity. */
export const rawSignals: Contestant = {
  name: "raw-signals",
  createStore: () => new RawSignalsStore(),
};
