import type { AnyEndpoint } from "../endpoint/interface.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { isEntity, isSchemaObject } from "../schemas/interface.ts";
import type { ResponseView } from "../store/response_view.ts";
import type { Store } from "../store/store.ts";
import type { Kind, Wanted } from "./_given_texts.ts";

/**
 * Refuses what a hook can do nothing with. The types say so, too; not to who has none, nor to a member that is not there
 * yet because two modules import each other.
 *
 * @throws {SchemaError} That says what to write.
 */
export function checkGiven(given: unknown, wanted: Wanted, hook: string): void {
  const kind = kindOf(given);
  if (FITS[wanted].includes(kind)) return;
  throw new SchemaError(said(757, { hook, wanted, kind, name: nameOf(given) }));
}

/** How many answers in a row came for one hook of one component, and were not shown: by then the arguments were others. */
const unseen = new WeakMap<object, number>();
/** So many are no person who types. */
const MOST_UNSEEN = 3;

/** Warns of a hook that would ask without end. */
export function checkUnseen(
  reader: object,
  last: ResponseView | undefined,
  { key, endpoint }: ResponseView,
  wasShown: boolean,
  store: Store,
  hook: string,
): void {
  if (wasShown) unseen.delete(reader);
  else if (last !== undefined && last.key !== key) {
    const { hasData, error } = last.read(store.graph);
    // Who types asks for something else before the answer is there.
    const count = hasData || error !== undefined ? (unseen.get(reader) ?? 0) + 1 : 0;
    unseen.set(reader, count);
    const { name } = endpoint as AnyEndpoint;
    if (count >= MOST_UNSEEN) store.warnOnce(`${hook} of ${name}`, said(755, { name, hook }));
  }
}

/** Where a mutation or a read is refused in production, too, that is said there. */
const FITS: Readonly<Record<Wanted, readonly Kind[]>> = {
  fetched: ["read", "mutation"],
  stored: ["read", "query"],
  schema: ["query", "entity", "schema"],
  source: ["read", "query", "entity", "schema"],
  call: ["read", "mutation"],
  change: ["read", "mutation"],
};

interface Members {
  readonly key?: unknown;
  readonly extend?: unknown;
  readonly sideEffect?: unknown;
  readonly get?: unknown;
}

function kindOf(given: unknown): Kind {
  if (given === undefined || given === null) return "nothing";
  if (isEntity(given)) return "entity";
  const { key, extend, sideEffect, get } = given as Members;
  if (typeof key === "function") return typeof extend !== "function" ? "query" : sideEffect ? "mutation" : "read";
  if (isSchemaObject(given)) return "schema";
  if (typeof given !== "object") return "other";
  return typeof (get as Members | undefined)?.key === "function" ? "resource" : "schema";
}

function nameOf(given: unknown): string {
  const { key, name } = (given ?? {}) as { readonly key?: unknown; readonly name?: unknown };
  if (isEntity(given) && typeof key === "string") return key;
  return typeof name === "string" && name !== "" ? name : typeof given === "function" ? "a function" : String(given);
}
