import { readKey } from "../schemas/read_key.ts";
import type { DenormalizeNullable, SchemaArgs } from "../schemas/infer.ts";
import type { AnySchema, Schema } from "../schemas/interface.ts";
import type { Plan } from "../schemas/plan.ts";
import { type PlainTables, recordIn, tableIn } from "./denormalize.ts";
import { release } from "./derived_view.ts";
import { Graph } from "./graph.ts";
import { makeDirty, type RecordSlot, type RecordSource, type ViewNode } from "./node.ts";
import { madeIn } from "../schemas/once_for.ts";
import { isItem } from "../schemas/subjects.ts";

/** Answers that are remembered; the one that was not asked for longest goes first. */
const MAX_ANSWERS = 1_000;

/**
 * `denormalize` that remembers: over plain tables that are replaced and never changed (those of `normalize`, of a
 * reducer, of `stateOf()`), it gives the same object as long as the records are the same.
 *
 * Promises: an entity is the same object for one class and pk, in every answer, while no record that it is made of was
 * replaced; an answer is the same object while nothing in it is another. What was replaced is found by identity, so
 * tables and records must be treated as immutable. Up to 1,000 answers are remembered.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, Memo, normalize } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   name = "";
 *   static key = "User";
 * }
 * const memo = new Memo();
 * const { result, entities } = normalize([User], [{ id: "1", name: "Ann" }, { id: "2", name: "Bo" }]);
 * const before = memo.denormalize([User], result, entities);
 * const renamed = { ...entities, User: { ...entities.User, 2: { id: "2", name: "Bob" } } };
 * const after = memo.denormalize([User], result, renamed);
 * assert(after?.[0] === before?.[0] && after?.[1]?.name === "Bob");
 * assert(memo.denormalize([User], result, renamed) === after);
 * ```
 */
export class Memo {
  readonly #source = new MemoSource();
  readonly #graph = new Graph(this.#source);
  readonly #answers = new Map<unknown, Map<unknown, Map<string, ViewNode>>>();
  /** What stands for `[Article]`, however often it is written. */
  readonly #lists = new Map<AnySchema, object>();
  #count = 0;

  /**
   * What `normalize` left, joined again.
   *
   * @param schema Where entities are; the same object each time, but for `[Article]`, which may be written anew.
   * @param result What remained of the response.
   * @param entities The tables.
   * @param args Arguments of the call.
   * @returns The response as objects; `undefined` when it has no data.
   */
  denormalize<const S extends Schema>(
    schema: S,
    result: unknown,
    entities: PlainTables,
    args: readonly unknown[] = [],
  ): DenormalizeNullable<S> {
    this.#source.follow(entities, this.#graph);
    return this.#view(schema, result, args).read(this.#graph) as DenormalizeNullable<S>;
  }

  /**
   * What a schema reads for arguments, without a response: a record by its pk, an `All`, a `Query`.
   *
   * @param schema What is asked.
   * @param entities The tables.
   * @param args What names it.
   * @returns The answer; `undefined` when there is none.
   */
  query<const S extends Schema>(schema: S, entities: PlainTables, ...args: SchemaArgs<S>): DenormalizeNullable<S> {
    this.#source.follow(entities, this.#graph);
    return this.#graph.query(schema, args as readonly unknown[]).read(this.#graph) as DenormalizeNullable<S>;
  }

  #view(schema: AnySchema, result: unknown, args: readonly unknown[]): ViewNode {
    let bySchema = this.#answers.get(result);
    if (bySchema === undefined) bySchema = new Map();
    // Asked for again: it is the last to go.
    else this.#answers.delete(result);
    this.#answers.set(result, bySchema);
    const form = this.#formOf(schema);
    const byArgs = madeIn(bySchema, form, () => new Map());
    const view: ViewNode = madeIn(byArgs, readKey(args), () => {
      const made = this.#graph.view(schema, result, args);
      this.#count++;
      return made;
    });
    if (this.#count > MAX_ANSWERS) this.#dropOldest();
    return view;
  }

  #formOf(schema: AnySchema): unknown {
    if (!Array.isArray(schema) || schema.length !== 1 || !isItem(schema[0])) return schema;
    return madeIn(this.#lists, schema[0] as AnySchema, () => ({}));
  }

  #dropOldest(): void {
    const [result, bySchema] = this.#answers.entries().next().value!;
    this.#answers.delete(result);
    for (const byArgs of bySchema.values()) {
      for (const view of byArgs.values()) {
        release(view);
        this.#count--;
      }
    }
  }
}

/** Plain tables that are replaced now and then. */
class MemoSource implements RecordSource {
  #entities: PlainTables = {};
  readonly #slots = new Map<string, Map<string, RecordSlot>>();

  /** Other tables: what is made of records that are others becomes dirty. */
  follow(entities: PlainTables, graph: Graph): void {
    const before = this.#entities;
    if (entities === before) return;
    this.#entities = entities;
    const turned: ViewNode[] = [];
    const isOther = (key: string) => tableIn(entities, { key }) !== tableIn(before, { key });
    for (const [key, slots] of this.#slots) {
      if (!isOther(key)) continue;
      for (const [pk, slot] of slots) {
        const rec = recordIn(entities, { key }, pk);
        if (rec === slot.rec) continue;
        slot.rec = rec;
        for (let node = slot.node; node !== undefined; node = node.sibling) makeDirty(node, turned);
      }
    }
    for (const key of graph.indexes.keys()) if (isOther(key)) graph.turnTable(key, turned);
  }

  slot(plan: Plan, pk: string): RecordSlot {
    const slots = madeIn(this.#slots, plan.key, () => new Map<string, RecordSlot>());
    let slot = slots.get(pk);
    if (slot === undefined) slots.set(pk, slot = { pk, rec: recordIn(this.#entities, plan, pk), node: undefined });
    return slot;
  }

  slots(plan: Plan): RecordSlot[] | undefined {
    const table = tableIn(this.#entities, plan);
    return table && Object.keys(table).map((pk) => this.slot(plan, pk));
  }
}
