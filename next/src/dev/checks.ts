import { checks, UsageError } from "../errors/errors.ts";
import { isEntity, type Schema } from "../store/schema.ts";
import { isObject } from "../plain/is_object.ts";
import { isPlain } from "../plain/equal.ts";

/** An array that is no schema, or an object such as `new Date()`, can be no default. */
checks.schema = function check(schema: Schema, name = ""): void {
  if (!isObject(schema) || isEntity(schema)) return;
  const { denormalize, parts = [] } = schema;
  if (!denormalize && (Array.isArray(schema) ? schema.length !== 1 : !isPlain(schema))) {
    throw new UsageError(204, [name]);
  }
  for (const [name, part] of Object.entries(denormalize ? parts : schema)) check(part, name);
};

/** A relative URL needs a page. */
checks.url = (url) => {
  if (!/^\w+:/.test(url) && !globalThis.location) throw new UsageError(504, [url]);
};
