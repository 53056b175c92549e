import { type AnySchema, isSchemaObject } from "./interface.ts";

const known = new WeakMap<object, boolean>();

/**
 * Whether a declaration of arrays and members contains itself, so that data of any depth fits it: then a value may
 * contain itself, too, and a walk must remember what it has met.
 */
export function isRecursive(schema: object): boolean {
  let recursive = known.get(schema);
  if (recursive === undefined) known.set(schema, recursive = containsItself(schema));
  return recursive;
}

function containsItself(schema: object): boolean {
  const seen = new Set<object>();
  const stack = membersOf(schema);
  while (stack.length > 0) {
    const below = stack.pop()!;
    if (below === schema) return true;
    if (seen.has(below)) continue;
    seen.add(below);
    stack.push(...membersOf(below));
  }
  return false;
}

/** The arrays and objects of members directly below. */
function membersOf(schema: object): object[] {
  return Object.values(schema).filter((below: AnySchema) =>
    typeof below === "object" && below !== null && !isSchemaObject(below)
  );
}
