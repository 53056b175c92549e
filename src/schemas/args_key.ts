import { SchemaError } from "../errors/schema_error.ts";

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
  if (Array.isArray(value) && value.length === 0) return "[]";
  return encode(value, [], textOf);
}

type TextOf = (value: object) => string | undefined;

function encode(value: unknown, above: readonly unknown[], textOf: TextOf | undefined): string {
  switch (typeof value) {
    case "string":
    case "boolean":
      return JSON.stringify(value);
    case "number":
      return Number.isFinite(value) ? (Object.is(value, -0) ? "0" : String(value)) : `#${value}`;
    case "bigint":
      return `#${value}n`;
    case "undefined":
      return "#undefined";
    case "object":
      break;
    default:
      throw new SchemaError(`Cannot make a key of a ${typeof value}: pass strings, numbers, or plain objects of them`);
  }
  if (value === null) return "null";
  const own = textOf?.(value);
  if (own !== undefined) return own;
  if (above.includes(value)) throw new SchemaError("Cannot make a key of arguments that contain themselves");
  const below = [...above, value];
  if (Array.isArray(value)) return `[${value.map((item) => encode(item, below, textOf)).join()}]`;
  if (value instanceof Date) return `#Date(${value.getTime()})`;
  if (value instanceof URLSearchParams) return `#Search(${JSON.stringify([...value])})`;
  if (typeof FormData !== "undefined" && value instanceof FormData) {
    const parts = [...value].map(([name, part]) => {
      if (typeof part === "string") return [name, part];
      throw new SchemaError(
        `Cannot make a key of a form with the file "${name}": files cannot be told apart by what they hold`,
      );
    });
    return `#Form(${JSON.stringify(parts)})`;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype && Object.keys(value).length === 0) {
    throw new SchemaError(
      `Cannot make a key of a ${
        prototype.constructor?.name ?? "value"
      }: pass strings, numbers, or plain objects of them`,
    );
  }
  const members: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${encode(member, below, textOf)}`);
  }
  return `{${members.join()}}`;
}
