/** What can be given to a hook, by mistake or not. */
export type Kind = "read" | "mutation" | "query" | "entity" | "schema" | "resource" | "nothing" | "other";

/**
 * What a hook takes: something to fetch, something that is stored, a schema, either of these, something to call, or
 * something that changes what the server has.
 */
export type Wanted = "fetched" | "stored" | "schema" | "source" | "call" | "change";

/** A hook, and what it was given. */
export interface Given {
  readonly hook: string;
  readonly wanted: Wanted;
  readonly kind: Kind;
  /** What was given calls itself so. */
  readonly name: string;
}

/** Says what to write in place of what was given. */
export function wrongGiven({ hook, wanted, kind, name }: Given): string {
  return `${hook}() takes ${TAKES[wanted]}, and was given ${GIVEN[kind](name)}. ${cureOf(hook, wanted, kind, name)}`;
}

const TAKES: Readonly<Record<Wanted, string>> = {
  fetched: "an endpoint",
  stored: "an endpoint or a Query",
  schema: "an entity, a Query or another schema",
  source: "an endpoint, an entity or a Query",
  call: "an endpoint",
  change: "an endpoint that changes something",
};

const GIVEN: Readonly<Record<Kind, (name: string) => string>> = {
  read: (name) => `the endpoint "${name}"`,
  mutation: (name) => `"${name}", a mutation`,
  query: (name) => `the Query "${name}"`,
  entity: (name) => `the entity "${name}"`,
  schema: () => "a schema",
  resource: () => "a resource",
  nothing: (name) => name,
  other: (name) => name,
};

function cureOf(hook: string, wanted: Wanted, kind: Kind, name: string): string {
  if (kind === "nothing") return "Either there is no such member, or two modules import each other";
  if (kind === "read") return `Write useCache(endpoint, …) for what is stored of it`;
  if (kind === "mutation") {
    return "Nothing of it is kept: write useMutation(endpoint), which has data and error of its last call";
  }
  if (kind === "resource") {
    if (wanted === "schema") return `Write its entity: ${hook}(Entity, …)`;
    return `Write ${
      wanted === "change" ? "Resource.create or Resource.update" : `${hook}(Resource.get, …), or Resource.getList`
    }`;
  }
  if (kind === "other") return "Write an endpoint, such as Resource.get";
  if (wanted === "call" || wanted === "change") return "Write an endpoint, such as Resource.update";
  return `For what is stored write useQuery(${
    kind === "entity" ? name : kind
  }, …), for what is to be fetched an endpoint, such as Resource.get`;
}
