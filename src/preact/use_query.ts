import type { NamedSchema } from "../endpoint/readable.ts";
import type { DenormalizeNullable, NullableArgs, Queryable, SchemaArgs } from "../schemas/infer.ts";
import { track } from "../signals/track.ts";
import { checkGiven } from "./_check_given.ts";
import { useController } from "./use_controller.ts";

/**
 * The value that a schema and arguments name: an entity by pk, an All, a Query. Never fetches; the component runs again
 * only when the value is another one.
 *
 * @param schema An entity, a Query, an All …
 * @param args What names it; `null` as the first: nothing.
 * @returns The value, `undefined` while it is not there.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity } from "@rejoin/data";
 * import { useQuery } from "@rejoin/data/preact";
 *
 * class User extends Entity {
 *   id = "";
 *   name = "";
 *   static key = "User";
 * }
 * function Name({ id }: { id: string }) {
 *   return <b>{useQuery(User, { id })?.name ?? "…"}</b>;
 * }
 * assert(Name.length === 1);
 * ```
 */
export function useQuery<S extends Queryable, G = S>(
  schema: NamedSchema<S, G>,
  ...args: NullableArgs<SchemaArgs<S>>
): DenormalizeNullable<S>;
export function useQuery(schema: Queryable, ...args: readonly unknown[]): unknown {
  checkGiven(schema, "schema", "useQuery");
  const { store } = useController();
  const view = store.query(schema, args);
  track(store, view);
  return view.read(store.graph);
}
