/**
 * What a page does: it mounts rows and writes to what they show, while the host takes the time. A page counts the
 * renderings of its rows; who renders others than it should has not done the same work.
 *
 * @module
 */
import { type ComponentChild, render } from "preact";
import { makeWorkload, type RawIssue } from "../workload.ts";

/** A page of rows, each of which reads its own entity. */
export interface App {
  /** Takes the response, before anything is mounted. */
  fill(response: RawIssue[]): void;
  /** All rows. */
  rows(ids: readonly string[]): ComponentChild;
  writeIssue(change: { id: string; title: string }): void;
  writeUser(change: { id: string; name: string }): void;
}

/** What a row shows of the records that it is joined from. */
export interface Shown {
  readonly title: string;
  readonly user: { readonly name: string };
  readonly labels: readonly { readonly name: string }[];
}

/** The text of a row: the same for all pages. */
export function textOf({ title, user, labels }: Shown): string {
  return `${title}, ${user.name}, ${labels.map((label) => label.name).join(" ")}`;
}

/** What the host calls. What a page shows is looked at by itself, for that is not to be timed. */
export interface Meter {
  /** Fills the store; nothing of it is timed. */
  prepare(rows: number): void;
  /** Mounts all rows; the second time as many others. Like those below, it gives how many renderings an operation made. */
  mount(): Promise<number>;
  /** Writes titles of rows that lie far apart, each after the one before has been rendered. */
  writeRows(count: number): Promise<number>;
  /** The same with users, each of which many rows show. */
  writeUsers(count: number): Promise<number>;
  /**
   * All that a page does at its start: takes a response as text, and mounts its rows.
   *
   * @throws {Error} Where a row does not show what it should.
   */
  start(response: string): Promise<void>;
  /** How many operations the last of these had: one that takes very long has fewer than it was told. */
  readonly done: number;
  /** Throws where a row shows what it should not. */
  check(): void;
}

declare global {
  // Only var declares a member of the global object.
  var meter: Meter;
}

let renders = 0;

/** Called by each row that is rendered. */
export function countRender(): void {
  renders++;
}

/** Microtasks in which a rendering must have begun. */
const MOST_TURNS = 20;

/** Who has taken so long has done enough, in ms; but this often at least. */
const PATIENCE_MS = 1_500;
const FEWEST = 10;

/** Makes the meter of a page. */
export function install(app: App): void {
  let workload = makeWorkload(1, "int");
  let counter = 0;
  /** What is to be seen, first and later. */
  const lists: RawIssue[][] = [];
  let mounted = 0;
  const issues = new Map<string, RawIssue>();
  const ofUser = new Map<string, RawIssue[]>();

  /** Does it so often, and waits each time until the rows that are concerned have been rendered. */
  async function run(count: number, begin: (at: number) => number): Promise<number> {
    renders = 0;
    const start = performance.now();
    let done = 0;
    while (done < count && (done < FEWEST || performance.now() - start < PATIENCE_MS)) {
      const before = renders;
      const expected = begin(done++);
      for (let turn = 0; renders < before + expected && turn < MOST_TURNS; turn++) await undefined;
    }
    meter.done = done;
    // What comes later, effects and renderings that nobody has waited for, counts as well.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return renders / done;
  }

  const meter: { -readonly [K in keyof Meter]: Meter[K] } = globalThis.meter = {
    done: 0,
    prepare(rows) {
      workload = makeWorkload(rows, "int");
      for (const { issues } of [workload, makeWorkload(rows, "string")]) {
        app.fill(issues());
        lists.push(issues());
      }
      for (const issue of lists[0]!) {
        issues.set(issue.id, issue);
        const shown = ofUser.get(issue.user.id);
        if (shown === undefined) ofUser.set(issue.user.id, [issue]);
        else shown.push(issue);
      }
    },
    mount() {
      const list = document.body.appendChild(document.createElement("ul"));
      // Nobody sees them: laying out and painting rows is the same for all.
      list.hidden = true;
      const ids = lists[mounted++]!.map(({ id }) => id);
      return run(1, () => {
        render(app.rows(ids), list);
        return ids.length;
      });
    },
    async start(response) {
      lists.push(JSON.parse(response));
      app.fill(JSON.parse(response));
      await meter.mount();
      meter.check();
    },
    writeRows(count) {
      return run(count, () => {
        const id = workload.issueId((++counter * 7919) % workload.n);
        const change = { id, title: `changed ${counter}` };
        Object.assign(issues.get(id)!, change);
        app.writeIssue(change);
        return 1;
      });
    },
    writeUsers(count) {
      return run(count, () => {
        const id = workload.userId((++counter * 7919) % workload.n);
        const change = { id, name: `renamed ${counter}` };
        for (const issue of ofUser.get(id)!) issue.user = { ...issue.user, ...change };
        app.writeUser(change);
        return ofUser.get(id)!.length;
      });
    },
    check() {
      const shown = [...document.querySelectorAll("li")].map((row) => row.textContent);
      const expected = lists.slice(0, mounted).flat().map(textOf);
      const wrong = expected.findIndex((text, row) => text !== shown[row]);
      if (wrong >= 0) throw new Error(`a row shows "${shown[wrong]}" and not "${expected[wrong]}"`);
    },
  };
}
