import { isSchemaObject } from "./interface.ts";

const known = new WeakMap<object, boolean>();

/**
 * Whether a declaration of arrays, members and schema objects contains itself, so that data of any depth fits it: then a
 * value may contain itself, too, and a walk must remember what it has met.
 */
export function isRecursive(schema: object): boolean {
  let recursive = known.get(schema);
  if (recursive === undefined) known.set(schema, recursive = containsItself(schema));
  return recursive;
}

function containsItself(schema: object): boolean {
  const seen = new Set<object>();
  const stack = declaredIn(schema);
  while (stack.length > 0) {
    const below = stack.pop()!;
    if (below === schema) return true;
    if (seen.has(below)) continue;
    seen.add(below);
    stack.push(...declaredIn(below));
  }
  return false;
}

/** The arrays, objects of members and schema objects directly below. Entities end a declaration. */
function declaredIn(schema: object): object[] {
  const parts = isSchemaObject(schema) ? schema.parts ?? [] : Object.values(schema);
  return parts.filter((part): part is object => typeof part === "object" && part !== null);
}
