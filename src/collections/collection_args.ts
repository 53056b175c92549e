import { tried } from "../errors/report_error.ts";
import { isMembers } from "../schemas/declared.ts";
import { isSchemaObject } from "../schemas/interface.ts";
import { argsKey } from "../schemas/args_key.ts";

/** The arguments that a list is found by, as text. */
export interface ListArgs {
  readonly [name: string]: string;
}

/** Arguments as they are compared: `5` is `"5"`, `undefined` is absent, what holds others is its canonical text. */
export function textOf(args: object): ListArgs {
  const known = Object.entries(args).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [name, asText(value)]));
}

/** A value as the address has it: a date is the text that JSON has for it. */
export function asText(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const { toJSON } = value as { readonly toJSON?: unknown };
  const json: unknown = typeof toJSON === "function" ? toJSON.call(value, "") : value;
  return typeof json === "object" ? argsKey(json) : String(json);
}

/**
 * What names a list when nothing else is declared: the members of the first argument, or where that has none, as a text
 * or an array, all arguments by their positions. Without a first one it is the plain list.
 */
export function listArgsOf(args: readonly unknown[]): ListArgs {
  const [first] = args;
  return first === undefined ? {} : hasMembers(first) ? textOf(first) : positionsOf(args);
}

/** Arguments by their positions, `{ "#0": "5" }`, where the first has no members; else none. */
export function positionsOf(args: readonly unknown[]): ListArgs {
  if (hasMembers(args[0])) return {};
  // A file, or a form with one, has no text: no read has such an argument, for it could have no key.
  return Object.assign({}, ...args.map((value, at) => tried(() => textOf({ [`#${at}`]: value }))));
}

/** Whether it is the position of an argument that has no name. */
export function isPosition(name: string): boolean {
  return name.startsWith("#");
}

/** A date, a form, a map hold what they are where members do not show it. */
function hasMembers(value: unknown): value is object {
  return isMembers(value) || (isSchemaObject(value) && Object.keys(value).length > 0);
}
