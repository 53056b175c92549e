import { type AnyEntity, type AnySchema, isEntity, isSchemaObject, type QueryWalk } from "../schemas/interface.ts";
import { type EntityRecord, type Fields, pkText, type Plan, planOf } from "../schemas/plan.ts";
import { madeIn } from "../schemas/once_for.ts";
import { pkNamedBy } from "../schemas/query_key.ts";
import { readKey } from "../schemas/read_key.ts";
import { isItem, pick, plainOf } from "../schemas/subjects.ts";
import { skeletonOf } from "./container_walk.ts";
import { JoinView, letGo, release } from "./derived_view.ts";
import { IdleHand } from "./idle_hand.ts";
import { indexKey } from "./index_keys.ts";
import { answersGiven, isInferable, isLiteral } from "./is_inferable.ts";
import { ListNode, TableNode } from "./list_node.ts";
import {
  ConstNode,
  EntityNode,
  hasParent,
  type MadeNode,
  NOTHING,
  type RecordSlot,
  type RecordSource,
  type ViewGraph,
  type ViewNode,
} from "./node.ts";
import { Reading } from "./reading.ts";
import { TableIndex, WHOLE } from "./table_index.ts";
import { TreeView } from "./tree_view.ts";
import { makerOf } from "./view_maker.ts";

/** Views that nobody watches are kept up to this number of argument lists a schema; the oldest goes first. */
const MAX_UNWATCHED = 1_000;

/** The answers that were read from records, remembered as a graph: see {@linkcode ViewNode}. */
export class Graph implements ViewGraph {
  /** Freeze what is handed out. */
  readonly strict: boolean;
  readonly #source: RecordSource;
  /** Entities without a pk: the object that was kept in place is their record. */
  readonly #unsaved = new WeakMap<object, RecordSlot>();
  #version = 0;
  /** One that is over: the next is done by the same. */
  #reading: Reading | undefined;
  /** By the key of a table, and by member; without a member it is of the whole table. */
  readonly indexes: Map<string, Map<string | undefined, TableIndex>> = new Map();
  /** By what they are of, a schema or a class, and by a text. */
  readonly #kept = new WeakMap<object, IdleHand<ViewNode>>();
  /** The same, to be walked: without keeping a schema that nobody has any more. */
  readonly #keptSets = new Set<WeakRef<IdleHand<ViewNode>>>();
  /** Objects of schemas whose members are being asked. */
  readonly #joining = new Set<object>();
  /** Makes values of the arguments of a view that is kept. */
  keep: (args: readonly unknown[]) => readonly unknown[] = (args) => args;
  /** Counts how often a view was asked for. */
  uses = 0;
  /** Gets each view that is asked for, while a collection is looking for what is in use. */
  asked: ViewNode[] | undefined = undefined;
  /** Gets each object that is made of a record, where records have got other names. */
  built: ((slot: RecordSlot, instance: object) => void) | undefined = undefined;
  /** In strict mode: gets each object that lacks something which its class requires. */
  lacking: ((node: EntityNode) => void) | undefined = undefined;

  /**
   * @param source Where its records are.
   * @param strict Freeze what is handed out.
   */
  constructor(source: RecordSource, strict = false) {
    this.#source = source;
    this.strict = strict;
  }

  /** A number that no answer has yet. */
  nextVersion(): number {
    return ++this.#version;
  }

  /** The node of a record as one class sees it. */
  nodeOf(plan: Plan, slot: RecordSlot): EntityNode {
    for (let node = slot.node; node !== undefined; node = node.sibling) if (node.plan === plan) return node;
    return slot.node = new EntityNode(plan, slot, slot.node);
  }

  /** The node that a reference names: a pk, or an entity kept in place. */
  reference(plan: Plan, value: unknown): EntityNode {
    if (typeof value !== "object") return this.nodeOf(plan, this.#source.slot(plan, String(value)));
    return this.nodeOf(plan, this.#unsavedSlot(value as EntityRecord));
  }

  #unsavedSlot(rec: EntityRecord): RecordSlot {
    return madeIn(this.#unsaved, rec, () => ({ rec, node: undefined }));
  }

  /** The node of an item of a list; `undefined` for what is no reference. */
  item(item: AnySchema, kept: unknown): EntityNode | undefined {
    const picked = pick(item, kept);
    return picked === undefined ? undefined : this.reference(planOf(picked[0]), picked[1]);
  }

  /** Makes what is dirty, and all that it embeds. */
  make(node: MadeNode): void {
    // User code may read while it is asked for something: that is a reading of its own. One that threw is not used again.
    const reading = this.#reading ?? new Reading(this);
    this.#reading = undefined;
    reading.run(node);
    this.#reading = reading;
  }

  /** Notes that a view is asked for: what was not for longest is collected first. */
  use(view: ViewNode): void {
    view.seen = ++this.uses;
    this.asked?.push(view);
  }

  /** The views that are kept for their arguments or values, in the maps that keep them; some may be taken out. */
  *viewSets(): Iterable<Map<unknown, ViewNode>> {
    for (const set of this.#keptSets) {
      const kept = set.deref();
      kept?.rest();
      if (kept === undefined) this.#keptSets.delete(set);
      else yield kept.map;
    }
  }

  /** The one view for a text; what is everybody's anyway is not kept once more. */
  #keep(of: object, key: string, make: () => ViewNode): ViewNode {
    const hand = this.#kept.get(of) ?? this.#newHand(of);
    const { map } = hand;
    let view = map.get(key);
    if (view !== undefined) return view;
    view = make();
    if (!view.isOwned) return view;
    view.isOwned = false;
    if (map.size >= MAX_UNWATCHED) {
      // The oldest that nobody watches and nothing is made of.
      const idle = hand.next();
      if (idle !== undefined) {
        map.delete(idle[0]);
        letGo(idle[1]);
      }
    }
    map.set(key, view);
    return view;
  }

  #newHand(of: object): IdleHand<ViewNode> {
    const hand = new IdleHand<ViewNode>(new Map(), (view) => view.watchers === undefined && !hasParent(view));
    this.#kept.set(of, hand);
    this.#keptSets.add(new WeakRef(hand));
    return hand;
  }

  /** An entity class, compiled. */
  planOf(entity: AnyEntity): Plan {
    return planOf(entity);
  }

  fieldsOf(plan: Plan): Fields {
    return this.#source.fieldsOf?.(plan) ?? plan.fields;
  }

  /** The pk that arguments name: a pk by itself, or members that make one. */
  pkOf({ entity }: Plan, args: readonly unknown[]): string | undefined {
    return pkNamedBy(entity, args);
  }

  /** The pk of an object; `undefined`: not saved yet. */
  pkIn(plan: Plan, value: object, args: readonly unknown[]): string | undefined {
    return pkText(plan.entity.pk(value, undefined, "", args), value, args) ?? undefined;
  }

  /** The views of a whole table that were read so far. */
  wholes(key: string): Iterable<ViewNode> {
    return this.indexes.get(key)?.get(undefined)?.views ?? [];
  }

  /** A record of a table was replaced or went; `arrives`: it is the last of them from now on. */
  changed(
    slot: RecordSlot & { readonly table: { readonly key: string } },
    before: EntityRecord | undefined,
    arrives: boolean,
    turned: ViewNode[],
  ): void {
    const indexes = this.indexes.size > 0 ? this.indexes.get(slot.table.key) : undefined;
    indexes?.forEach((index) => index.changed(slot, before, arrives, turned));
  }

  /** A table has other rows, or another order, or is known from now on, or no more. */
  turnTable(key: string, turned: ViewNode[]): void {
    this.indexes.get(key)?.forEach((index) => index.restart(turned));
  }

  #index(plan: Plan, member: string | undefined): TableIndex {
    const indexes = madeIn(this.indexes, plan.key, () => new Map<string | undefined, TableIndex>());
    return madeIn(indexes, member, () => new TableIndex(this.#source, plan, member));
  }

  /**
   * A view of what a response left.
   *
   * @param before The view of what the last response left: it is brought up to date, so that what stays keeps its
   *   identity, or released.
   */
  view(schema: AnySchema, kept: unknown, args: readonly unknown[], before?: ViewNode): ViewNode {
    // What is everybody's is not brought up to date for one.
    const own = before?.isOwned ? before : undefined;
    const view = this.#viewOf(schema, kept, args, own);
    if (own !== undefined && own !== view) release(own);
    return view;
  }

  #viewOf(schema: AnySchema, kept: unknown, args: readonly unknown[], before: ViewNode | undefined): ViewNode {
    if (kept === null) return new ConstNode(null);
    if (isSchemaObject(schema) && schema.view !== undefined) {
      return schema.view(kept, makerOf(this, schema, args, before)) as ViewNode;
    }
    if (kept === undefined) return NOTHING;
    if (isItem(schema)) {
      const node = this.item(schema, kept);
      if (node !== undefined) return node;
    } else if (Array.isArray(schema) && isItem(schema[0]) && Array.isArray(kept)) {
      const item = schema[0] as AnySchema;
      if (!(before instanceof ListNode) || before.item !== item) return new ListNode(item, kept);
      before.update(kept);
      return before;
    }
    if (schema === undefined || isEntity(schema)) return new ConstNode(kept);
    if (!(before instanceof TreeView) || before.owner !== schema) return new TreeView(schema, kept, args);
    before.update(kept);
    return before;
  }

  /**
   * Reads what one response left, without remembering it: entities are the objects that everybody reads.
   *
   * @param given The value that was normalized: what an `Invalidate` answers with.
   */
  readOnce(schema: AnySchema, kept: unknown, args: readonly unknown[], given: unknown): unknown {
    if (answersGiven(schema)) return given;
    const view = this.view(schema, kept, args);
    try {
      return view.read(this);
    } finally {
      release(view);
    }
  }

  /** The view of what a schema reads for arguments; the same one for the same arguments. */
  query(declared: AnySchema, args: readonly unknown[]): ViewNode {
    const view = this.#query(declared, args);
    this.use(view);
    return view;
  }

  #query(declared: AnySchema, args: readonly unknown[]): ViewNode {
    if (args[0] === null) return NOTHING;
    const schema = plainOf(declared);
    if (isEntity(schema)) {
      const plan = planOf(schema);
      const pk = plan.hasQueryKey ? undefined : pkNamedBy(schema, args);
      if (pk !== undefined) return this.reference(plan, pk);
      if (!plan.hasQueryKey && plan.fields.indexes.length === 0) return NOTHING;
    } else if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return NOTHING;
    return this.#keep(schema, readKey(args), () => this.#queryOf(schema, this.keep(args)));
  }

  #queryOf(schema: AnyEntity | object, args: readonly unknown[]): ViewNode {
    if (isEntity(schema) || isSchemaObject(schema)) {
      const view = isEntity(schema) ? undefined : schema.queryView?.(args, makerOf(this, schema, args));
      return view === undefined ? new TreeView(schema, undefined, args, true) : view as ViewNode;
    }
    // A declaration that contains itself is not there below the root.
    if (this.#joining.has(schema)) return NOTHING;
    this.#joining.add(schema);
    try {
      return new JoinView(
        Object.entries(schema as { readonly [member: string]: AnySchema }).map(([name, member]) =>
          [name, isLiteral(member) ? new ConstNode(skeletonOf(member, true)) : this.query(member, args)] as const
        ),
      );
    } finally {
      this.#joining.delete(schema);
    }
  }

  /** The one view of the records whose member has a value; without a member, of all of a table. */
  bucket(plan: Plan, member?: string, value?: unknown): ViewNode {
    const key = member === undefined ? WHOLE : indexKey(value);
    if (key === undefined) return NOTHING;
    return this.#keep(
      plan,
      JSON.stringify([member, key]),
      () => new TableNode(plan, this.#index(plan, member), key),
    );
  }

  /**
   * The view of what an endpoint would answer, from records that others brought. Only what arguments name by themselves
   * is inferred: nobody knows whether the records of a table are all there are, or what the literals beside them were.
   */
  inferred(schema: AnySchema, args: readonly unknown[]): ViewNode {
    return isInferable(schema) ? this.query(schema, args) : NOTHING;
  }

  /** What a schema would read for arguments; the nodes that this was learned from go into `kids`. */
  queryKey(schema: AnySchema, args: readonly unknown[], kids: ViewNode[]): unknown {
    const pks = (entity: AnyEntity, member?: string, value?: unknown) => {
      const view: Partial<TableNode> & ViewNode = this.bucket(planOf(entity), member, value);
      kids.push(view);
      view.read(this);
      return view.content?.flatMap(({ pk, rec }) => rec === undefined ? [] : pk!);
    };
    const walk: QueryWalk = {
      visit: (below, belowArgs) => this.queryKey(below, belowArgs, kids),
      all: (entity) => pks(entity),
      index: pks,
      record: (entity, pk) => {
        const node = this.nodeOf(planOf(entity), this.#source.slot(planOf(entity), pk));
        node.read(this);
        kids.push(node);
        return node.slot.rec;
      },
    };
    if (typeof schema === "function") {
      if (!isEntity(schema)) return undefined;
      const plan = planOf(schema);
      return pkText(plan.entity.queryKey(args, walk), {}, args) ?? undefined;
    }
    if (typeof schema !== "object" || schema === null) return schema;
    if (Array.isArray(schema)) return undefined;
    if (isSchemaObject(schema)) return schema.queryKey?.(args, walk);
    const members = Object.entries(schema).map(([name, member]) => [name, walk.visit(member as AnySchema, args)]);
    return members.some(([, kept]) => kept === undefined) ? undefined : Object.fromEntries(members);
  }
}
