/**
 * What a contestant must do to take part.
 *
 * @module
 */
import type { RawIssue, RawLabel, RawProject, RawUser, Workload } from "./workload.ts";

/** A row of the list as a reader gets it, joined. */
export interface IssueView extends Readonly<Omit<RawIssue, "user" | "labels">> {
  readonly user: Readonly<RawUser>;
  readonly labels: readonly Readonly<RawLabel>[];
}

/** A project as a reader gets it. */
export interface ProjectView extends Readonly<Omit<RawProject, "owner" | "topics">> {
  readonly owner: Readonly<RawUser>;
  readonly topics: readonly { readonly id: string; readonly name: string }[];
}

/** Called with the row at once, and again each time it is another one. */
export type ShowIssue = (row: IssueView) => void;

/** One store of a contestant. */
export interface Store {
  /** Writes a response of the list endpoint. */
  writeIssues(response: RawIssue[]): void;
  /** Writes some members of one issue. */
  writeIssue(change: { id: string; title: string }): void;
  /** Writes some members of one user. */
  writeUser(change: { id: string; name: string }): void;
  /** Reads the list, joined. */
  readIssues(): readonly IssueView[];
  /** Reads all issues that the store has, in order of title. */
  readSorted(): readonly IssueView[];
  /** Writes a response of another endpoint, into other tables. */
  writeProjects(response: RawProject[]): void;
  /** Reads the other list. */
  readProjects(): readonly ProjectView[];

  /** Mounts a reader of one issue. Gives back how it unmounts. */
  watchIssue?(id: string, show: ShowIssue): () => void;
  /** Requests that are on the wire while the store is written, and end: the history of a store in an application. */
  overlap?(workload: Workload): Promise<void>;
}

/** The two functions by themselves, without a store. */
export interface PureFunctions {
  /** Response → flat tables. */
  normalize(response: RawIssue[]): unknown;
  /** What `normalize` gave → the joined list. */
  denormalize(normalized: unknown): readonly IssueView[];
}

/** One operation on much: sets up what all batches share and gives back the maker of batches. */
export type BulkScene = () => (operations: number) => () => number;

/** A library, or a floor written by hand. */
export interface Contestant {
  readonly name: string;
  createStore(): Store;
  readonly pure?: PureFunctions;
  /** Much at once, by the name of the scenario; loaded apart, too. */
  readonly loadBulk?: () => Promise<Readonly<Record<string, BulkScene>>>;
}
