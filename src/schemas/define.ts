/**
 * Sets a member as the spread operator would: an own `__proto__` is a member like any other, and so is `toString` where
 * the prototypes are frozen.
 */
export function define(members: object, name: string, value: unknown): void {
  if (name in members && !Object.hasOwn(members, name)) {
    Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
  } else (members as Record<string, unknown>)[name] = value;
}

/** Whether something is an object that is no array: a record, a table. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
