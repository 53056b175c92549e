import { Graph } from "../denormalize/graph.ts";
import { ConstNode, EntityNode, mark, type ViewNode, type Watcher } from "../denormalize/node.ts";
import { IdleHand } from "../denormalize/idle_hand.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import { Walk } from "../normalize/walk.ts";
import { type Problem, sentenceOf } from "../errors/texts.ts";
import type { AnyReadable, EndpointDefaults } from "../endpoint/interface.ts";
import { type KeyedCall, wholeCall } from "../endpoint/whole_call.ts";
import { copyArgs } from "../endpoint/copy_plain.ts";
import { type AnySchema, isEntity, isSchemaObject, subjectOf } from "../schemas/interface.ts";
import type { EntityRecord } from "../schemas/plan.ts";
import type { PlainPatch } from "./plain_patch.ts";
import { emptyEntry, Entries, type Entry, isSameShape } from "./entry.ts";
import type { Layer } from "./layers.ts";
import { isListOf, rowsIn } from "./lists_of.ts";
import { Notes } from "./notes.ts";
import { Patch } from "./patch.ts";
import { type Overlap, Places } from "./places.ts";
import { ResponseView } from "./response_view.ts";
import { NEVER, type Slot, type Stamp, type Table, Tables } from "./tables.ts";
import type { Sweep } from "./sweeps.ts";
import { foldTail, type Tail } from "./tail.ts";
import type { NamedPk } from "./temporary_ids.ts";
import type { Unconfirmed } from "./unconfirmed.ts";

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
}

/** Answers that nobody watches are kept up to this number; the oldest goes first. */
const MAX_UNWATCHED = 10_000;

/**
 * Everything that is known: tables of records, entries of endpoints, and the graph of what was read from them. Changed
 * by `commit` only: one batch, all or nothing; readers are told after all of it is written.
 */
export class Store {
  readonly tables: Tables = new Tables((about, message) => this.warnOnce(about, message));
  readonly entries: Entries = new Entries();
  readonly places: Places = new Places();
  readonly graph: Graph;
  /** Freeze what is handed out, and warn. */
  readonly strict: boolean;
  /** For endpoints that do not say it themselves. */
  readonly defaults: EndpointDefaults;
  /** What pending mutations show. */
  layers: readonly Layer[] = [];
  /** The records below the layers, of the slots that a layer touches. */
  bases: ReadonlyMap<Slot, EntityRecord | undefined> = NO_BASES;
  /** What pending mutations show in place of what remains of answers. */
  results: ReadonlyMap<Entry, unknown> = NO_RESULTS;
  /** The tails of records that were written while an older request was in flight. */
  tails: Map<Slot, Tail> = new Map();
  /** Changes of whole tables since the oldest request in flight started, in order of place. */
  sweeps: readonly Sweep[] = [];
  /** Entries that were answered while mutations were in flight: they are marked stale when those have settled. */
  readonly behind: Set<string> = new Set();
  /** Records that mutations wrote, or a stream, while others were in flight. */
  readonly overlaps: Map<Slot, Overlap> = new Map();
  /** Where records were marked stale while requests were in flight: what those bring stands before it, and is stale, too. */
  readonly marks: Map<Slot, number> = new Map();
  /** What was sent of records and no answer has said since; from the first time on that there is any. */
  unconfirmed: WeakMap<Slot, Unconfirmed> | undefined;
  /** What replies left for other calls to find. */
  readonly notes: Notes = new Notes();
  /** ms since 1970; 0 when it never was. */
  lastReset = 0;
  /** Counts commits: a snapshot of another count is old. */
  commits = 0;
  /** Runs {@linkcode Store.tell}; the signals adapter puts a batch around it. */
  telling: () => void = () => this.tell();
  /** The watched views that are neither records nor answers: those are found in their tables. */
  readonly watched: Set<ViewNode> = new Set();
  /** Who hears of what happens, in order. */
  parts: readonly StorePart[] = [];
  /** Watched views whose reading threw: they stay dirty, so that no mark would reach them, and are tried at each commit. */
  readonly broken: Set<ViewNode> = new Set();
  /**
   * Engines forget what they learned of a class when a major collection finds no instance of it alive; the next response
   * would then be written several times slower.
   */
  readonly #alive: readonly unknown[];
  /** No record has a later place than this. */
  #lastPlace = 0;
  readonly #responses = new Map<string, ResponseView[]>();
  readonly #idle = new IdleHand(this.#responses, (views) => views.every(({ watchers }) => watchers === undefined));
  readonly #warned = new Set<unknown>();
  readonly #awaited = new WeakSet<object>();
  #told: readonly Watcher[] = NO_WATCHERS;
  /** A list of views that turned, of a commit where none did: the next commit takes it. */
  #unused: ViewNode[] | undefined;
  #shown: ReadonlySet<Table> = NO_TABLES;

  constructor(strict: boolean, defaults: EndpointDefaults = {}) {
    this.strict = strict;
    // Own members only: nobody else's word counts for all endpoints of an app.
    this.defaults = Object.assign(Object.create(null), defaults);
    this.graph = new Graph(this.tables, strict, (about, message) => this.warnOnce(about, message));
    this.graph.keep = copyArgs;
    const patch = new Patch(this, NEVER, 0);
    this.#alive = [patch, new Walk([], NO_ARGS, patch)];
  }

  /** The record without layers. */
  baseOf(slot: Slot): EntityRecord | undefined {
    return this.bases.size > 0 && this.bases.has(slot) ? this.bases.get(slot) : slot.rec;
  }

  /** A call as it is known here: whole, and with the server's names. */
  callOf<E extends AnyReadable>(given: E, givenArgs: readonly unknown[]): KeyedCall<E> {
    const { endpoint, args } = wholeCall(given, givenArgs);
    const named = this.tables.ids.resolve(args);
    return { endpoint, args: named, key: endpoint.key(...named) };
  }

  /** The view of an endpoint and its arguments, as {@linkcode callOf} gives them; the same one for the same key and shape. */
  response(endpoint: AnyReadable, args: readonly unknown[], key: string): ResponseView {
    let views = this.#responses.get(key);
    if (views === undefined) {
      if (this.#responses.size >= MAX_UNWATCHED) this.#dropUnwatched();
      this.#responses.set(key, views = []);
    }
    let view = views.find((candidate) => isSameShape(candidate.endpoint, endpoint));
    if (view === undefined) {
      const kept = copyArgs(args);
      const shown = shownOf(this.results, this.entries.get(key, endpoint));
      views.push(view = new ResponseView(endpoint, kept, key, this.entries.claim(key, endpoint, kept)));
      view.shown = shown;
    }
    this.graph.use(view);
    return view;
  }

  /** The views of endpoints whose key passes. */
  *responses(testKey: (key: string) => boolean): Iterable<ResponseView> {
    for (const [key, views] of this.#responses) if (testKey(key)) yield* views;
  }

  /** The views of endpoints by key. */
  get responsesByKey(): ReadonlyMap<string, readonly ResponseView[]> {
    return this.#responses;
  }

  /** Forgets what is known of a key, but for some marks: for the collection. */
  dropKey(key: string, marks: readonly Entry[]): void {
    for (const view of this.#responses.get(key) ?? []) {
      this.broken.delete(view);
      view.release();
    }
    this.#responses.delete(key);
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
    const { isHearing } = this.places;
    // What those do who are told is not what a stream has said.
    this.places.isHearing = false;
    const { parts } = this;
    for (let i = 0; i < parts.length; i++) parts[i]!.changing?.(patch);
    const turned = this.#unused ?? roomForOne<ViewNode>();
    this.#unused = undefined;
    if (patch.reset) {
      this.#forget(turned);
      this.lastReset = patch.stamp.fetchedAt;
    }
    this.#writeRecords(patch, turned);
    if (patch.entries.length > 0) this.#writeEntries(patch.entries, turned);
    this.#showResults(patch.overlay?.results ?? NO_RESULTS, turned);
    this.layers = patch.layers;
    if (patch.sweeps.length > 0) {
      this.sweeps = [...this.sweeps, ...patch.sweeps].sort((a, b) => a.stamp.place - b.stamp.place);
    }
    for (const key of patch.behind) this.behind.add(key);
    if (patch.clearsBehind) this.behind.clear();
    this.#remember(patch);
    this.commits++;
    const views = this.broken.size === 0 ? turned : [...new Set([...turned, ...this.broken])];
    // All of them before any is read, by us or by who is told: reading one reads others, which would then seem to be as
    // they were.
    const before = views.length === 0 ? NO_VALUES : valuesOf(views);
    // First of all: a reader that is told may commit again, and patches are handed out in order.
    for (let i = 0; i < parts.length; i++) parts[i]!.committed?.(patch, action);
    this.#tell(views, before);
    // Whoever was told may have committed: only now nobody looks at it any more.
    if (turned.length === 0) this.#unused = turned;
    this.places.isHearing = isHearing;
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
    for (const part of this.parts) part.released?.(what, action);
  }

  /**
   * The view of what a schema and arguments name. Arguments may still have the temporary name of what the server has
   * named since. Objects of entities are taken as they are: they may hold half the store.
   */
  query(schema: AnySchema, args: readonly unknown[]): ViewNode {
    const { ids } = this.tables;
    if (!ids.isUsed) return this.graph.query(schema, args);
    return this.graph.query(schema, args.map((arg) => isPlain(arg) ? ids.resolve(arg) : arg));
  }

  /** Whether an answer is an entity whose record is not there (any more). */
  isDeleted(schema: AnySchema, result: unknown): boolean {
    if (!isEntity(schema) || typeof result !== "string") return false;
    const slot = this.tables.of(this.graph.planOf(schema)).slots.get(result);
    return slot === undefined || this.baseOf(slot) === undefined;
  }

  /** The place of the record that the arguments of a mutation name. */
  slotNamed(schema: AnySchema, args: readonly unknown[]): Slot | undefined {
    const entity = subjectIn(schema);
    if (entity === undefined) return undefined;
    const plan = this.graph.planOf(entity);
    for (const [at, arg] of args.entries()) {
      // The body of a list's verb may name it as well as the parameters.
      const pk = at === 0 || typeof arg === "object" ? this.graph.pkOf(plan, [arg]) : undefined;
      if (pk !== undefined) return this.tables.slot(plan, pk);
    }
    return undefined;
  }

  /**
   * The lists of what a mutation is about: the places of collections, and the keys of answers that have rows of it.
   *
   * @param isReading Whether the answer of a key is on its way.
   */
  listsOf(schema: AnySchema, isReading: (key: string) => boolean): { readonly rows: Slot[]; readonly keys: string[] } {
    const entity = subjectIn(schema);
    if (entity === undefined) return { rows: [], keys: [] };
    const isOf = (one: AnySchema) => isListOf(one, entity.key);
    const tables = [...this.tables.byKey.values()];
    const ofRows = tables.filter(({ plans }) => plans.some(({ rows }) => rows && isOf([rows.item] as AnySchema)));
    // Of hydrated ones nobody knows what they are.
    const entries = [...this.entries.all()].filter(({ shape }) => shape === undefined || isOf(shape.schema));
    // What nobody has read, or asks for, is not shown.
    const views = [...this.responses(() => true)].filter((view) =>
      !view.isQuery && (view.isRead || isReading(view.key)) && isOf(view.endpoint.schema)
    );
    return {
      rows: ofRows.flatMap(({ slots }) => [...slots.values()]),
      keys: [...entries, ...views].map(({ key }) => key),
    };
  }

  /** An answer is asked for: its lists undergo what mutations do until it comes. */
  await(schema: AnySchema): void {
    for (const rows of rowsIn(schema, this.#awaited)) this.tables.of(this.graph.planOf(rows));
  }

  /** After a request has settled: what was only kept for its sake goes. */
  fold(): void {
    if (this.tails.size === 0 && this.sweeps.length === 0 && this.marks.size === 0) return;
    const oldest = this.places.oldest();
    for (const [slot, mark] of this.marks) if (mark < oldest) this.marks.delete(slot);
    this.sweeps = this.sweeps.filter(({ stamp }) => stamp.place > oldest);
    if (oldest === Infinity) this.tails.clear();
    else {
      for (const [slot, tail] of this.tails) {
        const folded = foldTail(tail, oldest);
        if (folded === undefined) this.tails.delete(slot);
        else if (folded !== tail) this.tails.set(slot, folded);
      }
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
    const entries = [...this.entries.matching((key) => test.testKey(key))];
    for (const view of this.responses((key) => test.testKey(key))) {
      // A key with a temporary name is no key that could be kept.
      if (view.entry === undefined && !view.isQuery && !this.tables.ids.isIn(view.key)) {
        entries.push(view.emptyEntry());
      }
    }
    if (only !== undefined && !entries.some((entry) => entry.key === only.key && isSameIfKnown(entry, only))) {
      entries.push(emptyEntry(only.key, only.shape, only.args));
    }
    return entries;
  }

  /**
   * Says a sentence to the developer; in strict mode only.
   *
   * @param about A class, or the name of an endpoint: once for each, whatever the place. A list of a thousand unsaved
   *   rows is one sentence.
   * @param message What to say, or what makes it.
   */
  warnOnce(about: unknown, message: Problem | (() => Problem)): void {
    if (!this.strict || this.#warned.has(about)) return;
    this.#warned.add(about);
    console.warn(sentenceOf(typeof message === "function" ? message() : message));
  }

  /** After all is written: what a later reply is compared with. */
  #remember(patch: Patch): void {
    const { basis, entries, renewed, stamp, note } = patch;
    basis?.settle(entries.find((entry) => entry.basis === basis)?.result);
    if (renewed !== undefined) Object.assign(renewed, stamp);
    if (note !== undefined) this.notes.set(note, stamp.place, entries[0]?.key);
    if (!patch.overlaps || !this.places.hasMutations()) return;
    const at = this.places.event();
    for (const slot of patch.written()) {
      this.overlaps.set(slot, { at, place: Math.max(stamp.place, this.overlaps.get(slot)?.place ?? 0) });
    }
  }

  #writeRecords(patch: Patch, turned: ViewNode[]): void {
    const covered = patch.overlay?.writes;
    let bases: Map<Slot, EntityRecord | undefined> | undefined;
    if (covered !== undefined) {
      // Slots that a layer touched before and touches no more show their base again.
      for (const slot of this.bases.keys()) {
        if (!covered.has(slot) && slot.next?.patch !== patch) this.#show(slot, this.bases.get(slot), turned);
      }
      for (const [slot, { record }] of covered) {
        const base = patch.baseOf(slot);
        // What a layer deletes and nobody has needs no place.
        if (record !== undefined || base !== undefined) (bases ??= new Map()).set(slot, base);
        this.#show(slot, record, turned);
      }
    }
    const { staged, tables, touched, known } = patch;
    // Counted, where most patches have one: until it is optimized, an iterator costs as much as writing a record.
    for (let i = 0; i < staged.length; i++) {
      const { slot, plan, rec } = staged[i]!;
      if (covered === undefined || !covered.has(slot)) this.#show(slot, rec, turned);
      this.tables.of(plan).version++;
    }
    this.bases = bases ?? NO_BASES;
    for (let i = 0; i < tables.length; i++) {
      if (patch.isAnswer) tables[i]!.table.isAsked = true;
      this.#adopt(tables[i]!, turned);
    }
    if (patch.names.size > 0) { for (const [id, pk] of patch.names) this.#rename(id, pk, turned); }
    const { stamp } = patch;
    const isLast = stamp.place >= this.#lastPlace;
    if (isLast) this.#lastPlace = stamp.place;
    for (let i = 0; i < staged.length; i++) stampSlot(staged[i]!.slot, stamp, isLast);
    for (let i = 0; i < touched.length; i++) {
      // What nobody knew was deleted.
      if (touched[i]!.rec === undefined) turnNodes(touched[i]!, turned);
      stampSlot(touched[i]!, stamp, isLast);
    }
    if (patch.named.size > 0) { for (const slot of patch.named) this.#unknow(slot, turned); }
    if (patch.stamps.size > 0) { for (const [slot, stamp] of patch.stamps) slot.stamp = stamp; }
    if (patch.stale.size > 0) {
      for (const [slot, mark] of patch.stale) {
        slot.stamp = { ...slot.stamp, expiresAt: 0 };
        this.marks.set(slot, mark);
      }
      // Marked by themselves, they may be of any.
      for (const { table } of patch.tables) table.version++;
      if (patch.tables.length === 0) { for (const table of this.tables.byKey.values()) table.version++; }
    }
    if (patch.tails.size > 0) this.#adoptTails(patch);
    for (const [slot, unconfirmed] of patch.unconfirmed) {
      if (unconfirmed.marks.size > 0) (this.unconfirmed ??= new WeakMap()).set(slot, unconfirmed);
      else this.unconfirmed?.delete(slot);
    }
    for (let i = 0; i < known.length; i++) {
      const table = known[i]!;
      table.known = true;
      table.version++;
      this.#turnAll(table, turned);
    }
    this.#showTables(patch.shown, turned);
  }

  #adoptTails({ tails, foldsTails }: Patch): void {
    if (this.tails.size === 0 && !foldsTails) {
      // A list under an older request: to put its tails into another map would cost a tenth of writing it.
      this.tails = tails as Map<Slot, Tail>;
      return;
    }
    for (const [slot, tail] of tails) {
      if (tail === undefined) this.tails.delete(slot);
      else this.tails.set(slot, tail);
    }
  }

  /** A table of which only a layer has a record is known as long as that is shown; who shows it marks its views. */
  #showTables(shown: ReadonlySet<Table>, turned: ViewNode[]): void {
    if (shown.size === 0 && this.#shown.size === 0) return;
    for (const table of new Set([...this.#shown, ...shown])) {
      const isShown = shown.has(table);
      if (isShown === table.isShown) continue;
      table.isShown = isShown;
      if (!table.known) this.#turnAll(table, turned);
    }
    this.#shown = shown.size === 0 ? NO_TABLES : shown;
  }

  /** Puts what readers see into a slot, and marks what was made of it. */
  #show(slot: Slot, rec: EntityRecord | undefined, turned: ViewNode[]): void {
    const before = slot.rec;
    if (before === rec) return;
    // The server confirmed what a layer showed: nobody needs to hear of it.
    if (rec !== undefined && before !== undefined && this.bases.has(slot) && deepEqual(before, rec)) return;
    slot.rec = rec;
    if (this.tables.indexed.size > 0) this.#reindex(slot, before, turned);
    turnNodes(slot, turned);
  }

  /** A deleted record was named by who does not know of it. */
  #unknow(slot: Slot, turned: ViewNode[]): void {
    if (this.baseOf(slot) !== undefined) return;
    slot.stamp = NEVER;
    turnNodes(slot, turned);
  }

  #reindex(slot: Slot, before: EntityRecord | undefined, turned: ViewNode[]): void {
    for (const { indexes } of this.tables.indexed) {
      for (const index of indexes!.values()) index.changed(slot, before, slot.rec, turned);
    }
  }

  /** New records join their table, in order of arrival. */
  #adopt(part: Patch["tables"][number], turned: ViewNode[]): void {
    const { table, fresh } = part;
    table.part = undefined;
    if (part.hasRecords) table.version++;
    if (part.hasRecords && !table.known) {
      table.known = true;
      this.#turnAll(table, turned);
    }
    if (fresh.size > 0) this.#arrive(part, turned);
  }

  #arrive({ table, fresh, hasWaiting }: Patch["tables"][number], turned: ViewNode[]): void {
    let isMoved = hasWaiting;
    const views = [...this.graph.allViews()].filter((view) => view.plan.key === table.key);
    if (table.slots.size === 0) {
      table.slots = fresh;
      for (const index of table.indexes?.values() ?? []) index.restart(turned);
    } else {
      fresh.forEach((slot, pk) => {
        const waiting = table.slots.get(pk);
        if (waiting !== undefined) {
          // Somebody made it to wait for the record; it arrives now, behind what arrived before.
          table.slots.delete(pk);
          if (waiting !== slot) {
            isMoved = true;
            slot.node = waiting.node;
            for (let node = slot.node; node !== undefined; node = node.sibling) {
              node.slot = slot;
              mark(node, turned);
            }
          }
        }
        table.slots.set(pk, slot);
        for (const view of views) view.add(slot);
        if (table.indexes !== undefined) {
          for (const index of table.indexes.values()) index.arrived(slot, pk, turned);
        }
      });
    }
    if (isMoved || table.slots === fresh) { for (const view of views) view.restart(); }
    for (const view of views) mark(view, turned);
  }

  /** The server has named a record: it takes the place of what was shown under the temporary name. */
  #rename(id: string, named: NamedPk, turned: ViewNode[]): void {
    this.tables.ids.name(id, named);
    const pk = String(named);
    for (const view of this.#watchedBy(id)) {
      // Told whatever it reads now: who asked with that name asks for another view from now on.
      this.broken.add(view);
    }
    for (const table of this.tables.byKey.values()) {
      const slot = table.slots.get(pk);
      const shown = table.slots.get(id);
      if (shown === undefined || slot === undefined) continue;
      // Where another layer hid it, nothing of it has changed.
      for (let { node } = shown; node !== undefined; node = node.sibling) {
        if (node.watchers !== undefined) this.broken.add(node);
      }
      this.graph.renamed(slot, id);
      // An object that was made of it before has the other name.
      for (let node = slot.node; node !== undefined; node = node.sibling) {
        node.built = undefined;
        mark(node, turned);
      }
      const slots = [...table.slots].filter(([name]) => name !== pk);
      table.slots = new Map(slots.map(([name, before]) => name === id ? [pk, slot] : [name, before]));
      for (const view of this.graph.allViews()) {
        if (view.plan.key !== table.key) continue;
        view.restart();
        mark(view, turned);
      }
      for (const index of table.indexes?.values() ?? []) index.restart(turned);
    }
  }

  /** The watched views that were asked for with arguments in which a temporary name is. */
  *#watchedBy(id: string): Iterable<ViewNode> {
    const name = new RegExp(`${id}(?!\\d)`);
    const isIn = (key: unknown) => typeof key === "string" && name.test(key);
    for (const views of this.graph.viewSets()) {
      for (const [key, view] of views) if (view.watchers !== undefined && isIn(key)) yield view;
    }
    for (const view of this.responses(isIn)) if (view.watchers !== undefined) yield view;
  }

  #turnAll(table: Table, turned: ViewNode[]): void {
    for (const view of this.graph.allViews()) if (view.plan.key === table.key) mark(view, turned);
    for (const index of table.indexes?.values() ?? []) index.turnAll(turned);
  }

  #writeEntries(entries: readonly Entry[], turned: ViewNode[]): void {
    for (const entry of entries) {
      this.entries.set(entry);
      for (const view of this.#responses.get(entry.key) ?? []) {
        // Of hydrated ones the first takes it.
        const own = this.entries.claim(entry.key, view.endpoint, view.args);
        if (own === undefined || (own !== entry && view.entry === own)) continue;
        view.entry = own;
        mark(view, turned);
      }
    }
  }

  #showResults(results: ReadonlyMap<Entry, unknown>, turned: ViewNode[]): void {
    if (this.results.size + results.size === 0) return;
    const keys = new Set(Array.from([...this.results.keys(), ...results.keys()], ({ key }) => key));
    this.results = results;
    for (const key of keys) {
      for (const view of this.#responses.get(key) ?? []) {
        const shown = shownOf(results, view.entry);
        // What is shown again, unchanged, stays the same object.
        if (deepEqual(view.shown, shown)) continue;
        view.shown = shown;
        mark(view, turned);
      }
    }
  }

  #forget(turned: ViewNode[]): void {
    for (const table of this.tables.byKey.values()) {
      table.known = false;
      const { slots } = table;
      table.slots = new Map();
      for (const [pk, slot] of slots) {
        this.#show(slot, undefined, turned);
        slot.stamp = NEVER;
        slot.next = undefined;
        // Who has read it is told when it comes again.
        if (slot.node !== undefined) table.slots.set(pk, slot);
      }
      for (const index of table.indexes?.values() ?? []) index.restart(turned);
    }
    for (const view of this.graph.allViews()) {
      view.restart();
      mark(view, turned);
    }
    this.entries.clear();
    for (const view of this.responses(() => true)) {
      view.entry = undefined;
      mark(view, turned);
    }
    this.bases = NO_BASES;
    this.#showTables(NO_TABLES, turned);
    this.tails.clear();
    this.sweeps = [];
    this.behind.clear();
    this.overlaps.clear();
    this.marks.clear();
    this.unconfirmed = undefined;
    this.notes.clear();
    this.tables.ids.clear();
  }

  /** Tells those who read what the last commit has changed. One that throws does not keep the others from being told. */
  tell(): void {
    const told = this.#told;
    this.#told = NO_WATCHERS;
    for (let i = 0; i < told.length; i++) {
      const watcher = told[i]!;
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
      this.#told = views.length === 0 ? NO_WATCHERS : this.#toBeTold(views, before);
      this.telling();
    } catch (error) {
      // An effect that runs at the end of the batch.
      reportError(error);
    }
  }

  /** The watchers of those views whose answer is another now, each once. */
  #toBeTold(views: readonly ViewNode[], before: readonly unknown[]): readonly Watcher[] {
    // A record that one component reads: the set would cost more than what it is told.
    if (views.length === 1) return this.#hasTurned(views[0]!, before[0]) ? watchersOf(views[0]!) : NO_WATCHERS;
    const told = new Set<Watcher>();
    for (let i = 0; i < views.length; i++) {
      if (this.#hasTurned(views[i]!, before[i])) { for (const watcher of watchersOf(views[i]!)) told.add(watcher); }
    }
    return [...told];
  }

  /** Whether a watched view answers otherwise than before: with another value, with an error, or without one again. */
  #hasTurned(view: ViewNode, before: unknown): boolean {
    const wasBroken = this.broken.size > 0 && this.broken.delete(view);
    if (view.watchers === undefined) return false;
    let isTold = wasBroken;
    try {
      if (!Object.is(view.read(this.graph), before)) isTold = true;
    } catch {
      // Whoever reads it meets the error there.
      this.broken.add(view);
      isTold = !wasBroken;
    }
    if (isTold) this.graph.asked?.push(view);
    return isTold;
  }

  #dropUnwatched(): void {
    const found = this.#idle.next();
    if (found === undefined) return;
    this.#responses.delete(found[0]);
    for (const view of found[1]) view.release();
  }
}

/** The class that a mutation is about: also where its reply has the record in an envelope, beside no other. */
function subjectIn(schema: AnySchema): ReturnType<typeof subjectOf> {
  if (isEntity(schema) || isSchemaObject(schema)) return subjectOf(schema);
  const [one, ...others] = Object.values(schema ?? {}).filter(isEntity);
  return others.length === 0 ? subjectOf(one) : undefined;
}

/** Marks what was made of a record. */
function turnNodes(slot: Slot, turned: ViewNode[]): void {
  for (let node = slot.node; node !== undefined; node = node.sibling) mark(node, turned);
}

/** A record is written: it is as young as that, but a late reply makes it neither older nor younger. */
function stampSlot(slot: Slot, stamp: Stamp, isLast: boolean): void {
  if (isLast || slot.stamp.place <= stamp.place) slot.stamp = stamp;
  slot.next = undefined;
}

/** An empty array that holds the first item without growing: one that grows by `push` has room for seventeen. */
function roomForOne<T>(): T[] {
  const list: (T | undefined)[] = [undefined];
  list.pop();
  return list as T[];
}

function valuesOf(views: readonly ViewNode[]): readonly unknown[] {
  return views.length === 1 ? [views[0]!.value] : views.map(({ value }) => value);
}

/** The watchers of a view: a copy, for who is told may watch and unwatch. */
function watchersOf({ watchers }: ViewNode): readonly Watcher[] {
  return watchers === undefined ? NO_WATCHERS : watchers instanceof Set ? [...watchers] : [watchers];
}

/** Whether two entries of one key are one. */
function isSameIfKnown({ shape }: Pick<Entry, "shape">, { shape: other }: Pick<Entry, "shape">): boolean {
  return shape === undefined || other === undefined || isSameShape(shape, other);
}

function isPlain(arg: unknown): boolean {
  if (typeof arg !== "object" || arg === null || Array.isArray(arg)) return true;
  const prototype: unknown = Object.getPrototypeOf(arg);
  return prototype === Object.prototype || prototype === null;
}

const NO_ARGS: readonly unknown[] = /* @__PURE__ */ Object.freeze([]);
const NO_BASES: ReadonlyMap<Slot, EntityRecord | undefined> = new Map();
const NO_RESULTS: ReadonlyMap<Entry, unknown> = new Map();
const NO_TABLES: ReadonlySet<Table> = new Set();

/** What pending mutations show in place of what remains of an answer. */
export function shownOf(results: ReadonlyMap<Entry, unknown>, entry: Entry | undefined): ResponseView["shown"] {
  return entry !== undefined && results.has(entry) ? { result: results.get(entry) } : undefined;
}
const NO_VALUES: readonly unknown[] = /* @__PURE__ */ Object.freeze([]);
const NO_WATCHERS: readonly Watcher[] = /* @__PURE__ */ Object.freeze([]);

/** Hands an error to the platform as an uncaught one, without unwinding the caller. */
export function reportError(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/**
 * Tells a watcher after each commit that gave a view another value.
 *
 * @returns How to stop it.
 */
export function watch(store: Store, view: ViewNode, watcher: Watcher): () => void {
  addWatcher(store, view, watcher);
  return () => unwatch(store, view, watcher);
}

/** The same for a watcher that calls {@linkcode unwatch} itself: a closure would be paid for by every reader. */
export function addWatcher(store: Store, view: ViewNode, watcher: Watcher): void {
  // It never changes, and belongs to every store: a watcher of one would be kept by the readers of another.
  if (view instanceof ConstNode) return;
  try {
    // A view that nobody has read is dirty already, and would not be marked.
    view.read(store.graph);
  } catch {
    // The reader meets the error when it reads.
    store.broken.add(view);
  }
  const { watchers } = view;
  // Most views have one watcher: a set would be paid for by each of them.
  if (watchers === undefined) view.watchers = watcher;
  else if (watchers instanceof Set) watchers.add(watcher);
  else if (watchers !== watcher) view.watchers = new Set([watchers, watcher]);
  if (watchers === undefined) {
    if (!isTabled(view)) store.watched.add(view);
    for (const part of store.parts) part.watched?.(view);
  }
}

/** It is found in a table of the store. */
function isTabled(view: ViewNode): boolean {
  return view instanceof EntityNode || view instanceof ResponseView;
}

/** The watcher is told of the view no more. */
export function unwatch(store: Store, view: ViewNode, watcher: Watcher): void {
  const { watchers } = view;
  if (watchers === watcher) view.watchers = undefined;
  else if (watchers instanceof Set && watchers.delete(watcher) && watchers.size === 0) view.watchers = undefined;
  if (watchers === undefined || view.watchers !== undefined) return;
  if (!isTabled(view)) store.watched.delete(view);
  // From now on its age counts.
  store.graph.use(view);
}

/** How many watchers a view has. */
export function countWatchers({ watchers }: ViewNode): number {
  return watchers === undefined ? 0 : watchers instanceof Set ? watchers.size : 1;
}
