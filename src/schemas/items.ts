import { Declared } from "./declared.ts";
import type { AnySchema } from "./interface.ts";
import { nameOf } from "./subjects.ts";
import { Union } from "./union.ts";
import type { UnionMapping } from "./union_types.ts";

/** A schema object of items: of one schema, or of a mapping and what tells its entities apart. */
export abstract class Items extends Declared<AnySchema> {
  #union: Union<UnionMapping> | undefined;

  /** Whether its items are all there are, only an answer of its own tells. */
  get isPartial(): true {
    return true;
  }

  /** Names the items in messages. */
  protected get itemName(): string {
    return nameOf(this.given);
  }

  protected override use(): AnySchema {
    const given = super.use();
    if (this.attribute === undefined) return given;
    return this.#union ??= new Union(given as unknown as UnionMapping, this.attribute);
  }

  define(more: unknown): this {
    return this.add(more);
  }
}
