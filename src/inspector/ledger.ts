import type { Controller } from "../controller/controller.ts";
import type { Flight, Part } from "../controller/part.ts";
import { Fragment, options, type VNode } from "../deps/preact.ts";
import type { Commit } from "../store/commit.ts";

/** The runs of components of one name after a change. */
export interface Run {
  readonly name: string;
  count: number;
  /** The element of the last run. */
  place: Element | undefined;
}
/** One commit, and the components that ran after it. */
export interface Change {
  readonly id: number;
  readonly time: Date;
  readonly subject: string;
  /** The records that the commit wrote, as `Article 5`; a deleted one is `-Article 5`. */
  readonly records: readonly string[];
  readonly runs: Map<string, Run>;
}

const MOST = 100;

/** Records the last changes of a store, and which components ran after each. */
export class Ledger {
  /** The changes, newest first. */
  readonly changes: Change[] = [];
  readonly #controller: Controller;
  readonly #told: () => void;
  readonly #part: Part;
  #current: Change | undefined;
  #count = 0;
  #settled: Flight | undefined;
  #isOver = false;

  /** @param told Called after each change. */
  constructor(controller: Controller, told: () => void, cleanup: () => void) {
    this.#controller = controller;
    this.#told = told;
    this.#part = controller.use(() => ({
      start: () => told(),
      settle: (flight: Flight) => void (this.#settled = flight),
      commit: (commit: Commit) => this.#committed(commit),
      reset: () => void this.#add("reset", []),
      cleanup,
    }));
    const rendered = new WeakSet<VNode>(), { diffed } = options;
    const hooks = options as typeof options & { __r?: (vnode: VNode) => void }; // a private hook, as in Drawn
    const { __r } = hooks;
    // Preact calls `diffed` also for a component that did not run because nothing that it reads changed.
    hooks.__r = (vnode) => {
      __r?.(vnode);
      rendered.add(vnode);
    };
    options.diffed = (vnode) => {
      diffed?.(vnode);
      // The panel renders elements only, so no run of a component is its own.
      if (!this.#isOver && rendered.has(vnode) && vnode.type !== Fragment) this.#ran(vnode);
    };
  }
  #committed({ touched, changed, options: { flight, key } }: Commit): void {
    const settled = this.#settled, records = touched.map(({ rec, table, pk }) => `${rec ? "" : "-"}${table.key} ${pk}`);
    this.#settled = undefined;
    const of = (flight as Flight | undefined) ?? settled; // the store knows no type of requests
    const subject = of ? `${of.answer?.key ?? of.endpoint.name}${flight ? "" : " failed"}` : key ?? "set";
    if (records.length || of) this.#add(subject, records);
    else if (changed.length) this.#told();
  }
  #add(subject: string, records: readonly string[]): Change {
    const change: Change = { id: ++this.#count, time: new Date(), subject, records, runs: new Map() };
    this.changes.unshift(change);
    this.changes.length = Math.min(this.changes.length, MOST);
    this.#current = change;
    // The components that a commit reaches run before the next task, so later runs belong to no commit.
    setTimeout(() => {
      if (this.#current === change) this.#current = undefined;
    });
    this.#told();
    return change;
  }
  #ran(vnode: VNode): void {
    const { name, displayName = name } = vnode.type as { name: string; displayName?: string }; // its type is a component
    const { runs } = this.#current ?? this.#add("the app itself", []);
    const run: Run = runs.get(displayName) ?? { name: displayName, count: 0, place: undefined };
    run.count++;
    run.place = placeOf(vnode);
    runs.set(displayName, run);
    this.#told();
  }
  /** Stops recording. */
  stop(): void {
    this.#isOver = true;
    const { parts } = this.#controller, at = parts.indexOf(this.#part);
    if (at >= 0) parts.splice(at, 1);
  }
}

/** Private fields of a vnode; they and `options.__r` stand under the names that the published builds of Preact 10 and 11 have. */
interface Drawn {
  readonly type?: unknown;
  /** The child vnodes. */
  readonly __k?: readonly (Drawn | null)[] | null;
  /** The DOM node. */
  readonly __e?: Node | null;
}
/** The first element that a component rendered, or the parent element of its first text. */
function placeOf(vnode: VNode): Element | undefined {
  const queue: (Drawn | null | undefined)[] = [vnode as Drawn]; // a rendered vnode has these fields
  for (const one of queue) {
    if (typeof one?.type == "function") queue.push(...one.__k ?? []);
    else if (one?.__e) return one.__e.nodeType === 1 ? one.__e as Element : one.__e.parentElement ?? undefined; // 1: an element
  }
}
