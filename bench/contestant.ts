/**
 * What a contestant must do to take part.
 *
 * @module
 */
import type { RawIssue, RawLabel, RawProject, RawUser } from "./workload.ts";

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
}

/** The two functions by themselves, without a store. */
export interface PureFunctions {
  /** Response → flat tables. */
  normalize(response: RawIssue[]): unknown;
  /** What `normalize` gave → the joined list. */
  denormalize(normalized: unknown): readonly IssueView[];
}

/** What a contestant promises; the behavioural check holds it to each, and the report names what is missing. */
export interface Promises {
  /** Rows are instances of the user's class. */
  readonly classes: boolean;
  /** Two reads without a change between them give the same objects, and a change makes new only what contains it. */
  readonly identity: boolean;
  /** An equal response written again leaves every object as it was. */
  readonly equalRefetch: boolean;
}

/** A library, or a floor written by hand. */
export interface Contestant {
  readonly name: string;
  readonly promises: Promises;
  /** The user's class, where rows are instances of it. */
  readonly issueClass?: new () => object;
  createStore(): Store;
  readonly pure?: PureFunctions;
}
