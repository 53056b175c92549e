import { EndpointBase } from "../endpoint/endpoint.ts";
import { checks, EndpointError, type Named, SchemaError, UrlError, warn } from "../errors/mod.ts";
import { isEntity, type Schema } from "../store/schema.ts";
import { isObject } from "../plain/is_object.ts";
import { isPlain } from "../plain/equal.ts";
import type { Value } from "../plain/value.ts";

/** An array that is no schema, or an object such as `new Date()`, can be no default. */
checks.schema = (given, name) => check(given, name, new Set());
function check(schema: Schema, name = "", seen: Set<Schema>): void {
  // Schemas may contain themselves.
  if (seen.has(schema)) return;
  seen.add(schema);
  if (isEntity(schema)) {
    for (const [member, part] of Object.entries(schema.schema)) {
      // Most often a class of a module that imports this one.
      if (part === undefined) throw new SchemaError(204, [`${schema.name}.${member}`]);
      check(part, `${schema.name}.${member}`, seen);
    }
    return;
  }
  if (!isObject(schema)) return;
  const { denormalize, parts = [] } = schema;
  if (!denormalize && (Array.isArray(schema) ? schema.length !== 1 : !isPlain(schema))) {
    throw new SchemaError(204, [name]);
  }
  for (const [name, part] of Object.entries(denormalize ? parts : schema)) check(part, name, seen);
}

/** A relative URL needs a page. */
checks.url = (url) => {
  if (!/^\w+:/.test(url) && !globalThis.location) throw new UrlError(504, [url]);
};

const warned = new WeakSet<object>();
/** Most often `pk` is not what the server calls it. */
checks.unsaved = (E, input) => {
  if (warned.has(E)) return;
  warned.add(E);
  warn(205, E.name, Object.keys(input as object)); // only objects are taken apart
};

const endpoints = new WeakMap<object, Map<string, { readonly fetch?: unknown }>>();
/** What names its answers by its own name must be the only one that has it. */
checks.endpoint = (store, endpoint: Named & { readonly key?: unknown; readonly fetch?: unknown }) => {
  if (endpoint.key !== EndpointBase.prototype.key) return;
  let known = endpoints.get(store);
  if (!known) endpoints.set(store, known = new Map());
  const { fetch } = known.get(endpoint.name) ?? endpoint;
  if (fetch !== endpoint.fetch) throw new EndpointError(403, [endpoint.name]);
  known.set(endpoint.name, endpoint);
};

const looked = new WeakMap<object, number>();
/** What a class says beside what its server sends, by the first hundred of its records: once a class. */
checks.received = (E, input) => {
  const times = looked.get(E) ?? 0;
  if (times > 99 || !isEntity(E) || !isObject(input)) return;
  looked.set(E, times + 1);
  const { defaults, schema } = E, record: Value = input, spelt = new Map<string, string>();
  for (const name in defaults) if (!(name in record)) spelt.set(bare(name), name);
  for (const name of Object.keys(record)) {
    const made: Schema = defaults[name]?.constructor, declared = spelt.get(bare(name)), sent = record[name];
    const isForgotten = !schema[name] && (made === Date ? typeof sent == "string" : isEntity(made) && isPlain(sent));
    if (!isForgotten && (name in defaults || declared === undefined)) continue;
    looked.set(E, Infinity);
    return isForgotten ? warn(207, E.name, name, made.name) : warn(208, E.name, declared, name);
  }
};
const bare = (name: string): string => name.replace(/[_-]/g, "").toLowerCase();

/** The name of a class is its key as long as it declares none: two of one name, in two files, are no family. */
checks.table = (E: Value, plans: Iterable<{ readonly E: Value }>) => {
  if (!isNamedByDefault(E)) return;
  for (const { E: other } of plans) {
    if (other.key === E.key && isNamedByDefault(other)) throw new SchemaError(206, [E.name]);
  }
};
function isNamedByDefault(E: object | null): boolean {
  for (; E; E = Object.getPrototypeOf(E)) {
    const key = Object.getOwnPropertyDescriptor(E, "key");
    // Of what declares no key it is the getter of Entity.
    if (key) return !!key.set;
  }
  return false;
}
