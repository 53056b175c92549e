import { EndpointBase } from "../endpoint/endpoint.ts";
import { checks, EndpointError, type Named, SchemaError, UrlError, warn } from "../errors/mod.ts";
import { isEntity, type Schema } from "../store/schema.ts";
import { isObject, own } from "../plain/is_object.ts";
import { isPlain } from "../plain/equal.ts";
import { inWords } from "./texts.ts";
import type { Value } from "../plain/value.ts";

/** Rejects a value in a schema that is neither a schema nor a usable default, such as an array of two or `new Date()`. */
checks.schema = (given, name) => check(given, name, new Set());
function check(schema: Schema, name = "", seen: Set<Schema>): void {
  // A schema may contain itself.
  if (seen.has(schema)) return;
  seen.add(schema);
  if (isEntity(schema)) {
    for (const [member, part] of Object.entries(schema.schema)) {
      // The member is most often a class of a module that imports this one, and is not defined yet.
      if (part === undefined) throw new SchemaError(204, [`${schema.name}.${member}`]);
      check(part, `${schema.name}.${member}`, seen);
    }
    return;
  }
  // What `new` makes, and an endpoint, are functions that make no value of another.
  if (typeof schema == "function" && schema !== Date && (/^class\b/.test(`${schema}`) || schema.testKey)) {
    throw new SchemaError(204, [name || schema.name]);
  }
  if (!isObject(schema)) return;
  const { denormalize, parts = [] } = schema;
  if (!denormalize && (Array.isArray(schema) ? schema.length !== 1 || schema[0] == null : !isPlain(schema))) {
    throw new SchemaError(204, [name || inWords(schema)]);
  }
  for (const [name, part] of Object.entries(denormalize ? parts : schema)) check(part, name, seen);
}

/** Rejects a relative URL outside of a page. */
checks.url = (url) => {
  if (!/^\w+:/.test(url) && !globalThis.location) throw new UrlError(504, [url]);
};

const warned = new WeakSet<object>();
/** Warns once per class about a record without pk, most often because its id has another name. */
function warnUnsaved(E: Named, record: Value): void {
  // No server sends `undefined`: an optimistic create of `createResource` has it for the id that it does not know.
  if (warned.has(E) || Object.values(record).includes(undefined)) return;
  warned.add(E);
  warn(205, E.name, Object.keys(record));
}

const endpoints = new WeakMap<object, Map<string, { readonly fetch?: unknown }>>();
/** Rejects two endpoints of one name in one store, because the name is the key of their answers. */
checks.endpoint = (store, endpoint: Named & { readonly key?: unknown; readonly fetch?: unknown }) => {
  // A plain object with a schema is accepted, because code that restores a state has only a schema and a key.
  if (!isPlain(endpoint) || !("schema" in endpoint)) checks.given!(endpoint, "kept", "controller");
  if (endpoint.key !== EndpointBase.prototype.key) return;
  let known = endpoints.get(store);
  if (!known) endpoints.set(store, known = new Map());
  const { fetch } = known.get(endpoint.name) ?? endpoint;
  if (fetch !== endpoint.fetch) throw new EndpointError(403, [endpoint.name]);
  known.set(endpoint.name, endpoint);
};

/** Rejects a resource without path or schema where it is declared, and not where it is first used. */
checks.declared = ({ path, schema }: Value) => {
  const lacks = typeof path != "string" ? "path" : "schema";
  if (lacks === "path" || !schema) throw new EndpointError(505, [lacks, path]);
};

const looked = new WeakMap<object, number>();
/** Compares a class with its first hundred records, and warns once if their names or types differ. */
checks.received = (E, record: Value, pk) => {
  if (pk === undefined) warnUnsaved(E, record);
  const times = looked.get(E) ?? 0;
  if (times > 99 || !isEntity(E)) return;
  looked.set(E, times + 1);
  const { defaults, schema } = E, spelt = new Map<string, string>();
  for (const name in defaults) if (!(name in record)) spelt.set(bare(name), name);
  for (const name of Object.keys(record)) {
    const made: Schema = own(defaults, name)?.constructor, declared = spelt.get(bare(name)), sent = record[name];
    const isForgotten = !schema[name] && (made === Date ? typeof sent == "string" : isEntity(made) && isPlain(sent));
    if (!isForgotten && (name in defaults || declared === undefined)) continue;
    looked.set(E, Infinity);
    if (isForgotten) warn(207, E.name, name, made.name);
    else warn(208, E.name, declared, name);
  }
};
const bare = (name: string): string => name.replace(/[_-]/g, "").toLowerCase();

/** Rejects two classes of one name that declare no key. They would share a table by accident. */
checks.table = (E: Value, plans: Iterable<{ readonly E: Value }>) => {
  if (!isNamedByDefault(E)) return;
  for (const { E: other } of plans) {
    if (other.key === E.key && isNamedByDefault(other)) throw new SchemaError(206, [E.name]);
  }
};
function isNamedByDefault(E: object | null): boolean {
  for (; E; E = Object.getPrototypeOf(E)) {
    const key = Object.getOwnPropertyDescriptor(E, "key");
    // A class that declares no key inherits the accessor of Entity, which has a setter.
    if (key) return !!key.set;
  }
  return false;
}
