/** What was thrown, in words; whatever it is, it never throws itself. */
export function reasonOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return `a value of type ${typeof thrown}`;
  }
}
