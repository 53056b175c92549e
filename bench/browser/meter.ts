/**
 * What a page does while the host measures the time: it mounts rows, and writes what they show. It counts the
 * renderings of its rows, because a page that renders other rows than it should has not done the same work.
 *
 * @module
 */
import { type ComponentChild, render } from "preact";
import { makeWorkload, type RawIssue } from "../workload.ts";

/** A page of rows, each of which reads its own entity. */
export interface App {
  /** Stores the response before anything is mounted. */
  fill(response: RawIssue[]): void;
  /** Renders all rows. */
  rows(ids: readonly string[]): ComponentChild;
  writeIssue(change: { id: string; title: string }): void;
  writeUser(change: { id: string; name: string }): void;
}

/** The members that a row shows of its issue, user and labels. */
export interface Shown {
  readonly title: string;
  readonly user: { readonly name: string };
  readonly labels: readonly { readonly name: string }[];
}

/** The text of a row, which is the same for all pages. */
export function textOf({ title, user, labels }: Shown): string {
  return `${title}, ${user.name}, ${labels.map((label) => label.name).join(" ")}`;
}

/** The functions that the host calls. `check` is apart, because looking at the page should not be timed. */
export interface Meter {
  /** Fills the store. The host does not time it. */
  prepare(rows: number): void;
  /**
   * Mounts all rows; the second call mounts as many others. Like the functions below, it returns the renderings per
   * operation.
   */
  mount(): Promise<number>;
  /** Writes titles of rows that lie far apart, and waits after each until the row has rendered. */
  writeRows(count: number): Promise<number>;
  /** Writes names of users in the same way. Many rows show each user. */
  writeUsers(count: number): Promise<number>;
  /**
   * Does everything that a page does at its start: takes a response as text, and mounts its rows.
   *
   * @throws {Error} If a row shows anything else than it should.
   */
  start(response: string): Promise<void>;
  /** The number of operations of the last call. A slow page does fewer than it was asked for. */
  readonly done: number;
  /** Throws if a row shows anything else than it should. */
  check(): void;
}

declare global {
  // Only `var` declares a member of the global object.
  var meter: Meter;
}

let renders = 0;

/** Each row calls this when it renders. */
export function countRender(): void {
  renders++;
}

/** The number of microtasks within which a rendering must begin. */
const MOST_TURNS = 20;

/** After this many ms a page may stop, but not before it has done `FEWEST` operations. */
const PATIENCE_MS = 1_500;
const FEWEST = 10;

/** Makes the meter of a page. */
export function install(app: App): void {
  let workload = makeWorkload(1, "int");
  let counter = 0;
  /** The lists that the page should show, at first and later. */
  const lists: RawIssue[][] = [];
  let mounted = 0;
  const issues = new Map<string, RawIssue>();
  const ofUser = new Map<string, RawIssue[]>();

  /** Runs an operation `count` times, and waits each time until the rows that it changes have rendered. */
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
    // Later renderings and effects, which nothing has waited for, count as well.
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
      // Hidden, because layout and paint of the rows are the same for all.
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
