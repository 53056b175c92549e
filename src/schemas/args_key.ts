import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";

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
  return keyIn(undefined, value, textOf);
}

/** A value that is being looked into, and what it is in. */
interface Around {
  readonly value: object;
  readonly up: Around | undefined;
}

function keyIn(up: Around | undefined, value: unknown, textOf: TextOf | undefined): string {
  if (typeof value === "string") return quoted(value);
  if (value === null || typeof value === "boolean" || Number.isFinite(value)) return String(value);
  if (typeof value === "object") return textOf?.(value) ?? objectKey(up, value, textOf);
  if (typeof value === "number" || value === undefined) return `#${value}`;
  if (typeof value === "bigint") return `#${value}n`;
  throw new SchemaError(said(129, { kind: typeof value }));
}

type TextOf = (value: object) => string | undefined;

function objectKey(up: Around | undefined, value: object, textOf: TextOf | undefined): string {
  for (let one = up; one !== undefined; one = one.up) if (one.value === value) throw new SchemaError(said(130));
  const around: Around = { value, up };
  if (Array.isArray(value)) return `[${value.map((item) => keyIn(around, item, textOf)).join()}]`;
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
    if (member !== undefined) members += `${members && ","}${quoted(name)}:${keyIn(around, member, textOf)}`;
  }
  return `{${members}}`;
}

/** As JSON has it. Most need no escapes, and `JSON.stringify` takes four times as long to say so. */
function quoted(text: string): string {
  return /^[\w .:@/-]*$/.test(text) ? `"${text}"` : JSON.stringify(text);
}
