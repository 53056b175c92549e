/**
 * The behavioural check: nobody is measured who does not give the right data with the right identity. It runs on fresh
 * code and once more on aged code, where optimized paths have taken over.
 *
 * @module
 */
import type { Contestant, IssueView, Store } from "./contestant.ts";
import { byTitle, type Ids, makeWorkload, type RawIssue, type Workload } from "./workload.ts";

/** Checks the store and its two functions; throws an error that says what the contestant did wrong. */
export function check(contestant: Contestant, ids: Ids): void {
  const workload = makeWorkload(100, ids);
  // Two users and not one, so that a changed user has rows that do not show it.
  const response = () => withTwoUsers(workload.issues(), workload);
  const expected = response();
  const store = contestant.createStore();
  const fail = (problem: string): never => {
    throw new Error(`${contestant.name}: ${problem}`);
  };

  store.writeIssues(response());
  store.renewRequest?.();
  store.writeProjects(workload.projects());
  compare(store, expected, fail);
  const expectedProjects = workload.projects();
  if (!sameJson(store.readProjects(), expectedProjects)) fail("projects are not joined as they were sent");
  if (contestant.promises.classes) {
    for (const row of store.readIssues()) {
      if (!(row instanceof contestant.issueClass!)) fail(`row ${row.id} is no instance of its class`);
    }
  }

  const first = store.readIssues();
  const firstRows = [...first];
  if (contestant.promises.identity) {
    if (store.readIssues() !== first) fail("a second read gives another list");
    const users = new Map<string, unknown>();
    for (const row of first) {
      if ((users.get(row.user.id) ?? row.user) !== row.user) fail(`user ${row.user.id} is two objects`);
      users.set(row.user.id, row.user);
    }
    const sorted = store.readSorted();
    if (store.readSorted() !== sorted) fail("a second sorted read gives another list");
    if (!sorted.every((row) => first.includes(row))) fail("the sorted query gives other objects than the list");
  }

  store.writeIssues(response());
  compare(store, expected, fail);
  if (contestant.promises.identity && contestant.promises.equalRefetch && store.readIssues() !== first) {
    fail("an equal response gives another list");
  }

  const beforeTitle = store.readIssues();
  const changed = expected[41]!;
  changed.title = "Aardvarks first";
  store.writeIssue({ id: changed.id, title: changed.title });
  compare(store, expected, fail);
  if (store.readSorted()[0]?.id !== changed.id) fail("the sorted query does not show the new title");
  expectNew(contestant, beforeTitle, store, (row) => row.id === changed.id, fail);

  const beforeUser = store.readIssues();
  const userId = expected[0]!.user.id;
  for (const issue of expected) if (issue.user.id === userId) issue.user.name = "Renamed";
  store.writeUser({ id: userId, name: "Renamed" });
  compare(store, expected, fail);
  for (const project of expectedProjects) if (project.owner.id === userId) project.owner.name = "Renamed";
  if (!sameJson(store.readProjects(), expectedProjects)) fail("projects do not show the new name of their owner");
  expectNew(contestant, beforeUser, store, (row) => row.user.id === userId, fail);

  if (contestant.promises.identity && first.some((row, index) => row !== firstRows[index])) {
    fail("a list that was handed out has changed");
  }

  if (contestant.promises.watching !== (store.watchIssue !== undefined)) fail("watching is promised and not there");
  if (store.watchIssue !== undefined) checkReaders(contestant, store, expected, fail);

  if (contestant.pure !== undefined) {
    const { normalize, denormalize } = contestant.pure;
    const rows = denormalize(normalize(response()));
    if (!sameJson(rows, response())) fail("denormalize(normalize(response)) is not the response");
  }
}

/** Splits the rows between two users; the workload of 100 rows has one. */
function withTwoUsers(issues: RawIssue[], workload: Workload): RawIssue[] {
  const second = { ...issues[0]!.user, id: workload.issueId(1), login: "second", name: "Second" };
  return issues.map((issue, index) => index % 2 === 0 ? issue : { ...issue, user: { ...second } });
}

/** Compares the list and the sorted query with what a naive client would show. */
function compare(store: Store, expected: readonly RawIssue[], fail: (problem: string) => never): void {
  const rows = store.readIssues();
  if (rows.length !== expected.length) fail(`the list has ${rows.length} rows in place of ${expected.length}`);
  expected.forEach((issue, index) => {
    if (!sameJson(rows[index], issue)) {
      fail(`row ${index} is ${JSON.stringify(rows[index])} in place of ${JSON.stringify(issue)}`);
    }
  });
  const sorted = [...expected].sort(byTitle);
  const titles = store.readSorted().map((row) => row.title);
  if (!sameJson(titles, sorted.map((row) => row.title))) fail("the sorted query is wrong");
  if (store.findByNumber !== undefined) {
    for (const row of rows) {
      if (store.findByNumber(row.number) !== row) fail(`row ${row.id} is not found by its number`);
    }
    if (store.findByNumber(0) !== undefined) fail("a row is found that is not there");
  }
  const held = store.holdIssues?.();
  if (held !== undefined && held() !== rows) fail("one who keeps its place reads another list");
  const top = store.readTop?.(5).map((row) => row.title);
  const expectedTop = sorted.filter((row) => row.state === "open").slice(0, 5).map((row) => row.title);
  if (top !== undefined && !sameJson(top, expectedTop)) fail("the first open ones by title are wrong");
}

/** Each reader is told of another row of its own, once, and of nothing else. */
function checkReaders(
  contestant: Contestant,
  store: Store,
  expected: readonly RawIssue[],
  fail: (problem: string) => never,
): void {
  const shown: IssueView[] = [];
  const expectShown = (ids: readonly string[], after: string) => {
    const found = shown.splice(0);
    if (!sameJson(found.map((row) => row.id).sort(), [...ids].sort())) {
      fail(`after ${after} the readers of [${found.map((row) => row.id)}] are told in place of [${ids}]`);
    }
    for (const row of found) {
      if (!sameJson(row, expected.find((issue) => issue.id === row.id))) fail(`a reader is shown an old row ${row.id}`);
    }
  };
  const stops = expected.map((issue) => store.watchIssue!(issue.id, (row) => shown.push(row)));
  const all = expected.map((issue) => issue.id);
  expectShown(all, "mounting");

  const changed = expected[7]!;
  changed.title = "Told to one";
  store.writeIssue({ id: changed.id, title: changed.title });
  expectShown([changed.id], "a new title");
  store.writeIssue({ id: changed.id, title: changed.title });
  expectShown(contestant.promises.equalRefetch ? [] : [changed.id], "an equal title");

  const { id: userId } = changed.user;
  const showing = expected.filter((issue) => issue.user.id === userId);
  for (const issue of showing) issue.user.name = "Told to some";
  store.writeUser({ id: userId, name: "Told to some" });
  expectShown(showing.map((issue) => issue.id), "a renamed user");

  stops.splice(7, 1)[0]!();
  changed.title = "Told to nobody";
  store.writeIssue({ id: changed.id, title: changed.title });
  expectShown([], "its reader has gone");
  for (const stop of stops) stop();
}

/** After a change the list and the rows that contain it are new, every other row is the same object. */
function expectNew(
  contestant: Contestant,
  before: readonly IssueView[],
  store: Store,
  isChanged: (row: IssueView) => boolean,
  fail: (problem: string) => never,
): void {
  if (!contestant.promises.identity) return;
  const after = store.readIssues();
  if (after === before) fail("a change leaves the list the same object");
  after.forEach((row, index) => {
    if (isChanged(row) && row === before[index]) fail(`row ${row.id} has changed and is the same object`);
    if (!isChanged(row) && row !== before[index]) fail(`row ${row.id} is new and nothing in it has changed`);
  });
}

/** Whether two values are the same JSON, whatever the order of members; GraphQL clients add a `__typename` to objects. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a).filter((key) => key !== "__typename");
  return keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(Reflect.get(a, key), Reflect.get(b, key)));
}
