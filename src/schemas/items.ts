import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { type Check, Declared, isMembers } from "./declared.ts";
import { type AnySchema, isEntity } from "./interface.ts";
import { Union } from "./union.ts";
import type { UnionAttribute, UnionMapping } from "./union_types.ts";

/** A schema object of items: of one schema, or of a mapping and what tells its entities apart. */
export abstract class Items extends Declared<AnySchema> {
  readonly #union: Union<UnionMapping> | undefined;

  /**
   * @param kind What kind of schema it is, for messages.
   * @param given The schema of each item, or a mapping.
   * @param attribute What tells the entities of a mapping apart.
   * @param check Refuses what cannot be an item of it.
   * @throws {SchemaError} If something cannot work.
   */
  constructor(kind: string, given: unknown, attribute: UnionAttribute | undefined, check: Check = checkItem) {
    const mapping = attribute === undefined ? undefined : given ?? {};
    if (mapping !== undefined && !isMembers(mapping)) throw new SchemaError(said(114, { kind, given }));
    const union = mapping && new Union(mapping as UnionMapping, attribute!);
    super(kind, union ?? given, check);
    this.#union = union;
  }

  /** Whether its items are all there are, only an answer of its own tells. */
  get isPartial(): true {
    return true;
  }

  /** Names the items in messages. */
  protected get itemName(): string {
    const { given } = this;
    if (isEntity(given)) return `"${given.key}"`;
    if (Array.isArray(given)) return isEntity(given[0]) ? `["${given[0].key}"]` : "items";
    if (isMembers(given)) return `{ ${Object.keys(given).join(", ")} }`;
    return (given as { readonly name?: string } | undefined)?.name ?? "items";
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

function checkItem(given: unknown, kind: string): void {
  if (Object(given) !== given) throw new SchemaError(said(115, { kind, given }));
}
