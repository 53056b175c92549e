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
  const pk = pkText(entity.pk(first, undefined, "", args));
  if (typeof pk === "string") return pk;
  for (const member of entity.indexes) {
    if (!Object.hasOwn(first, member)) continue;
    return walk.index(entity, member, (first as { readonly [name: string]: unknown })[member])?.[0];
  }
  return undefined;
}
