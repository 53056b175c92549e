import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";

/**
 * One text for arguments that mean the same, different texts for all others: members are sorted, `undefined` members
 * are left out, dates, bigints and numbers that JSON does not know keep a form of their own.
 *
 * @param value Arguments of a call.
 * @param textOf Gives an object that is not to be looked into a text of its own; `undefined` for all others.
 * @param above The objects around the value.
 * @returns Canonical text.
 * @throws {SchemaError} If a value cannot be told from others by what it holds: a function, a symbol, a `Map`, a cycle.
 */
export function argsKey(value: unknown, textOf?: TextOf, above: readonly unknown[] = []): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return String(value);
  if (typeof value === "object") return textOf?.(value) ?? objectKey(value, textOf, above);
  if (typeof value === "number" || value === undefined) return `#${value}`;
  if (typeof value === "bigint") return `#${value}n`;
  throw new SchemaError(said(129, { kind: typeof value }));
}

type TextOf = (value: object) => string | undefined;

function objectKey(value: object, textOf: TextOf | undefined, above: readonly unknown[]): string {
  if (above.includes(value)) throw new SchemaError(said(130));
  const keyOf = (below: unknown) => argsKey(below, textOf, [...above, value]);
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  const names = Object.keys(value).sort();
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    if (value instanceof Date) return `#Date(${value.getTime()})`;
    const isForm = value instanceof FormData;
    if (isForm || value instanceof URLSearchParams) {
      const parts = [...value as FormData];
      const file = parts.find(([, part]) => typeof part !== "string");
      if (file !== undefined) throw new SchemaError(said(131, { name: file[0] }));
      return `#${isForm ? "Form" : "Search"}(${JSON.stringify(parts)})`;
    }
    if (names.length === 0) throw new SchemaError(said(129, { kind: value.constructor?.name ?? "value" }));
  }
  let members = "";
  for (const name of names) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) members += `${members && ","}${JSON.stringify(name)}:${keyOf(member)}`;
  }
  return `{${members}}`;
}
