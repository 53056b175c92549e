import type { warnOfLacking } from "../denormalize/checks.ts";
import { Graph } from "../denormalize/graph.ts";
import type { ViewNode } from "../denormalize/node.ts";
import { copyArgs } from "../endpoint/copy_plain.ts";
import type { EndpointDefaults } from "../endpoint/interface.ts";
import { check } from "../errors/checks.ts";
import { type Problem, sentenceOf } from "../errors/texts.ts";
import type { AnyEntity } from "../schemas/interface.ts";
import type { EntityRecord } from "../schemas/plan.ts";
import { Entries } from "./entry.ts";
import { type Layer, NO_OVERLAY, type Overlay } from "./layer.ts";
import type { RecordLog } from "./record_log.ts";
import type { ResponseView } from "./response_view.ts";
import { type Overlap, Sequence } from "./sequence.ts";
import type { Slot, TableChange } from "./slot.ts";
import { Tables } from "./tables.ts";
import type { Unconfirmed } from "./unconfirmed.ts";

/**
 * Everything that is known: tables of records, entries of endpoints, the graph of what was read from them, and what is
 * kept for replies that are still to come. A patch reads it; a commit changes it, and nothing else.
 */
export class Contents {
  readonly tables: Tables = new Tables(this);
  readonly entries: Entries = new Entries();
  readonly sequence: Sequence = new Sequence();
  readonly graph: Graph;
  /** Freeze what is handed out, and warn. */
  readonly strict: boolean;
  /** For endpoints that do not say it themselves. */
  readonly defaults: EndpointDefaults;
  /** The patch that is being computed. */
  draft: { drop(): void } | undefined = undefined;
  /** What pending mutations show. */
  overlay: Overlay = NO_OVERLAY;
  /** The logs of records that were written while an older request was in flight. */
  logs: Map<Slot, RecordLog> = new Map();
  /** Changes of whole tables since the oldest request in flight started, in order of sequence number. */
  tableChanges: readonly TableChange[] = [];
  /** Entries that were answered while mutations were in flight: they are marked stale when those have settled. */
  readonly behind: Set<string> = new Set();
  /** Records that mutations wrote, or a stream, while others were in flight. */
  readonly overlaps: Map<Slot, Overlap> = new Map();
  /** Where records were marked stale while requests were in flight: what those bring stands before it, and is stale, too. */
  readonly marks: Map<Slot, number> = new Map();
  /** What was sent of records and no answer has said since; from the first time on that there is any. */
  unconfirmed: WeakMap<Slot, Unconfirmed> | undefined;
  /** ms since 1970; 0 when it never was. */
  lastReset = 0;
  /** The watched views that are neither records nor answers: those are found in their tables. */
  readonly watched: Set<ViewNode> = new Set();
  /** Watched views whose reading threw: they stay dirty, so that no mark would reach them, and are tried at each commit. */
  readonly broken: Set<ViewNode> = new Set();
  /** No record has a later sequence number than this. */
  lastSeq = 0;
  /** The views of endpoints, by key. */
  readonly responsesByKey: Map<string, ResponseView[]> = new Map();
  readonly #warned = new Set<unknown>();

  constructor(strict: boolean, defaults: EndpointDefaults = {}) {
    this.strict = strict;
    // Own members only: nobody else's word counts for all endpoints of an app.
    this.defaults = Object.assign(Object.create(null), defaults);
    this.graph = new Graph(this.tables, strict);
    this.graph.lacking = (node) => check<typeof warnOfLacking>("lacking", this, node);
    this.graph.keep = copyArgs;
  }

  /** What is in a slot without layers. */
  baseOf(slot: Slot): EntityRecord | undefined {
    const { covered } = this.overlay;
    return covered.size > 0 && covered.has(slot) ? covered.get(slot)!.base : slot.rec;
  }

  /** A record without layers. */
  recordOf(entity: AnyEntity, pk: string): EntityRecord | undefined {
    const slot = this.tables.of(this.graph.planOf(entity)).slots.get(pk);
    return slot && this.baseOf(slot);
  }

  /** The records that they touch. */
  get covered(): Overlay["covered"] {
    return this.overlay.covered;
  }

  /** The pending mutations that show something, in the order in which they started. */
  get layers(): readonly Layer[] {
    return this.overlay.layers;
  }

  /** The views of endpoints whose key passes. */
  *responses(testKey: (key: string) => boolean): Iterable<ResponseView> {
    for (const [key, views] of this.responsesByKey) if (testKey(key)) yield* views;
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
}
