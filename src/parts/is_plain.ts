import { isSchemaObject } from "../schemas/interface.ts";

/** Whether a value is an array or an object of members, and no instance of a class. */
export function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !isSchemaObject(value);
}
