import {
  type AnySchema,
  type DenormalizeWalk,
  isEntity,
  isSchemaObject,
  plainOf,
  type SchemaObject,
  type TableLookup,
} from "../schemas/interface.ts";
import { type Plan, planOf } from "../schemas/plan.ts";
import { isRecursive } from "../schemas/recursive.ts";
import type { EntityGraph } from "./entity_graph.ts";
import { type EntityNode, isNeverHere, type ViewNode } from "./node.ts";
import { isReference, isReferenceTo, serialize } from "./reference.ts";

const NO_ARGS: readonly unknown[] = /* @__PURE__ */ Object.freeze([]);

/** How deep containers may nest in each other before they are filled from a list instead of by recursion. */
const MAX_RECURSION = 200;

/** Walks what is kept of a value along its schema, down to the entities; what to do with those is the subclass's. */
export abstract class ContainerWalk implements DenormalizeWalk {
  readonly args: readonly unknown[];
  readonly tables: TableLookup | undefined;
  abstract readonly collecting: boolean;
  /** A member of an object refers to an entity that was deleted or is incomplete: for a reader of the whole, there is no data. */
  isMissing = false;
  /** The entity that was met last was deleted, or is incomplete. */
  #isGone = false;
  readonly #strict: boolean;
  /** Containers that were handed out empty, and how to fill them. */
  readonly #unfilled: (() => void)[] = [];
  /** What values of a declaration that contains itself became: such a value may contain itself. */
  #containers: Map<object, Map<object, object>> | undefined;
  #depth = 0;

  constructor(strict: boolean, args = NO_ARGS, tables?: TableLookup) {
    this.#strict = strict;
    this.args = args;
    this.tables = tables;
  }

  /** Walks everything. */
  run(schema: AnySchema, value: unknown): unknown {
    const result = this.#visit(schema, value);
    const { isMissing } = this;
    while (this.#unfilled.length > 0) this.#unfilled.pop()!();
    // What stands so deep hides nothing but itself.
    this.isMissing = isMissing;
    return result;
  }

  /** What stands in something else goes by itself: the rest stays. */
  visit(schema: AnySchema, value: unknown): unknown {
    const before = this.isMissing;
    this.isMissing = false;
    const read = this.#visit(schema, value);
    const { isMissing } = this;
    this.isMissing = before;
    return isMissing ? undefined : read;
  }

  #visit(schema: AnySchema, value: unknown): unknown {
    if (value === undefined) return this.absent(schema);
    if (value === null) return null;
    if (typeof schema === "function") {
      if (isEntity(schema)) return isReference(value) ? this.entity(planOf(schema), value as string | object) : value;
      return this.collecting ? undefined : serialize(schema, value);
    }
    if (typeof schema !== "object" || schema === null) return value;
    if (isSchemaObject(schema)) {
      return schema.plain === undefined ? this.schemaObject(schema, value) : this.#visit(plainOf(schema), value);
    }
    if (typeof value !== "object") return value;
    const known = this.#containers?.get(schema)?.get(value);
    if (known !== undefined) return known;
    if (Array.isArray(schema)) return Array.isArray(value) ? this.array(schema, value) : value;
    return this.#object(schema as { readonly [member: string]: AnySchema }, value);
  }

  fill<C extends object>(schema: SchemaObject, normalized: object, container: C, fill: (container: C) => void): C {
    const known = this.#containers?.get(schema)?.get(normalized);
    if (known !== undefined) return known as C;
    this.#meet(schema, normalized, container);
    this.#fill(container, () => fill(container));
    return container;
  }

  /** An entity below: by pk, or kept in place. */
  protected abstract entity(plan: Plan, reference: string | object): unknown;

  /** The object of an entity that was read. */
  protected take({ slot, value }: EntityNode): unknown {
    this.#isGone = value === undefined && !isNeverHere(slot);
    return value;
  }

  /** A schema object below. */
  protected schemaObject(schema: SchemaObject, value: unknown): unknown {
    return schema.denormalize(value, this.tables !== undefined && looksAround(schema) ? this.#apart() : this);
  }

  /** What a schema that would have a view of its own reads is an answer of its own: what it lacks, only it lacks. */
  #apart(): DenormalizeWalk {
    const { args, tables, collecting } = this;
    return {
      args,
      tables,
      collecting,
      visit: (schema, value) => this.visitApart(schema, value),
      fill: (schema, normalized, container, fill) => this.fill(schema, normalized, container, fill),
    };
  }

  /** Reads an answer by itself. */
  protected visitApart(schema: AnySchema, value: unknown): unknown {
    return this.visit(schema, value);
  }

  /** An array below; what is missing is left out. */
  protected array(schema: readonly AnySchema[], values: readonly unknown[]): unknown {
    const list: unknown[] = [];
    this.#meet(schema, values, list);
    this.#fill(list, () => {
      for (const value of values) {
        const item = this.visit(schema[0], value);
        if (item !== undefined) list.push(item);
      }
    });
    return list;
  }

  /** What a reader gets where the response had nothing: literals themselves, arrays empty, no entity. */
  protected absent(schema: AnySchema): unknown {
    return this.tables !== undefined && looksAround(schema)
      ? this.schemaObject(schema, undefined)
      : skeletonOf(schema, [this]);
  }

  #object(schema: { readonly [member: string]: AnySchema }, value: object): unknown {
    const result: Record<string, unknown> = { ...value };
    this.#meet(schema, value, result);
    this.#fill(result, () => {
      for (const name of Object.keys(schema)) {
        const kept = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
        this.#isGone = false;
        const member = this.#visit(schema[name], kept);
        if (member === undefined && this.#isGone && isReferenceTo(schema[name], kept)) this.isMissing = true;
        Object.defineProperty(result, name, { value: member, writable: true, enumerable: true, configurable: true });
      }
    });
    return result;
  }

  #meet(schema: object, value: object, made: object): void {
    if (!isRecursive(schema)) return;
    this.#containers ??= new Map();
    const containers = this.#containers.get(schema);
    if (containers === undefined) this.#containers.set(schema, new Map([[value, made]]));
    else containers.set(value, made);
  }

  #fill(container: object, fill: () => void): void {
    if (this.#depth > MAX_RECURSION) {
      this.#unfilled.push(() => this.#complete(container, fill));
      return;
    }
    this.#depth++;
    try {
      this.#complete(container, fill);
    } finally {
      this.#depth--;
    }
  }

  #complete(container: object, fill: () => void): void {
    fill();
    if (this.#strict) Object.freeze(container);
  }
}

/** Whether a schema may read what no response keeps: that of an All reads the table. */
export function looksAround(schema: AnySchema): schema is SchemaObject {
  return isSchemaObject(schema) && schema.view !== undefined;
}

/** What an object schema reads as without a response. A mapping that contains itself is not there below the root. */
export function skeletonOf(declared: AnySchema, above: readonly unknown[]): unknown {
  const schema = plainOf(declared);
  if (typeof schema === "function") return undefined;
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return [];
  if (isSchemaObject(schema)) return schema.items?.isList === false ? {} : undefined;
  if (above.length > 0 && isRecursive(schema)) return undefined;
  const within = [...above, schema];
  // Defines: a member may have any name.
  return Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [name, skeletonOf(member as AnySchema, within)]),
  );
}

/** The first walk over a member of an entity: which entities are below, so that they can be read without recursion. */
export class CollectingWalk extends ContainerWalk {
  readonly collecting = true;
  readonly #graph: EntityGraph;
  readonly #kids: EntityNode[];

  constructor(graph: EntityGraph, kids: EntityNode[], args?: readonly unknown[], tables?: TableLookup) {
    super(false, args, tables);
    this.#graph = graph;
    this.#kids = kids;
  }

  protected entity(plan: Plan, reference: string | object): undefined {
    const kid = this.#graph.reference(plan, reference);
    if (kid !== undefined) this.#kids.push(kid);
  }

  protected override visitApart(schema: AnySchema, value: unknown): unknown {
    return new CollectingWalk(this.#graph, this.#kids, this.args, this.tables).run(schema, value);
  }
}

/** The second walk over the same member, when the entities below have their instances: meets them in the same order. */
export class FillingWalk extends ContainerWalk {
  readonly collecting = false;
  /** The next of the kids. */
  cursor: number;
  readonly #graph: EntityGraph;
  readonly #kids: readonly ViewNode[];

  constructor(
    graph: EntityGraph,
    kids: readonly ViewNode[],
    cursor: number,
    args?: readonly unknown[],
    tables?: TableLookup,
  ) {
    super(graph.strict, args, tables);
    this.#graph = graph;
    this.#kids = kids;
    this.cursor = cursor;
  }

  protected entity(): unknown {
    return this.take(this.#kids[this.cursor++] as EntityNode);
  }

  protected override visitApart(schema: AnySchema, value: unknown): unknown {
    const walk = new FillingWalk(this.#graph, this.#kids, this.cursor, this.args, this.tables);
    const read = walk.run(schema, value);
    this.cursor = walk.cursor;
    return walk.isMissing ? undefined : read;
  }
}
