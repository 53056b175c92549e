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

  /** The list for a reader that keeps its place in the store: it does not say again what it reads. */
  holdIssues?(): () => readonly IssueView[];
  /** The first open issues in order of title, declared (filter, sort, limit) where the contestant can be told so. */
  readTop?(limit: number): readonly IssueView[];
  /** The issue that has this in an indexed member; absent where rows have no indexes. */
  findByNumber?(number: number): IssueView | undefined;
  /** Mounts a reader of one issue. Gives back how it unmounts. */
  watchIssue?(id: string, show: ShowIssue): () => void;
  /**
   * Brings the list as the text of a reply. Gives back what takes a later one: from its text in hand to the commit, and
   * whether nothing had to be written.
   */
  receiveIssues?(text: string): Promise<(text: string) => boolean>;
  /** Requests that are on the wire while the store is written, and end: the history of a store in an application. */
  overlap?(workload: Workload): Promise<void>;
  /** Starts a request that stays on the wire during what is measured, in place of the one before. */
  renewRequest?(): void;
}

/** The two functions by themselves, without a store. */
export interface PureFunctions {
  /** Response → flat tables. */
  normalize(response: RawIssue[]): unknown;
  /** What `normalize` gave → the joined list. */
  denormalize(normalized: unknown): readonly IssueView[];
}

/** What names one issue of a repository. */
export interface IssueParams {
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
}

/** What names a list of issues: two parameters of the path, the others of the search. */
export interface ListParams {
  readonly owner: string;
  readonly repo: string;
  readonly state: string;
  readonly page: number;
}

/** The resource of issues at `https://api.example.com/repos/:owner/:repo/issues/:number`, and what a call of it costs. */
export interface CallFunctions {
  /** Declares a resource like it, at a path that starts with `prefix`, and gives back the maker of its keys. */
  declare(prefix: string): (params: IssueParams) => string;
  /** The key of a call of `get`. */
  key(params: IssueParams): string;
  /** The key of a call of `getList`. */
  listKey(params: ListParams): string;
  /** The address of a call of `get`. */
  url(params: IssueParams): string;
  /** The address of a call of `getList`. */
  listUrl(params: ListParams): string;
}

/** An entity that nests entities of its own class. */
export interface RawKnot {
  id: string;
  value: number;
  next?: RawKnot;
  tooth?: RawKnot;
}

/** A store of knots. */
export interface DepthStore {
  write(root: RawKnot): void;
  read(): RawKnot | undefined;
  /** The whole state as plain data. */
  dehydrate(): unknown;
}

/** What a contestant promises; the behavioural check holds it to each, and the report names what is missing. */
export interface Promises {
  /** Rows are instances of the user's class. */
  readonly classes: boolean;
  /** Two reads without a change between them give the same objects, and a change makes new only what contains it. */
  readonly identity: boolean;
  /** An equal response written again leaves every object as it was. */
  readonly equalRefetch: boolean;
  /** A reader of one row is told when that row is another one, and of nothing else. */
  readonly watching: boolean;
}

/** One operation on much: sets up what all batches share and gives back the maker of batches. */
export type BulkScene = () => (operations: number) => () => number;

/** A library, or a floor written by hand. */
export interface Contestant {
  readonly name: string;
  readonly promises: Promises;
  /** The user's class, where rows are instances of it. */
  readonly issueClass?: new () => object;
  /** The only scenarios, or families of them, that it is for. */
  readonly only?: readonly string[];
  /** A whole list takes it seconds: it gets a tenth of the rows in a sample, and ages with short lists. */
  readonly isSlow?: true;
  createStore(): Store;
  readonly pure?: PureFunctions;
  /** Loaded apart, so that a process that measures stores holds no code of requests. */
  readonly loadCalls?: () => Promise<CallFunctions>;
  createDepthStore?(): DepthStore;
  /** Much at once, by the name of the scenario; loaded apart, too. */
  readonly loadBulk?: () => Promise<Readonly<Record<string, BulkScene>>>;
}
