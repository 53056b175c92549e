/**
 * What a page does: it mounts rows and writes to what they show, while the host takes the time. A page counts the
 * renderings of its rows; who renders others than it should has not done the same work.
 *
 * @module
 */
import { type ComponentChild, render } from "preact";
import { times } from "../scenario.ts";
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

/** What one thing cost: ms for each operation, and how many renderings it made. */
export interface Reading {
  readonly milliseconds: number;
  readonly renders: number;
}

/** What the host calls. */
export interface Meter {
  /** Fills the store; nothing of it is timed. */
  prepare(rows: number): void;
  /** Mounts all rows. */
  mount(): Promise<Reading>;
  /** Writes titles of rows that lie far apart, each after the one before has been rendered. */
  writeRows(count: number): Promise<Reading>;
  /** The same with users, each of which many rows show. */
  writeUsers(count: number): Promise<Reading>;
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

/** Makes the meter of a page. */
export function install(app: App): void {
  let workload = makeWorkload(1, "int");
  let counter = 0;
  const elements = () => [...document.querySelectorAll("li")];

  /** Does it so often, and waits each time until the rows that are concerned have been rendered. */
  async function time(operations: readonly { write(): void; expected: number }[]): Promise<Reading> {
    renders = 0;
    let due = 0;
    const start = performance.now();
    for (const { write, expected } of operations) {
      due += expected;
      write();
      for (let turn = 0; renders < due && turn < MOST_TURNS; turn++) await undefined;
    }
    const milliseconds = (performance.now() - start) / operations.length;
    // Renderings that nobody has waited for count as well.
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { milliseconds, renders: renders / operations.length };
  }
  function expectText(element: Element | undefined, part: string): void {
    const text = element?.textContent;
    if (!text?.includes(part)) throw new Error(`a row shows "${text}" and not "${part}"`);
  }

  globalThis.meter = {
    prepare(rows) {
      workload = makeWorkload(rows, "int");
      app.fill(workload.issues());
    },
    async mount() {
      const list = document.body.appendChild(document.createElement("ul"));
      const ids = times(workload.n, workload.issueId);
      const reading = await time([{ write: () => render(app.rows(ids), list), expected: workload.n }]);
      const shown = elements();
      workload.issues().forEach((issue, row) => expectText(shown[row], textOf(issue)));
      return reading;
    },
    async writeRows(count) {
      let row = 0;
      const reading = await time(times(count, () => {
        const at = row = (++counter * 7919) % workload.n;
        const title = `changed ${counter}`;
        return { write: () => app.writeIssue({ id: workload.issueId(at), title }), expected: 1 };
      }));
      expectText(elements()[row], `changed ${counter}`);
      return reading;
    },
    async writeUsers(count) {
      const shown = new Map<string, number>();
      for (let row = 0; row < workload.n; row++) {
        shown.set(workload.userId(row), (shown.get(workload.userId(row)) ?? 0) + 1);
      }
      let row = 0;
      const reading = await time(times(count, () => {
        row = (++counter * 7919) % workload.n;
        const id = workload.userId(row);
        const name = `renamed ${counter}`;
        return { write: () => app.writeUser({ id, name }), expected: shown.get(id)! };
      }));
      expectText(elements()[row], `renamed ${counter}`);
      return reading;
    },
  };
}
