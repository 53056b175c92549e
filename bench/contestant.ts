/**
 * What each contestant implements.
 *
 * @module
 */
import type { RawIssue, RawLabel, RawProject, RawUser, Workload } from "./workload.ts";

/** A row of the list as a reader gets it, with its user and labels joined. */
export interface IssueView extends Readonly<Omit<RawIssue, "user" | "labels">> {
  readonly user: Readonly<RawUser>;
  readonly labels: readonly Readonly<RawLabel>[];
}

/** A project as a reader gets it. */
export interface ProjectView extends Readonly<Omit<RawProject, "owner" | "topics">> {
  readonly owner: Readonly<RawUser>;
  readonly topics: readonly { readonly id: string; readonly name: string }[];
}

/** Called with the row at once, and again each time the row is another object. */
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
  /** Writes a response of another endpoint, which fills other tables. */
  writeProjects(response: RawProject[]): void;
  /** Reads the other list. */
  readProjects(): readonly ProjectView[];

  /** Mounts a reader of one issue. Returns a function that unmounts it. */
  watchIssue?(id: string, show: ShowIssue): () => void;
  /**
   * Starts requests, writes while they are in flight, and ends them, as in the history of a store in an application.
   */
  overlap?(workload: Workload): Promise<void>;
}

/** Normalize and denormalize as pure functions, without a store. */
export interface PureFunctions {
  /** Response → flat tables. */
  normalize(response: RawIssue[]): unknown;
  /** The result of `normalize` → the joined list. */
  denormalize(normalized: unknown): readonly IssueView[];
}

/** A bulk operation: sets up what all batches share, and returns the function that prepares a batch. */
export type BulkScene = () => (operations: number) => () => number;

/** A library, or a lower bound written by hand. */
export interface Contestant {
  readonly name: string;
  createStore(): Store;
  readonly pure?: PureFunctions;
  /** Loads the bulk operations, by the name of their scenario. */
  readonly loadBulk?: () => Promise<Readonly<Record<string, BulkScene>>>;
}
