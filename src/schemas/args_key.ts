import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { sortNames } from "./sort_names.ts";

/**
 * One text for arguments that mean the same, different texts for all others: members are sorted, `undefined` members
 * are left out, dates, bigints and numbers that JSON does not know keep a form of their own.
 *
 * @param value Arguments of a call.
 * @param textOf Gives an object that is not to be looked into a text of its own; `undefined` for all others.
 * @returns Canonical text.
 * @throws {SchemaError} If a value cannot be told from others by what it holds: a function, a symbol, a `Map`, a cycle.
 */
export function argsKey(value: unknown, textOf?: TextOf): string {
  return encode(value, NOTHING_ABOVE, textOf);
}

type TextOf = (value: object) => string | undefined;

const NOTHING_ABOVE: readonly unknown[] = /* @__PURE__ */ Object.freeze([]);

/** What JSON writes otherwise than it is. Half of a surrogate pair is among it, so pairs are left to JSON, too. */
// deno-lint-ignore no-control-regex -- JSON escapes control characters
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** As JSON has it; most texts need no escaping. */
function quoted(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function encode(value: unknown, above: readonly unknown[], textOf: TextOf | undefined): string {
  switch (typeof value) {
    case "string":
      return quoted(value);
    case "boolean":
      return value ? "true" : "false";
    case "number":
      return Number.isFinite(value) ? (Object.is(value, -0) ? "0" : String(value)) : `#${value}`;
    case "bigint":
      return `#${value}n`;
    case "undefined":
      return "#undefined";
    case "object":
      break;
    default:
      throw new SchemaError(said(129, { kind: typeof value }));
  }
  if (value === null) return "null";
  const own = textOf?.(value);
  if (own !== undefined) return own;
  if (above.includes(value)) throw new SchemaError(said(130));
  const below = above.length === 0 ? [value] : [...above, value];
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    let items = encode(value[0], below, textOf);
    for (let i = 1; i < value.length; i++) items += `,${encode(value[i], below, textOf)}`;
    return `[${items}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null
    ? encodeMembers(value, below, textOf)
    : encodeInstance(value, below, textOf);
}

function encodeMembers(value: object, below: readonly unknown[], textOf: TextOf | undefined): string {
  let members = "";
  for (const name of sortNames(Object.keys(value))) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    const text = `${quoted(name)}:${encode(member, below, textOf)}`;
    members = members === "" ? text : `${members},${text}`;
  }
  return `{${members}}`;
}

function encodeInstance(value: object, below: readonly unknown[], textOf: TextOf | undefined): string {
  if (value instanceof Date) return `#Date(${value.getTime()})`;
  if (value instanceof URLSearchParams) return `#Search(${JSON.stringify([...value])})`;
  if (typeof FormData !== "undefined" && value instanceof FormData) {
    const parts = [...value].map(([name, part]) => {
      if (typeof part === "string") return [name, part];
      throw new SchemaError(said(131, { name }));
    });
    return `#Form(${JSON.stringify(parts)})`;
  }
  if (Object.keys(value).length === 0) {
    const { constructor } = value as { readonly constructor?: { readonly name?: string } };
    throw new SchemaError(said(129, { kind: constructor?.name ?? "value" }));
  }
  return encodeMembers(value, below, textOf);
}
