import type { EntityStatics, QueryWalk } from "./interface.ts";
import { pkText } from "./pk_text.ts";

/**
 * The pk that arguments name: a pk by itself, members that make one, or the first of `static indexes` that they name.
 *
 * @param entity The entity class.
 * @param args Arguments of a read; only the first is looked at.
 * @param walk Gives the records that an index knows; of several, the first to arrive is taken.
 * @returns The pk as text, whether or not its record is there; `undefined` when the arguments name none.
 */
export function queryKeyOf(entity: EntityStatics, args: readonly unknown[], walk: QueryWalk): string | undefined {
  const [first] = args;
  if (typeof first !== "object" || first === null) return pkText(first as string) ?? undefined;
  const pk = pkNamedBy(entity, first, args);
  if (pk !== undefined) return pk;
  for (const member of entity.indexes) {
    const value = Object.hasOwn(first, member) ? (first as { readonly [name: string]: unknown })[member] : undefined;
    if (value !== undefined) return walk.index(entity, member, value)?.[0];
  }
  return undefined;
}

/**
 * The pk that members in arguments make.
 *
 * @param entity The entity class.
 * @param members What is asked with: data that the class has not seen, so its `pk()` may miss members and throw.
 * @param args All of the arguments.
 * @returns The pk as text; `undefined` when they make none.
 */
export function pkNamedBy(entity: EntityStatics, members: object, args: readonly unknown[]): string | undefined {
  try {
    return pkText(entity.pk(members, undefined, "", args), members, args) ?? undefined;
  } catch {
    return undefined;
  }
}
