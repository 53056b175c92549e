/**
 * Where an object is in a value, as one would write it in code: `results[3].author`. Looked for only when an error is
 * made, so that walking costs nothing for it.
 *
 * @param root The value.
 * @param target An object somewhere in it.
 * @returns The path; `""` when it is the root, `undefined` when it is not found.
 */
export function pathOf(root: unknown, target: unknown): string | undefined {
  if (root === target) return "";
  if (typeof root !== "object" || root === null || typeof target !== "object" || target === null) return undefined;
  const seen = new Set<object>([root]);
  // A frame is an object and how it was reached; paths are only written out for the one that is found.
  const frames: { object: object; parent: number; step: string }[] = [{ object: root, parent: -1, step: "" }];
  for (let at = 0; at < frames.length; at++) {
    const { object } = frames[at]!;
    const list = Array.isArray(object);
    for (const name of Object.keys(object)) {
      const value = (object as Record<string, unknown>)[name];
      if (typeof value !== "object" || value === null || seen.has(value)) continue;
      const step = list ? `[${name}]` : stepOf(name);
      if (value === target) return write(frames, at, step);
      seen.add(value);
      frames.push({ object: value, parent: at, step });
    }
  }
  return undefined;
}

/** One step to a member: `.author`, or `["with space"]`. */
export function stepOf(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A path without the dot that a first member would begin with. */
export function joinPath(path: string, step: string): string {
  return path === "" && step.startsWith(".") ? step.slice(1) : path + step;
}

function write(frames: readonly { parent: number; step: string }[], from: number, last: string): string {
  const steps = [last];
  for (let at = from; at > 0; at = frames[at]!.parent) steps.push(frames[at]!.step);
  return joinPath("", steps.reverse().join(""));
}
