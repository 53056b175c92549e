import type { AnyReadable } from "../endpoint/interface.ts";
import { skeletonOf } from "../denormalize/container_walk.ts";
import { CLEAN, ConstNode, EntityNode, NOTHING, setKids, type ViewGraph, ViewNode } from "../denormalize/node.ts";
import { JoinView, release } from "../denormalize/derived_view.ts";
import { TreeView } from "../denormalize/tree_view.ts";
import { isTemporaryId } from "../endpoint/temporary_id.ts";
import { isSchemaObject } from "../schemas/interface.ts";
import type { EntityRecord } from "../schemas/plan.ts";
import { type Answer, emptyEntry, type Entry, shapeOf } from "./entry.ts";
import { freshUntil, setBack } from "./freshness.ts";
import type { Slot, Stamp } from "./slot.ts";

const NO_ANSWER: Answer = { data: undefined, hasData: false, error: undefined, mark: 0 };

/** The answer of one endpoint and its arguments: from its own entry, or inferred from records that others brought. */
export class ResponseView extends ViewNode {
  declare value: Answer;
  /** Of the last one who fetches it: another person, or the same with another token, may read what somebody else has read. */
  endpoint: AnyReadable;
  readonly args: readonly unknown[];
  readonly key: string;
  entry: Entry | undefined;
  /** What pending mutations show in place of what remains of the answer. */
  shown: { readonly result: unknown } | undefined = undefined;
  /** What holds nothing stale until the next commit, as far as it was looked through; those of a store share it. */
  unmarked: Set<ViewNode> | undefined = undefined;
  #source: ViewNode | undefined;
  #sourceOf: unknown;

  constructor(endpoint: AnyReadable, args: readonly unknown[], key: string, entry: Entry | undefined) {
    super();
    this.value = NO_ANSWER;
    this.endpoint = endpoint;
    this.args = args;
    this.key = key;
    this.entry = entry;
  }

  /** A query is a schema and an endpoint without a fetch at once: it has no entry. */
  get isQuery(): boolean {
    return typeof this.endpoint !== "function";
  }

  /** What it was made of is what it is made of now. */
  get isRead(): boolean {
    return this.state === CLEAN && this.kids.length > 0;
  }

  /** The entry of a read that has none of its own, so that it can be marked. */
  emptyEntry(): Entry {
    return emptyEntry(this.key, shapeOf(this.endpoint), this.args);
  }

  read(graph: ViewGraph): Answer {
    if (this.state === CLEAN) return this.value;
    const { entry } = this;
    const source = this.#sourceFor(graph, entry);
    setKids(this, [source]);
    const read = source.read(graph);
    // Its own answer may bring what the record that others brought refers to.
    const node = this.isQuery || entry?.hasResult ? undefined : nodeIn(source);
    const isHidden = entry?.isInvalid && !this.#isWrittenSince();
    const data = isHidden || node?.lacks || contradicts(this.args, node?.slot.rec) ? undefined : read;
    const isEmptyByRight = entry !== undefined && entry.hasResult &&
      (this.endpoint.schema === undefined || this.#resultOf(entry) === null);
    const next: Answer = {
      data,
      hasData: data !== undefined || isEmptyByRight,
      error: data !== undefined && this.#isWrittenSince() ? undefined : entry?.error,
      mark: entry?.mark ?? 0,
    };
    this.state = CLEAN;
    const before = this.value;
    if (
      !Object.is(before.data, next.data) || before.hasData !== next.hasData || before.error !== next.error ||
      before.mark !== next.mark
    ) {
      this.value = next;
      this.version = graph.nextVersion();
    }
    return this.value;
  }

  /**
   * Until when the answer is fresh. A read without an entry of its own has the freshness of the record that it shows,
   * and of what is marked stale inside; of anything larger nobody knows whether it is whole.
   *
   * @param now What the clock says, where it was just asked.
   */
  expiresAt(now?: number): number {
    const { entry } = this;
    // A query is made of what is there: it cannot be fetched, and so never is due to be.
    if (isSchemaObject(this.endpoint)) return Infinity;
    const hasError = entry?.error !== undefined && (this.value.data === undefined || !this.#isWrittenSince());
    if (entry !== undefined && (entry.hasResult || hasError || entry.isInvalid)) {
      // The time of an error that says nothing any more says nothing of the answer.
      return entry.error === undefined || hasError ? freshUntil(entry, now) : 0;
    }
    const stamp = this.shownStamp();
    if (stamp === undefined) return 0;
    if (holdsStale(this.kids[0], (this.state === CLEAN && this.unmarked) || new Set())) return 0;
    return entry !== undefined && entry.staleSeq > stamp.seq ? 0 : freshUntil(stamp, now);
  }

  /** When the record came that is shown where there is no answer; `undefined` where that is none, or more than one. */
  shownStamp(): Stamp | undefined {
    return this.#slot?.stamp;
  }

  /** A failure says nothing of a record that was written since: there is none, and then there is one. */
  #isWrittenSince(): boolean {
    const { errorSeq = 0 } = this.entry ?? {};
    return (this.shownStamp()?.seq ?? 0) > errorSeq;
  }

  /** It is of one record, which was here once. */
  get isDeleted(): boolean {
    return this.#slot?.isDeleted === true;
  }

  get #slot(): Slot | undefined {
    return nodeIn(this.kids[0])?.slot as Slot | undefined;
  }

  override release(): void {
    super.release();
    this.#forget();
  }

  #forget(): void {
    if (this.#source !== undefined) release(this.#source);
    this.#source = this.#sourceOf = undefined;
  }

  #sourceFor(graph: ViewGraph, entry: Entry | undefined): ViewNode {
    const { schema } = this.endpoint;
    // A query has no entry; an endpoint whose answer came or was invalidated is not inferred.
    if (isSchemaObject(this.endpoint)) return graph.query(this.endpoint, this.args);
    if (!entry?.hasResult) {
      // Nobody sees it any more: what it was made of may be collected, and come again as other nodes.
      this.#forget();
      return entry?.isInvalid && entry.error === undefined ? NOTHING : graph.inferred(schema, this.args);
    }
    const result = this.#resultOf(entry);
    if (this.#source === undefined || this.#sourceOf !== result) {
      this.#source = graph.view(schema, result, this.args, this.#source);
      this.#sourceOf = result;
    }
    return this.#source;
  }

  #resultOf(entry: Entry): unknown {
    return this.shown === undefined ? entry.result : this.shown.result;
  }
}

/** Whether a record that is shown was marked stale: that of the view, or one inside it. */
function holdsStale(view: ViewNode | undefined, unmarked: Set<ViewNode>): boolean {
  const stack = view === undefined ? [] : [view];
  for (let node; (node = stack.pop()) !== undefined;) {
    // An entity without a pk, which is kept in place, has no stamp.
    const slot: Partial<Slot> = node instanceof EntityNode ? node.slot : {};
    if (slot.rec !== undefined && slot.stamp?.expiresAt === 0) {
      // Of those that were passed on the way nobody knows.
      unmarked.clear();
      return true;
    }
    if (unmarked.has(node)) continue;
    unmarked.add(node);
    for (const kid of node.kids) stack.push(kid);
  }
  return false;
}

/** The one record that is read, in an object with literals or by itself. */
function nodeIn(view: ViewNode | undefined): EntityNode | undefined {
  if (view instanceof JoinView) return nodeIn(view.kids.find((kid) => !(kid instanceof ConstNode)));
  return view instanceof TreeView ? view.entity : view instanceof EntityNode ? view : undefined;
}

/**
 * Whether the members of a first argument say something else of a record than it says itself: under them the server may
 * have another one, or none.
 */
export function contradicts([params]: readonly unknown[], record: EntityRecord | undefined): boolean {
  if (record === undefined || typeof params !== "object" || params === null) return false;
  for (const [name, value] of Object.entries(params)) {
    const own = Object.hasOwn(record, name) ? record[name] : undefined;
    if (
      own !== undefined && Object(own) !== own && Object(value) !== value && String(own) !== String(value ?? own) &&
      !isTemporaryId(value)
    ) return true;
  }
  return false;
}

/** When what is read was stored: the answer, or the record that is shown in its place. `undefined`: nothing was. */
export function storedStamp(view: ResponseView): Stamp | undefined {
  const { entry } = view;
  if (entry?.hasResult) return entry;
  const stamp = entry?.isInvalid && !view.value.hasData ? undefined : view.shownStamp();
  return stamp === undefined || stamp.fetchedAt === 0 ? undefined : stamp;
}

/** When that was, by the wall clock as it is now. */
export function arrivedAt(view: ResponseView): number | undefined {
  const stamp = storedStamp(view);
  return stamp && stamp.fetchedAt + setBack(stamp);
}

/** What an inactive read gives: the literals and empty arrays of an object schema, no entities. */
export function inactiveData(endpoint: AnyReadable): unknown {
  return isSchemaObject(endpoint) ? undefined : skeletonOf(endpoint.schema, true);
}

/** What pending mutations show in place of what remains of an answer. */
export function shownOf(results: ReadonlyMap<Entry, unknown>, entry: Entry | undefined): ResponseView["shown"] {
  return entry !== undefined && results.has(entry) ? { result: results.get(entry) } : undefined;
}
