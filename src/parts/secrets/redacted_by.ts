import type { AnySchema } from "../../schemas/interface.ts";
import type { Store } from "../../store/store.ts";
import type { Table } from "../../store/tables.ts";
import { partsOf } from "../parts_of.ts";

const NONE: ReadonlySet<string> = /* @__PURE__ */ new Set();

const known = /* @__PURE__ */ new WeakMap<object, ReadonlySet<string>>();

/**
 * The members that never leave the process, by name: those in `static redact` of every class that a schema comes to. A
 * schema is asked once.
 */
export function redactedBy(schema: AnySchema): ReadonlySet<string> {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return NONE;
  let names = known.get(schema);
  if (names === undefined) known.set(schema, names = namesIn(schema));
  return names;
}

/** The same for the records of a table, as all classes see them that share it. */
export function redactedIn(table: Table | undefined): ReadonlySet<string> {
  const found = (table?.plans ?? []).map(({ entity }) => redactedBy(entity)).filter(({ size }) => size > 0);
  return found.length > 1 ? new Set(found.flatMap((names) => [...names])) : found[0] ?? NONE;
}

/** The same for every class that a store has met. */
export function redactedInAll({ tables }: Store): ReadonlySet<string> {
  return new Set([...tables.byKey.values()].flatMap((table) => [...redactedIn(table)]));
}

/** The same for a value that a schema may describe: what has none may hold what any class redacts. */
export function redactedIfKnown(store: Store, schema: AnySchema): ReadonlySet<string> {
  return schema === undefined || schema === null ? redactedInAll(store) : redactedBy(schema);
}

function namesIn(schema: AnySchema): ReadonlySet<string> {
  const names = new Set<string>();
  // A set gives what is added while it is gone through.
  const schemas = new Set([schema]);
  for (const one of schemas) {
    const { redact } = one as { readonly redact?: unknown };
    if (typeof one === "function" && Array.isArray(redact)) redact.forEach((name) => names.add(name));
    for (const part of partsOf(one)) if (part !== null) schemas.add(part);
  }
  return names.size > 0 ? names : NONE;
}
