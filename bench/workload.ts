/**
 * The data for every contestant: N issues, each with its user (one of N / 100) and 0 to 3 of 50 labels, and a second
 * family of tables (projects, topics) for ageing. Equal arguments give equal bytes.
 *
 * @module
 */

/** A user, as the server nests it. */
export interface RawUser {
  id: string;
  login: string;
  name: string;
  email: string;
  avatarUrl: string;
  followers: number;
}

/** A label, as the server nests it. */
export interface RawLabel {
  id: string;
  name: string;
  color: string;
  description: string;
}

/** An issue, as the server sends it. */
export interface RawIssue {
  id: string;
  number: number;
  title: string;
  body: string;
  state: string;
  comments: number;
  url: string;
  createdAt: string;
  updatedAt: string;
  user: RawUser;
  labels: RawLabel[];
}

/** A topic, as the server nests it. */
export interface RawTopic {
  id: string;
  name: string;
}

/** A project, as the server sends it. Its shape differs from an issue's, and its users are in the same table. */
export interface RawProject {
  id: string;
  name: string;
  visibility: string;
  stars: number;
  owner: RawUser;
  topics: RawTopic[];
}

/** The shape of ids: `"1"`, which V8 keeps as an array index if a table is an object, or `"x-1"`. */
export type Ids = "int" | "string";

/** The data of one size and one shape of ids. */
export interface Workload {
  readonly n: number;
  readonly ids: Ids;
  /** The id of the issue at a position. */
  issueId(index: number): string;
  /** The id of the user of the issue at a position. */
  userId(index: number): string;
  /** The list as a response, in new objects. */
  issues(): RawIssue[];
  /** The same list with some titles replaced. */
  issuesWith(titles: ReadonlyMap<number, string>): RawIssue[];
  /** The second list, a tenth as long as the first. */
  projects(): RawProject[];
}

const LABELS = 50;
const WORDS =
  ("cache entity list query render signal store table update view error fetch page request response schema " +
    "slow stale missing wrong after before when while never always type value index order window layer").split(" ");

/** A small random generator with a seed (mulberry32). With `Math.random` each process would have other data. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** Makes the data for one size and one shape of ids. */
export function makeWorkload(n: number, ids: Ids): Workload {
  const random = randomFrom(n);
  const below = (limit: number) => Math.floor(random() * limit);
  const words = (count: number) => Array.from({ length: count }, () => WORDS[below(WORDS.length)]).join(" ");
  const date = () => new Date(1_600_000_000_000 + below(100_000_000) * 1000).toISOString();
  const id = (index: number) => ids === "int" ? `${index + 1}` : `x-${index + 1}`;
  const userCount = Math.max(1, Math.ceil(n / 100));

  const users = Array.from({ length: userCount }, (_, index): RawUser => ({
    id: id(index),
    login: `user${index}`,
    name: words(2),
    email: `user${index}@example.com`,
    avatarUrl: `https://example.com/avatars/${index}.png`,
    followers: below(1000),
  }));
  const labels = Array.from({ length: LABELS }, (_, index): RawLabel => ({
    id: id(index),
    name: `label ${index}`,
    color: below(0x1000000).toString(16).padStart(6, "0"),
    description: words(5),
  }));
  const issues = Array.from({ length: n }, (_, index): RawIssue => ({
    id: id(index),
    number: index + 1,
    title: `${words(5)} ${index}`,
    body: words(20),
    state: below(3) === 0 ? "closed" : "open",
    comments: below(40),
    url: `https://example.com/issues/${index + 1}`,
    createdAt: date(),
    updatedAt: date(),
    user: users[index % userCount]!,
    labels: pick(labels, below(4), below),
  }));
  const topics = Array.from({ length: 20 }, (_, index): RawTopic => ({ id: id(index), name: words(1) }));
  const projects = Array.from({ length: Math.max(10, Math.floor(n / 10)) }, (_, index): RawProject => ({
    id: id(index),
    name: words(3),
    visibility: below(2) === 0 ? "public" : "private",
    stars: below(5000),
    owner: users[below(userCount)]!,
    topics: pick(topics, below(3), below),
  }));

  const issuesText = JSON.stringify(issues);
  const projectsText = JSON.stringify(projects);
  return {
    n,
    ids,
    issueId: id,
    userId: (index) => id(index % userCount),
    issues: () => JSON.parse(issuesText),
    issuesWith(titles) {
      const list: RawIssue[] = JSON.parse(issuesText);
      for (const [index, title] of titles) list[index]!.title = title;
      // Once more through JSON, because a title put in by hand would be the very string that the store already has.
      return JSON.parse(JSON.stringify(list));
    },
    projects: () => JSON.parse(projectsText),
  };
}

/** Picks some different members of a list. */
function pick<T>(list: readonly T[], count: number, below: (limit: number) => number): T[] {
  const chosen = new Set<T>();
  while (chosen.size < count) chosen.add(list[below(list.length)]!);
  return [...chosen];
}

/** The order of the sorted query, the same for every contestant. */
export function byTitle(a: { readonly title: string }, b: { readonly title: string }): number {
  return a.title < b.title ? -1 : a.title > b.title ? 1 : 0;
}
