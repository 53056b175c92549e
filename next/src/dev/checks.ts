import { checks, SchemaError, UrlError, warn } from "../errors/mod.ts";
import { isEntity, type Schema } from "../store/schema.ts";
import { isObject } from "../plain/is_object.ts";
import { isPlain } from "../plain/equal.ts";

/** An array that is no schema, or an object such as `new Date()`, can be no default. */
checks.schema = (given, name) => check(given, name, new Set());
function check(schema: Schema, name = "", seen: Set<Schema>): void {
  // Schemas may contain themselves.
  if (!isObject(schema) || isEntity(schema) || seen.has(schema)) return;
  seen.add(schema);
  const { denormalize, parts = [] } = schema;
  if (!denormalize && (Array.isArray(schema) ? schema.length !== 1 : !isPlain(schema))) {
    throw new SchemaError(204, [name]);
  }
  for (const [name, part] of Object.entries(denormalize ? parts : schema)) check(part, name, seen);
}

/** A relative URL needs a page. */
checks.url = (url) => {
  if (!/^\w+:/.test(url) && !globalThis.location) throw new UrlError(504, [url]);
};

const warned = new WeakSet<object>();
/** Most often `pk` is not what the server calls it. */
checks.unsaved = (E, input) => {
  if (warned.has(E)) return;
  warned.add(E);
  warn(205, E.name, Object.keys(input as object)); // only objects are taken apart
};

/** The name of a class is its key as long as it declares none: two of one name, in two files, are no family. */
checks.table = (E, others) => {
  const other = others.find((other) => isNamedByDefault(other));
  if (other && isNamedByDefault(E)) throw new SchemaError(206, [E.name]);
};
function isNamedByDefault(E: object | null): boolean {
  for (; E; E = Object.getPrototypeOf(E)) {
    const key = Object.getOwnPropertyDescriptor(E, "key");
    // Of what declares no key it is the getter of Entity.
    if (key) return !!key.set;
  }
  return false;
}
