import { IdleHand } from "../denormalize/idle_hand.ts";
import type { ViewNode, Watcher } from "../denormalize/node.ts";
import { recordsNamed } from "../schemas/subjects.ts";
import { copyArgs } from "../endpoint/copy_plain.ts";
import type { AnyReadable, EndpointDefaults } from "../endpoint/interface.ts";
import { type KeyedCall, wholeCall } from "../endpoint/whole_call.ts";
import { reportError } from "../errors/report_error.ts";
import { Walk } from "../normalize/walk.ts";
import type { AnySchema } from "../schemas/interface.ts";
import { applyPatch } from "./apply_patch.ts";
import { Contents } from "./contents.ts";
import { emptyEntry, type Entry, isSameShape } from "./entry.ts";
import { rowsIn } from "./lists_of.ts";
import { Patch } from "./patch.ts";
import type { PlainPatch } from "./plain_patch.ts";
import { shortenLog } from "./record_log.ts";
import { ResponseView, shownOf } from "./response_view.ts";
import { NONE } from "./shared_empty.ts";
import { NEVER } from "./slot.ts";
import { toBeTold } from "./watch.ts";

/** What memory lets go of, as plain data. */
export type Released = Partial<Pick<PlainPatch, "records" | "endpoints">>;

/** What a part of a store hears of. Must not throw. */
export interface StorePart {
  /** The store is about to change: by a patch, or because memory lets go of something. */
  changing?(patch: Patch | undefined): void;
  /** A patch was committed; readers were not told yet. */
  committed?(patch: Patch, action: unknown): void;
  /** Memory has let go of something that no reader sees. */
  released?(what: Released, action: unknown): void;
  /** A view has its first watcher. */
  watched?(view: ViewNode): void;
  /** For memory: views that are to stay, with all that they are made of, as if somebody watched them. */
  held?(): readonly ViewNode[];
}

/** Answers that nobody watches are kept up to this number; the oldest goes first. */
const MAX_UNWATCHED = 10_000;

/**
 * What is known, and the one way to change it: `commit` applies a patch as one batch, all or nothing, and tells readers
 * after all of it is written.
 */
export class Store extends Contents {
  /** Counts commits: a snapshot of another count is old. */
  commits = 0;
  /** Runs {@linkcode Store.tell}; the signals adapter puts a batch around it. */
  telling: () => void = () => this.tell();
  /** Who hears of what happens, in order. */
  parts: readonly StorePart[] = [];
  /**
   * Engines forget what they learned of a class when a major collection finds no instance of it alive; the next response
   * would then be written several times slower.
   */
  readonly #alive: readonly unknown[];
  readonly #idle = new IdleHand(this.responsesByKey, (views) => views.every(({ watchers }) => watchers === undefined));
  readonly #unmarked = new Set<ViewNode>();
  readonly #awaited = new WeakSet<object>();
  #told: Iterable<Watcher> = NONE;

  constructor(strict: boolean, defaults: EndpointDefaults = {}) {
    super(strict, defaults);
    const patch = new Patch(this, NEVER);
    this.#alive = [patch, new Walk([], NONE, patch)];
  }

  /** A call as it is known here: whole, and with the server's names. */
  callOf<E extends AnyReadable>(given: E, givenArgs: readonly unknown[]): KeyedCall<E> {
    const { endpoint, args } = wholeCall(given, givenArgs);
    const named = this.tables.aliases?.resolve(args) ?? args;
    return { endpoint, args: named, key: endpoint.key(...named) };
  }

  /** The view of an endpoint and its arguments, as {@linkcode callOf} gives them; the same one for the same key and shape. */
  response(endpoint: AnyReadable, args: readonly unknown[], key: string): ResponseView {
    let views = this.responsesByKey.get(key);
    if (views === undefined) {
      const idle = this.responsesByKey.size >= MAX_UNWATCHED ? this.#idle.next() : undefined;
      if (idle !== undefined) this.#dropViews(idle[0]);
      this.responsesByKey.set(key, views = []);
    }
    let view = views.find((candidate) => isSameShape(candidate.endpoint, endpoint));
    if (view === undefined) {
      const kept = copyArgs(args);
      const shown = shownOf(this.overlay.results, this.entries.get(key, endpoint));
      views.push(view = new ResponseView(endpoint, kept, key, this.entries.claim(key, endpoint, kept)));
      view.shown = shown;
      view.unmarked = this.#unmarked;
    }
    this.graph.use(view);
    return view;
  }

  /** Forgets what is known of a key, but for some marks: for the collection. */
  dropKey(key: string, marks: readonly Entry[]): void {
    this.#dropViews(key);
    this.#idle.rest();
    this.entries.delete(key);
    for (const mark of marks) this.entries.set(mark);
  }

  /**
   * Applies a patch. Cannot throw: everything that may fail was computed before. Readers are told when all is written.
   *
   * @param patch What to do.
   * @param action What it was computed from, for parts.
   */
  commit(patch: Patch, action: unknown): void {
    const { parts } = this;
    for (let i = 0; i < parts.length; i++) parts[i]!.changing?.(patch);
    const turned: ViewNode[] = [];
    applyPatch(this, patch, turned);
    this.#remember(patch);
    this.commits++;
    this.#unmarked.clear();
    const views = this.broken.size === 0 ? turned : [...new Set([...turned, ...this.broken])];
    // All of them before any is read, by us or by who is told: reading one reads others, which would then seem to be as
    // they were.
    const before = views.map(({ value }) => value);
    // First of all: a reader that is told may commit again, and patches are handed out in order.
    for (let i = 0; i < parts.length; i++) parts[i]!.committed?.(patch, action);
    this.#tell(views, before);
  }

  /** A part hears of everything from now on. Returns how to end that. */
  join(part: StorePart): () => void {
    this.parts = [...this.parts, part];
    return () => void (this.parts = this.parts.filter((other) => other !== part));
  }

  /**
   * Lets go of what no reader sees: parts hear of it as of any other change.
   *
   * @param act Does it.
   * @param what Is let go of.
   * @param action Stands for it.
   */
  release(act: () => void, what: Released, action: unknown): void {
    for (const part of this.parts) part.changing?.(undefined);
    act();
    this.commits++;
    this.#unmarked.clear();
    for (const part of this.parts) part.released?.(what, action);
  }

  /** The view of what a schema and arguments name. */
  query(schema: AnySchema, args: readonly unknown[]): ViewNode {
    return this.graph.query(schema, this.tables.aliases?.resolveEach(args) ?? args);
  }

  /** Whether an answer is about a record that is not there (any more). */
  isDeleted(schema: AnySchema, result: unknown): boolean {
    const named = recordsNamed(schema, result);
    return named.length > 0 && named.every(([entity, pk]) => this.recordOf(entity, pk) === undefined);
  }

  /** An answer is asked for: its lists undergo what mutations do until it comes. */
  await(schema: AnySchema): void {
    for (const rows of rowsIn(schema, this.#awaited)) this.tables.of(this.graph.planOf(rows));
  }

  /** After a request has settled: what was only kept for its sake goes. */
  fold(): void {
    const oldest = this.sequence.oldest();
    for (const [slot, mark] of this.marks) if (mark < oldest) this.marks.delete(slot);
    this.tableChanges = this.tableChanges.filter(({ stamp }) => stamp.seq > oldest);
    for (const [slot, log] of this.logs) {
      const folded = shortenLog(log, oldest);
      if (folded === undefined) this.logs.delete(slot);
      else if (folded !== log) this.logs.set(slot, folded);
    }
  }

  /**
   * The entries of every key that passes. Reads without an entry of their own, inferred from records, get one that is
   * empty, so that it can be marked.
   */
  matchingEntries(
    test: { testKey(key: string): boolean },
    only?: Pick<Entry, "key" | "shape"> & Partial<Pick<Entry, "args">>,
  ): Entry[] {
    // Of one key there is nothing to look for.
    const keys = only === undefined
      ? [...new Set([...this.entries.keys(), ...this.responsesByKey.keys()])].filter((key) => test.testKey(key))
      : [only.key];
    const entries = keys.flatMap((key) => [
      ...this.entries.of(key),
      // A key with a temporary name is no key that could be kept.
      ...(this.responsesByKey.get(key) ?? [])
        .filter((view) => view.entry === undefined && view.seen > 0 && !view.isQuery && !this.tables.hasId(key))
        .map((view) => view.emptyEntry()),
    ]);
    const isMeant = ({ shape }: Entry) => !shape || !only?.shape || isSameShape(shape, only.shape);
    return only === undefined || entries.some(isMeant)
      ? entries
      : [...entries, emptyEntry(only.key, only.shape, only.args)];
  }

  /** After all is written: what a later reply is compared with. */
  #remember(patch: Patch): void {
    const { stamp } = patch;
    if (!patch.overlaps || !this.sequence.hasMutations()) return;
    const at = this.sequence.event();
    for (const slot of patch.touched) {
      this.overlaps.set(slot, { at, seq: Math.max(stamp.seq, this.overlaps.get(slot)?.seq ?? 0) });
    }
  }

  /** Tells those who read what the last commit has changed. One that throws does not keep the others from being told. */
  tell(): void {
    const told = this.#told;
    this.#told = NONE;
    for (const watcher of told) {
      try {
        if (typeof watcher === "function") watcher();
        else watcher.told();
      } catch (error) {
        reportError(error);
      }
    }
  }

  /** Tells the watchers of what turned, but only where the answer is another object now. */
  #tell(views: readonly ViewNode[], before: readonly unknown[]): void {
    try {
      // Also when nobody is told: an adapter may count commits, for readers that look again by themselves.
      if (views.length > 0) this.#told = toBeTold(this, views, before);
      this.telling();
    } catch (error) {
      // An effect that runs at the end of the batch.
      reportError(error);
    }
  }

  #dropViews(key: string): void {
    for (const view of this.responsesByKey.get(key) ?? []) {
      this.broken.delete(view);
      view.release();
    }
    this.responsesByKey.delete(key);
  }
}
