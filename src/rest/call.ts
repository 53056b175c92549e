/**
 * What calls and replies say of one record, as its class makes it.
 *
 * @module
 */
import { tagOf } from "../errors/kind_of.ts";
import { tried } from "../errors/report_error.ts";
import type { SentRecord, Snapshot } from "../endpoint/interface.ts";
import { isMembers } from "../schemas/declared.ts";
import type { AnyEntity, AnySchema, EntityStatics, SchemaObject } from "../schemas/interface.ts";
import { isUnion } from "../schemas/is_union.ts";
import { pkText } from "../schemas/pk_text.ts";
import { madeIn } from "../schemas/once_for.ts";
import { classesOf, subjectsIn, Tagged } from "../schemas/subjects.ts";
import type { CallParts } from "./call_parts.ts";
import type { Params } from "./path_template.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/** A record, by its class and its pk. */
export type Named = Pick<SentRecord, "entity" | "pk">;

/** A call of a mutation, and what it is about. */
export interface Call<E = EntityStatics> extends CallParts {
  readonly endpoint: AnyRestEndpoint;
  readonly args: readonly unknown[];
  readonly snapshot: Snapshot;
  /** What was given to name the record: that itself, or the parameters. */
  readonly record: object;
  /** What the body has of the record. */
  readonly members: Params;
  /** The class of the record; `undefined`: one of several, and nothing says which. */
  readonly entity: E;
  /** What stands there in the schema: the class, or what changes lists of it. */
  readonly schema: Pick<SchemaObject, "answersGiven"> & { readonly verb?: string };
  /** What the reply says of it. */
  readonly said: unknown;
  /** What stands in several places, where the reply does not tell which is meant. */
  readonly unclear: readonly Pick<Call<EntityStatics | undefined>, "entity" | "said" | "pkOf">[] | undefined;
  /** The reply with another value there. */
  put(value: unknown): unknown;
  /** The pk of plain data, as text; `undefined` where it is none, or has none. */
  pkOf(value: unknown): string | undefined;
}

/** Plain data that names a record. */
export interface RecordOf {
  readonly pk: string;
  /** As `process` makes them. */
  readonly members: Params;
}

/** What `process` of a class makes of plain data; `undefined` where that is none, or `process` relies on more. */
export function processedBy(entity: EntityStatics, value: unknown, args: readonly unknown[]): Params | undefined {
  const isPlain = typeof value === "object" && value !== null && !Array.isArray(value);
  const made = isPlain && tried((): unknown => entity.process({ ...value }, value, undefined, args));
  return Object(made) === made ? made as Params : undefined;
}

/** The record that plain data is, or `undefined` when it has no pk. */
export function recordIn(entity: EntityStatics, value: unknown, args: readonly unknown[]): RecordOf | undefined {
  const members = processedBy(entity, value, args);
  // A reply of any shape: pk() may rely on members that are not there.
  const pk = members && tried(() => pkText(entity.pk(members, value, undefined, args), members, args));
  return members && typeof pk === "string" ? { pk, members } : undefined;
}

/** The pk of plain data, as text; `undefined` when it is no object, or has none. */
export function pkOf(entity: EntityStatics, value: unknown, args: readonly unknown[]): string | undefined {
  return recordIn(entity, value, args)?.pk;
}

/** Members that a body sends: those of an object, the texts of a form; several of one name are a list. */
export function membersOf(body: unknown): Params {
  const kind = tagOf(body);
  if (kind === "Object") return { ...body as Params };
  const texts = new Map<string, unknown[]>();
  for (const [name, value] of /^(?:FormData|URLSearchParams)$/.test(kind) ? body as FormData : []) {
    if (typeof value === "string") madeIn(texts, name, (): unknown[] => []).push(value);
  }
  return Object.fromEntries([...texts].map(([name, all]) => [name, all.length > 1 ? all : all[0]]));
}

/**
 * A call, and the record that it is about. Where the schema is an object of members, it stands in one of these.
 *
 * @param endpoint What is called.
 * @param args The arguments of the call.
 * @param snapshot Knows the class of a record that does not say it.
 * @param reply What the server sent, if it has.
 * @param owner What the resource is of: nothing else is looked for.
 * @returns `undefined`: the schema has no record.
 */
export function callOf(
  endpoint: AnyRestEndpoint,
  args: readonly unknown[],
  snapshot: Snapshot,
  reply?: unknown,
  owner?: AnySchema,
): Call<EntityStatics | undefined> | undefined {
  const { params, body, record = params } = endpoint.readArgs(args);
  const members = membersOf(body);
  const sent = { ...record, ...members };
  const found = subjectsIn(endpoint.schema as AnySchema)
    .filter(({ of }) => !owner || classesOf(of).some(({ key }) => keysOf(owner).includes(key)))
    .map((subject) => {
      const { of, path } = subject;
      const said = valueAt(reply, path);
      const named: { entity?: AnyEntity | undefined; tag?: string | undefined; own?: string | undefined } = isUnion(of)
        ? of.namedBy(said, sent, () => snapshot.get(of as AnySchema, params))
        : { entity: of as AnyEntity };
      const entity = named.entity as EntityStatics | undefined;
      const pk = (value: unknown) => entity && pkOf(entity, value, args);
      return { ...subject, ...named, entity, schema: subject.schema as Call["schema"], said, pkOf: pk };
    });
  if (found.length === 0) return undefined;
  const single = found.filter(({ isRow }) => !isRow);
  const one = single.length > 1 ? single.find(({ pkOf, said }) => pkOf(said) === (pkOf(sent) ?? "")) : single[0];
  const { path, said, tag, own, schema, entity, pkOf: pk } = one ?? { ...found[0]!, said: undefined };
  const put = (value: unknown): unknown => {
    if (one === undefined) return found.some(({ said }) => Object(said) === said) ? reply : undefined;
    if (value === said && tag === own) return reply;
    const tagged = (each: unknown) => tag === undefined ? each : new Tagged(tag, each);
    return path.reduceRight<unknown>((value, name, at) => {
      const around = valueAt(reply, path.slice(0, at));
      return { ...isMembers(around) && around, [name]: value };
    }, Array.isArray(value) ? value.map(tagged) : tagged(value));
  };
  const unclear = one ? undefined : found;
  return { endpoint, args, snapshot, params, body, record, members, entity, schema, said, unclear, put, pkOf: pk };
}

/** The tables of what a resource is of. */
export function keysOf(owner: AnySchema): readonly string[] {
  return classesOf(owner).map(({ key }) => key);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, name) => isMembers(at) && Object.hasOwn(at, name) ? at[name] : undefined, value);
}
