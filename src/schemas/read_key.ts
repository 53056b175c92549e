import { argsKey } from "./args_key.ts";
import { isEntity } from "./interface.ts";
import { madeIn } from "./once_for.ts";

/**
 * As {@linkcode argsKey}, for reads that may be asked with objects of entities. These may hold each other, and half the
 * store: what they hold is told by which object it is, their own texts and numbers by what they are.
 *
 * @param args Arguments of a read.
 * @returns Text for this process: it must not leave it.
 * @throws {SchemaError} If a value cannot be told from others.
 */
export function readKey(args: readonly unknown[]): string {
  return argsKey(args, textOfEntity);
}

function textOfEntity(value: object): string | undefined {
  const { constructor } = value as { readonly constructor?: unknown };
  if (typeof constructor !== "function" || !isEntity(constructor)) return undefined;
  const members = Object.entries(value).map(([name, member]) => {
    const isObject = (typeof member === "object" && member !== null) || typeof member === "function";
    return [name, isObject ? numberOf(member) : argsKey(member)];
  });
  return `#Entity${numberOf(constructor)}${JSON.stringify(members)}`;
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

function numberOf(value: object): number {
  return madeIn(numbers, value, () => ++lastNumber);
}
