/**
 * Where an object is in a value, as one would write it in code: `results[3].author`. Looked for only when an error is
 * made, so that walking costs nothing for it.
 *
 * @param root The value.
 * @param target An object somewhere in it.
 * @returns The path; `""` when it is the root, `undefined` when it is not found.
 */
export function pathOf(root: unknown, target: unknown): string | undefined {
  // What is added while it is walked is walked, too: the shortest path is found first.
  const paths = new Map<unknown, string>([[root, ""]]);
  for (const [object, path] of paths) {
    if (object === target) return pathText(path);
    for (const [name, value] of Object.entries(Object(object) as object)) {
      if (typeof value !== "object" || value === null || paths.has(value)) continue;
      paths.set(value, path + (Array.isArray(object) ? `[${name}]` : stepOf(name)));
    }
  }
  return undefined;
}

/** One step to a member: `.author`, or `["with space"]`. */
export function stepOf(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** Steps without the dot that a first member would begin with. */
export function pathText(steps: string): string {
  return steps.replace(/^\./, "");
}
