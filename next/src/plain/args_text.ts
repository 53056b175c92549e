import { isObject } from "./is_object.ts";

/** Arguments as text: the same for equal ones, in any order of members. */
export const argsText = (args: unknown): string =>
  JSON.stringify(
    args,
    (_, value) =>
      isObject(value) && !Array.isArray(value)
        ? Object.fromEntries(Object.keys(value).sort().map((name) => [name, value[name]]))
        : typeof value == "bigint"
        ? `${value}`
        : value,
  );
