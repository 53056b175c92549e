import { isObject } from "./is_object.ts";

/** Arguments as text: the same for equal ones, in any order of members. An entity stands for its pk. */
export const argsText = (args: unknown): string =>
  JSON.stringify(args, (_, value) => {
    if (!isObject(value) || Array.isArray(value)) return typeof value == "bigint" ? `${value}` : value;
    const pk = typeof value.pk == "function" ? value.pk() : undefined;
    return pk ?? Object.fromEntries(Object.keys(value).sort().map((name) => [name, value[name]]));
  });
