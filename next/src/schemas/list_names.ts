import { argsText } from "../plain/args_text.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";

/** The arguments of a list: scalars are text, so that `5` and `"5"` are one. */
export interface ListArgs {
  readonly [name: string]: Value;
}

/** The arguments of a call, by name. */
export function namedArgs([first, ...rest]: Args): ListArgs {
  return { ...isObject(first ?? {}) ? first : { "#": first }, ...rest.length && { "#rest": rest } };
}

/** Arguments as the beginning of the pk of their lists. */
export function listName(args: ListArgs): string {
  const named: Value = {};
  for (const name in args) {
    const value = args[name];
    if (value !== undefined) named[name] = isObject(value) ? value : `${value}`;
  }
  return argsText(named) + "\n";
}

/** What names a list that belongs to a member of an entity: no arguments. */
export const placeName = (table: string, pk: string, member: string): string => argsText([table, pk, member]) + "\n";

/** The arguments that a pk of a list begins with; `undefined`: the list belongs to its entity alone. */
export function argsOfName(pk: string): ListArgs | undefined {
  const args = JSON.parse(pk.split("\n")[0]!);
  return Array.isArray(args) ? undefined : args;
}
