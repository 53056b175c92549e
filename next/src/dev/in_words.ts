import { isObject } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";
import { isEntity, type Schema } from "../store/schema.ts";

/** A schema as one would write it: `[User]`. */
export function inWords(schema: Schema): string {
  if (isEntity(schema)) return schema.name;
  if (Array.isArray(schema)) return `[${schema.map(inWords).join()}]`;
  if (!isObject(schema)) return String(schema);
  return schema.denormalize ? schema.constructor.name : `{ ${Object.keys(schema).join(", ")} }`;
}

/** What kind of value it is, without its data. */
function kindOf(value: Value): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (!isObject(value)) return value === null ? "null" : typeof value;
  const names = Object.keys(value);
  return names.length ? `an object with ${names.slice(0, 5).join(", ")}` : "{}";
}

/** What a schema expects, what came, and what to write instead. */
export function differenceOf(schema: Schema, value: Value): string {
  if (!Array.isArray(schema)) {
    const hint = Array.isArray(value) ? ` For a list write schema: [${inWords(schema)}].` : "";
    return `expected an object, got ${kindOf(value)}.${hint}`;
  }
  const member = isObject(value) && Object.keys(value).find((name) => Array.isArray(value[name]));
  const hint = member ? ` Say where the items are: schema: { ${member}: ${inWords(schema)} }.` : "";
  return `expected an array, got ${kindOf(value)}.${hint}`;
}
