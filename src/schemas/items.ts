import { check } from "../errors/checks.ts";
import { type CheckDefinition, Declared } from "./declared.ts";
import type { AnySchema } from "./interface.ts";
import { nameOf } from "./subjects.ts";
import { Union } from "./union.ts";
import type { UnionAttribute, UnionMapping } from "./union_types.ts";

/** A schema object of items: of one schema, or of a mapping and what tells its entities apart. */
export abstract class Items extends Declared<AnySchema> {
  readonly #union: Union<UnionMapping> | undefined;

  /**
   * @param kind What kind of schema it is, for messages.
   * @param given The schema of each item, or a mapping.
   * @param attribute What tells the entities of a mapping apart.
   * @throws {SchemaError} If something cannot work.
   */
  constructor(kind: string, given: unknown, attribute: UnionAttribute | undefined) {
    check<CheckDefinition>("definition", kind, given, attribute);
    const union = attribute === undefined ? undefined : new Union((given ?? {}) as UnionMapping, attribute);
    super(kind, union ?? given);
    this.#union = union;
  }

  /** Whether its items are all there are, only an answer of its own tells. */
  get isPartial(): true {
    return true;
  }

  /** Names the items in messages. */
  protected get itemName(): string {
    return nameOf(this.given);
  }

  protected override use(): AnySchema {
    // It throws while it is empty: then this is not used yet, either.
    void this.#union?.mapping;
    return super.use();
  }

  define(more: unknown): this {
    if (this.#union === undefined || this.isUsed) return this.add(more);
    this.#union.define(more as UnionMapping);
    return this;
  }
}
