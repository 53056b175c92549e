import type { Snapshot } from "../endpoint/interface.ts";
import { isMembers } from "../schemas/declared.ts";
import type { AnyEntity, AnySchema, EntityStatics, SchemaObject } from "../schemas/interface.ts";
import { classesOf, subjectsIn, Tagged } from "../schemas/subjects.ts";
import { isUnion } from "../schemas/is_union.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";
import { membersOf, pkOf } from "./sent_record.ts";

/** What a call is about, and where in its reply that is. */
export interface CallSubject {
  /** `undefined`: one of several, and nothing says which. */
  readonly entity: EntityStatics | undefined;
  /** What stands there in the schema: the class, or what changes lists of it. */
  readonly schema: Pick<SchemaObject, "answersGiven"> & { readonly verb?: string };
  /** What the reply says of it. */
  readonly said: unknown;
  /** What stands in several places, where the reply does not tell which is meant. */
  readonly unclear: readonly Pick<CallSubject, "entity" | "said">[] | undefined;
  /** The reply with another value there. */
  put(value: unknown): unknown;
}

/**
 * The record that a call is about. Where the schema is an object of members, it stands in one of these.
 *
 * @param endpoint What is called.
 * @param args The arguments of the call.
 * @param snapshot Knows the class of a record that does not say it.
 * @param reply What the server sent, if it has.
 * @param owner What the resource is of: nothing else is looked for.
 */
export function subjectOfCall(
  endpoint: AnyRestEndpoint,
  args: readonly unknown[],
  snapshot: Snapshot,
  reply?: unknown,
  owner?: AnySchema,
): CallSubject | undefined {
  const { params, body, record = params } = endpoint.readArgs(args);
  const sent = { ...record, ...membersOf(body) };
  const keys = owner && classesOf(owner).map(({ key }) => key);
  const found = subjectsIn(endpoint.schema as AnySchema)
    .filter(({ of }) => !keys || classesOf(of).some(({ key }) => keys.includes(key)))
    .map(({ of, path, isRow, schema }) => {
      const said = valueAt(reply, path);
      const { entity, tag, own } = isUnion(of)
        ? of.namedBy(said, sent, () => snapshot.get(of as AnySchema, params))
        : { entity: of as AnyEntity };
      return {
        schema: schema as CallSubject["schema"],
        path,
        isRow,
        said,
        entity: entity as EntityStatics | undefined,
        tag,
        own,
      };
    });
  const single = found.filter(({ isRow }) => !isRow);
  const isNamed = ({ entity, said }: typeof found[number]): boolean =>
    entity !== undefined && pkOf(entity, said, args) === (pkOf(entity, sent, args) ?? "");
  const one = single.length > 1 ? single.find(isNamed) : single[0];
  if (one === undefined) {
    const isSome = found.some(({ said }) => Object(said) === said);
    return found[0] && { ...found[0], said: undefined, unclear: found, put: () => isSome ? reply : undefined };
  }
  const { path, said, tag, own } = one;
  const put = (value: unknown): unknown => {
    if (value === said && tag === own) return reply;
    const tagged = (each: unknown) => tag === undefined ? each : new Tagged(tag, each);
    const below = Array.isArray(value) ? value.map(tagged) : tagged(value);
    return path.reduceRight<unknown>((value, name, at) => {
      const around = valueAt(reply, path.slice(0, at));
      return { ...isMembers(around) && around, [name]: value };
    }, below);
  };
  return { ...one, unclear: undefined, put };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, name) => isMembers(at) && Object.hasOwn(at, name) ? at[name] : undefined, value);
}
