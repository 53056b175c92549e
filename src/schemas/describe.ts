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
    return `a ${typeof value}`;
  }
}

/** The shortest way to say where the list is that a value holds; `""` where it holds none. */
export function cureOf(value: unknown): string {
  try {
    const name = Object.keys(value as object).find((key) => Array.isArray((value as Record<string, unknown>)[key]));
    return name === undefined || Array.isArray(value) ? "" : `. Say where the items are: schema: { ${name}: … }`;
  } catch {
    return "";
  }
}
