import { All } from "../schemas/all.ts";
import { argsKey } from "../schemas/args_key.ts";
import { type AnyEntity, type AnySchema, isEntity, isSchemaObject, type QueryWalk } from "../schemas/interface.ts";
import { type EntityRecord, pkText, type Plan, planOf } from "../schemas/plan.ts";
import { Invalidate } from "../schemas/invalidate.ts";
import { Query } from "../schemas/query.ts";
import { AllView, ListView } from "./list_view.ts";
import { ConstNode, eachParent, EntityNode, type RecordSlot, type ViewNode } from "./node.ts";
import { readEntities } from "./read_entities.ts";
import { isReference } from "./reference.ts";
import { KeyedView, QueryView, release, TreeView } from "./views.ts";

/** Where a graph finds records. */
export interface RecordSource {
  /** The place of one record; made when it is unknown, so that whoever reads it is told when it arrives. */
  slot(plan: Plan, pk: string): RecordSlot;
  /** Every place of a table in order of arrival, empty ones too; `undefined` while the table is not known. */
  slots(plan: Plan): Iterable<RecordSlot> | undefined;
  /** The pks of its records, in order of arrival; `undefined` while the table is not known. */
  pks(plan: Plan): readonly string[] | undefined;
}

/** Views that nobody watches are kept up to this number of argument lists a schema; the oldest goes first. */
const MAX_UNWATCHED = 1_000;
/** How many views are looked at for one to forget: where all are in use, a search would cost all of them each time. */
const MAX_LOOKS = 16;

/** The answers that were read from records, remembered as a graph: see {@linkcode ViewNode}. */
export class Graph {
  /** Freeze what is handed out. */
  readonly strict: boolean;
  readonly #source: RecordSource;
  readonly #all = new Map<Plan, AllView>();
  /** Entities without a pk: the object that was kept in place is their record. */
  readonly #unsaved = new WeakMap<object, RecordSlot>();
  readonly #queries = new WeakMap<object, Map<string, ViewNode>>();
  #version = 0;

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

  /** The node that a kept value refers to: a pk, or an entity kept in place; `undefined` for what is no reference. */
  reference(plan: Plan, value: unknown): EntityNode | undefined {
    if (typeof value === "string") return value === "" ? undefined : this.nodeOf(plan, this.#source.slot(plan, value));
    if (!isReference(value)) return undefined;
    if (typeof value !== "object") return this.nodeOf(plan, this.#source.slot(plan, String(value)));
    let slot = this.#unsaved.get(value as object);
    if (slot === undefined) {
      this.#unsaved.set(value as object, slot = { rec: value as EntityRecord, node: undefined });
    }
    plan.meetAll(value as EntityRecord);
    return this.nodeOf(plan, slot);
  }

  /** An entity class, compiled. */
  planOf(entity: AnyEntity): Plan {
    return planOf(entity);
  }

  /** The pk that arguments name: a pk by itself, or members that make one. */
  pkOf(plan: Plan, args: readonly unknown[]): string | undefined {
    return pkOfArgs(plan, args);
  }

  /** The places of a table. */
  slotsOf(plan: Plan): Iterable<RecordSlot> | undefined {
    return this.#source.slots(plan);
  }

  /** The one view of a whole table. */
  allOf(plan: Plan): AllView {
    let view = this.#all.get(plan);
    if (view === undefined) this.#all.set(plan, view = new AllView(plan));
    return view;
  }

  /** The views of whole tables that were read so far. */
  allViews(): Iterable<AllView> {
    return this.#all.values();
  }

  /** Reads entities that are dirty, and all that they embed, in one pass. */
  readEntities(nodes: readonly EntityNode[]): void {
    readEntities(this, nodes);
  }

  /**
   * A view of what a response left.
   *
   * @param before The view of what the last response left: it is brought up to date, so that what stays keeps its
   *   identity, or released.
   */
  view(schema: AnySchema, kept: unknown, args: readonly unknown[], before?: ViewNode): ViewNode {
    const view = this.#viewOf(schema, kept, args, before);
    if (before !== undefined && before !== view) release(before);
    return view;
  }

  #viewOf(schema: AnySchema, kept: unknown, args: readonly unknown[], before: ViewNode | undefined): ViewNode {
    if (schema instanceof All) return this.allOf(planOf(schema.entity));
    if (schema instanceof Query) {
      const query = schema as unknown as QueryView["query"];
      if (!(before instanceof QueryView) || before.query !== query) {
        return new QueryView(query, this.view(schema.schema, kept, args), args, kept);
      }
      before.update(this.view(schema.schema, kept, args, before.source), kept);
      return before;
    }
    if (kept === undefined || kept === null) return new ConstNode(kept);
    if (isEntity(schema)) return this.reference(planOf(schema), kept) ?? new ConstNode(kept);
    if (Array.isArray(schema) && isEntity(schema[0]) && Array.isArray(kept)) {
      const plan = planOf(schema[0]);
      if (!(before instanceof ListView) || before.plan !== plan) return new ListView(plan, kept);
      before.setRows(kept);
      return before;
    }
    if (schema === undefined) return new ConstNode(kept);
    if (!(before instanceof TreeView) || before.schema !== schema) return new TreeView(schema, kept, args);
    before.update(kept);
    return before;
  }

  /**
   * Reads what one response left, without remembering it: entities are the objects that everybody reads.
   *
   * @param given The value that was normalized: what an `Invalidate` answers with.
   */
  readOnce(schema: AnySchema, kept: unknown, args: readonly unknown[], given: unknown): unknown {
    if (schema instanceof Invalidate) return given;
    const view = this.view(schema, kept, args);
    try {
      return view.read(this);
    } finally {
      release(view);
    }
  }

  /** The view of what a schema reads for arguments; the same one for the same arguments. */
  query(schema: AnySchema, args: readonly unknown[]): ViewNode {
    if (args.length > 0 && args[0] === null) return NOTHING;
    if (isEntity(schema)) {
      const pk = pkOfArgs(planOf(schema), args);
      return pk === undefined ? NOTHING : this.reference(planOf(schema), pk)!;
    }
    if (schema instanceof All) return this.allOf(planOf(schema.entity));
    if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return NOTHING;
    let views = this.#queries.get(schema);
    if (views === undefined) this.#queries.set(schema, views = new Map());
    const key = argsKey(args);
    let view = views.get(key);
    if (view === undefined) {
      view = schema instanceof Query
        ? new QueryView(schema as unknown as QueryView["query"], this.query(schema.schema, args), args, undefined)
        : new KeyedView(schema, args);
      if (views.size >= MAX_UNWATCHED) dropUnwatched(views);
      views.set(key, view);
    }
    return view;
  }

  /**
   * The view of what an endpoint would answer, from records that others brought. Only what arguments name by themselves
   * is inferred: nobody knows whether the records of a table are all there are, or what the literals beside them were.
   */
  inferred(schema: AnySchema, args: readonly unknown[]): ViewNode {
    return isEntity(schema) || (isSchemaObject(schema) && !(schema instanceof All))
      ? this.query(schema, args)
      : NOTHING;
  }

  /** What a schema would read for arguments; the nodes that this was learned from go into `kids`. */
  queryKey(schema: AnySchema, args: readonly unknown[], kids: ViewNode[]): unknown {
    const walk: QueryWalk = {
      visit: (below, belowArgs) => this.queryKey(below, belowArgs, kids),
      all: (entity) => {
        const plan = planOf(entity);
        const view = this.allOf(plan);
        view.read(this);
        kids.push(view);
        return this.#source.pks(plan);
      },
    };
    if (typeof schema === "function") return isEntity(schema) ? pkOfArgs(planOf(schema), args) : undefined;
    if (typeof schema !== "object" || schema === null) return schema;
    if (Array.isArray(schema)) return undefined;
    if (isSchemaObject(schema)) return schema.queryKey?.(args, walk);
    const key: [string, unknown][] = [];
    for (const [name, member] of Object.entries(schema)) {
      const part = walk.visit(member as AnySchema, args);
      if (part === undefined) return undefined;
      key.push([name, part]);
    }
    return Object.fromEntries(key);
  }
}

const NOTHING = new ConstNode(undefined);

/** Forgets the oldest view that nobody watches and nothing is made of. */
function dropUnwatched(views: Map<string, ViewNode>): void {
  let looks = MAX_LOOKS;
  for (const [key, view] of views) {
    views.delete(key);
    if (view.watchers === undefined && !hasParent(view)) {
      view.release();
      return;
    }
    // In use: it is asked again when all others have been.
    views.set(key, view);
    if (--looks === 0) return;
  }
}

function hasParent(view: ViewNode): boolean {
  let found = false;
  eachParent(view, () => found = true);
  return found;
}

/** The pk that arguments name: a pk by itself, or members that make one. */
function pkOfArgs(plan: Plan, args: readonly unknown[]): string | undefined {
  const first = args[0];
  if (first === undefined || first === null || first === false) return undefined;
  const raw = typeof first === "object" ? plan.rawPk(first, undefined, "", args) : first;
  return pkText(raw as string) ?? undefined;
}
