import { kindOf } from "../errors/kind_of.ts";

/** A value in an error message: short, and never the cause of another error. */
export function describe(value: unknown): string {
  try {
    if (typeof value === "string") return JSON.stringify(value.length > 80 ? value.slice(0, 80) + "…" : value);
    if (typeof value === "function") return `the function "${value.name}"`;
    if (typeof value === "bigint") return `${value}n`;
    if (Array.isArray(value)) return value.length === 0 ? "[]" : `an array of ${value.length}`;
    if (typeof value === "object" && value !== null) {
      const names = Object.keys(value);
      return names.length === 0
        ? "{}"
        : `an object with ${names.slice(0, 6).join(", ")}${names.length > 6 ? ", …" : ""}`;
    }
    return String(value);
  } catch {
    return kindOf(value);
  }
}

/**
 * The shortest way to say where the list is that a value holds; `""` where it holds none.
 *
 * @param value What came in place of a list.
 * @param isRoot It is the whole answer.
 */
export function cureOf(value: unknown, isRoot: boolean): string {
  const path = pathToList(value);
  if (path === undefined) return "";
  const ofResource = isRoot ? `, for a resource list: (items) => (${within(path, "items")})` : "";
  return `. Say where the items are: schema: ${within(path, "…")}${ofResource}`;
}

/** The names of the first member that is an array, or has one. */
function pathToList(value: unknown): readonly string[] | undefined {
  try {
    const members = Array.isArray(value) ? [] : Object.entries(Object(value) as object);
    const direct = members.find(([, member]) => Array.isArray(member));
    if (direct !== undefined) return [direct[0]];
    for (const [name, member] of members) {
      const below = Object.entries(Object(member) as object).find(([, each]) => Array.isArray(each));
      if (below !== undefined) return [name, below[0]];
    }
    return undefined;
  } catch {
    return undefined;
  }
}

function within(path: readonly string[], what: string): string {
  const named = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  return path.reduceRight((inner, name) => `{ ${named(name)}: ${inner} }`, what);
}
