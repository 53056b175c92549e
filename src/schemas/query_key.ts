import type { EntityStatics, QueryWalk } from "./interface.ts";
import { pkText } from "./pk_text.ts";
import type { Pk } from "./pk_types.ts";

/**
 * The pk that arguments name: a pk by itself, members that make one, or the first of `static indexes` that they name.
 *
 * @param entity The entity class.
 * @param args Arguments of a read; only the first is looked at.
 * @param walk Gives the records that an index knows; of several, the first to arrive is taken.
 * @returns The pk as text, whether or not its record is there; `undefined` when the arguments name none.
 */
export function queryKeyOf(entity: EntityStatics, args: readonly unknown[], walk: QueryWalk): string | undefined {
  const pk = pkNamedBy(entity, args);
  const [first] = args;
  if (pk !== undefined || typeof first !== "object" || first === null) return pk;
  for (const member of entity.indexes) {
    const value = Object.hasOwn(first, member) ? (first as { readonly [name: string]: unknown })[member] : undefined;
    if (value !== undefined) return walk.index(entity, member, value)?.[0];
  }
  return undefined;
}

/**
 * The pk that arguments name: a pk by itself, or members that make one.
 *
 * @param entity The entity class.
 * @param args What is asked with; of members, data that the class has not seen, so its `pk()` may miss some and throw.
 * @returns The pk as text; `undefined` when they name none.
 */
export function pkNamedBy(entity: EntityStatics, args: readonly unknown[]): string | undefined {
  const [first] = args;
  try {
    const isMembers = typeof first === "object" && first !== null;
    const pk = isMembers ? entity.pk(first, undefined, "", args) : first as Pk;
    return pkText(pk, isMembers ? first : undefined, args) ?? undefined;
  } catch {
    return undefined;
  }
}
