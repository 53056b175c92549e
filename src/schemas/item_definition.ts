import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { Definition, isMembers } from "./definition.ts";
import { type AnySchema, isEntity } from "./interface.ts";
import { Union } from "./union.ts";
import type { UnionAttribute, UnionMapping } from "./union_types.ts";

/** The definition of a schema that is made of items: one schema, or a mapping and what tells its entities apart. */
export class ItemDefinition extends Definition<AnySchema> {
  readonly #union: Union<UnionMapping> | undefined;

  /**
   * @param kind What kind of schema it is of, for messages.
   * @param given The schema of each item, or a mapping.
   * @param attribute What tells the entities of a mapping apart.
   * @param check Refuses what cannot be an item of it.
   * @throws {SchemaError} If something cannot work.
   */
  constructor(kind: string, given: unknown, attribute?: UnionAttribute, check = checkItem) {
    const mapping = attribute === undefined ? undefined : given ?? {};
    if (mapping !== undefined && !isMembers(mapping)) throw new SchemaError(said(114, { kind, given }));
    const union = mapping && new Union(mapping as UnionMapping, attribute!);
    super(kind, union ?? given, check);
    this.#union = union;
  }

  /** Names the items in messages. */
  get itemName(): string {
    const { given } = this;
    if (isEntity(given)) return `"${given.key}"`;
    if (Array.isArray(given)) return isEntity(given[0]) ? `["${given[0].key}"]` : "items";
    if (isMembers(given)) return `{ ${Object.keys(given).join(", ")} }`;
    return (given as { readonly name?: string } | undefined)?.name ?? "items";
  }

  override use(): AnySchema {
    // It throws while it is empty: then this is not used yet, either.
    void this.#union?.mapping;
    return super.use();
  }

  override add(more: unknown): void {
    if (this.#union === undefined || this.isUsed) super.add(more);
    else this.#union.define(more as UnionMapping);
  }
}

function checkItem(given: unknown, kind: string): void {
  if (Object(given) !== given) throw new SchemaError(said(115, { kind, given }));
}
