import { partsOf } from "./subjects.ts";

const known = new WeakMap<object, boolean>();

/**
 * Whether a declaration of arrays, members and schema objects contains itself, so that data of any depth fits it: then a
 * value may contain itself, too, and a walk must remember what it has met.
 */
export function isRecursive(schema: object): boolean {
  let recursive = known.get(schema);
  if (recursive === undefined) {
    const below = new Set(declaredIn(schema));
    // What is added while it is walked is walked, too.
    for (const one of below) for (const part of declaredIn(one)) below.add(part);
    known.set(schema, recursive = below.has(schema));
  }
  return recursive;
}

/** The arrays, objects of members and schema objects directly below. Entities end a declaration. */
function declaredIn(schema: object): object[] {
  return partsOf(schema).filter((part): part is object => typeof part === "object" && part !== null);
}
