import { cureOf, describe } from "./describe.ts";

/** What sentences are made of. */
interface Facts {
  readonly [fact: string]: unknown;
  readonly name: string;
  readonly key: string;
  readonly kind: string;
  readonly where: string;
  readonly tag: string;
  readonly verb: string;
  readonly member: string;
  readonly fields: readonly string[];
  readonly isRoot?: boolean;
}

/** What errors of schemas say. */
export const SCHEMA_TEXTS = {
  101: ({ name, key }: Facts) => `The key of class "${name}" is ${describe(key)}: write \`static key = "…"\` on it`,
  102: ({ key, value }: Facts) =>
    `createIfValid() of "${key}" returned ${describe(value)}: return an instance, or undefined for a record ` +
    "that is incomplete for this class",
  103: ({ key }: Facts) =>
    `"${key}" was made by another copy of @rejoin/data. Load only one: use import everywhere and ` +
    "require nowhere, or let the bundler or the import map choose one version",
  104: ({ key, indexes }: Facts) =>
    `The indexes of "${key}" are ${describe(indexes)}: write \`static indexes = ["member"]\``,
  105: ({ key, name, fields }: Facts) =>
    `The indexes of "${key}" name ${describe(name)}, which is not a field of the class: ` +
    `its fields are ${fields.join(", ") || "none"}`,
  106: ({ key, schema }: Facts) =>
    `The schema of "${key}" is ${describe(schema)}: write \`static schema = { member: Schema }\``,
  107: ({ where }: Facts) =>
    `The schema of ${where} is undefined: the class is probably not defined yet. Assign it later, after both classes: ` +
    `\`${where.split(".")[0]}.schema = { … }\``,
  108: ({ where, length }: Facts) =>
    `The schema of ${where} is an array with ${length} items: write [Schema], one schema for every item`,
  109: ({ where, name }: Facts) =>
    `The schema of ${where} is the class "${name}", which needs "new": write (value) => new ${name}(value)`,
  110: ({ kind }: Facts) =>
    `A schema.${kind} is used before it is defined: its definition is undefined (a class that is not defined ` +
    "yet?) or was left out. Call define() before the first read or write",
  111: ({ kind }: Facts) =>
    `define() was called on a schema.${kind} that has been used: what is stored was written by its earlier ` +
    "definition. Define all of it before the first read or write",
  112: ({ kind, more, before }: Facts) =>
    `define() of a schema.${kind} cannot add ${describe(more)} to ${describe(before)}: it merges members into ` +
    "members, and sets a definition that was left out",
  113: ({ name }: Facts) =>
    `The initializers of "${name}" build each other without end. ` +
    `Give one side of the cycle a default that builds nothing, for example \`author: ${name} | undefined = undefined\``,
  114: ({ kind, given }: Facts) =>
    `schema.${kind} was given ${describe(given)} and an attribute. An attribute needs a mapping: ` +
    `new schema.${kind}({ article: Article, video: Video }, "type")`,
  115: ({ kind, given }: Facts) =>
    `schema.${kind} was given ${describe(given)}, which is not a schema: give it the schema of its items`,
  116: ({ given }: Facts) =>
    `schema.Object was given ${
      describe(given)
    }: give it an object of members, new schema.Object({ results: [Article], next: "" })`,
  117: ({ kind, given }: Facts) =>
    `schema.${kind} was given ${
      describe(given)
    }: give it an entity class, a schema.Union, or a mapping and the member ` +
    `that tells its entities apart, new schema.${kind}({ article: Article, video: Video }, "type")`,
  118: ({ given }: Facts) =>
    `schema.Invalidate was given ${describe(given)}: give it an entity class, a schema.Union, an array of one of ` +
    'these, or a mapping and the member that tells its entities apart, new schema.Invalidate({ article: Article }, "type")',
  119: ({ value }: Facts) =>
    `nothing to delete: expected an object with a pk and a tag, got ${describe(value)}; ` +
    "a pk alone does not say which table it is in",
  120: ({ attribute }: Facts) =>
    `The attribute of a schema.Union is ${describe(attribute)}: give the name of the member that tells its values ` +
    'apart, or a function, new schema.Union({ article: Article, video: Video }, "type")',
  121: () => "A schema.Union without entities is used: call define() before the first read or write",
  122: ({ kind, given }: Facts) =>
    `The mapping of a schema.${kind} is ${describe(given)}: give entities by their tags, ` +
    "{ article: Article, video: Video }",
  123: ({ kind, tag, entity }: Facts) =>
    `The tag ${JSON.stringify(tag)} of a schema.${kind} stands for ${describe(entity)}, which is not an entity class` +
    (entity === undefined ? ": the class is probably not defined yet, add it later by define()" : ""),
  124: () => "expected an object, got an array: for a list write [union]",
  125: ({ value }: Facts) =>
    `${describe(value)} has no tag that is in the mapping, and looks like a stored reference to ` +
    `"${(value as Facts).schema}": name the member with its tag as attribute, or rename its members in process()`,
  126: ({ value, isRoot = false }: Facts) => `expected an array, got ${describe(value)}${cureOf(value, isRoot)}`,
  127: ({ value }: Facts) => `expected an object of items by name, got ${describe(value)}`,
  128: ({ verb, value }: Facts) => `${verb} expected items by name, got ${describe(value)}: give { name: item }`,
  129: ({ kind }: Facts) =>
    `Cannot make a key of ${
      /^[AEIOU]/.test(kind) ? "an" : "a"
    } ${kind}: pass strings, numbers, or plain objects of them`,
  130: () => "Cannot make a key of arguments that contain themselves: pass data without cycles",
  131: ({ name }: Facts) =>
    `Cannot make a key of a form with the file "${name}": files cannot be told apart by what they hold`,
  132: () => "createIfValid() returned undefined",
  133: ({ list, verb }: Facts) =>
    `A collection of ${list ? "Values" : "an array"} has no "${verb}": use ${
      list ? '"assign"' : '"push" or "unshift"'
    }`,
  134: ({ given }: Facts) =>
    Array.isArray(given) && given[0] === undefined
      ? "The schema of a resource or a Collection is undefined: it was left out, or the class is not defined yet, where " +
        "modules import each other. Make the resource in a module that is loaded after the class"
      : "A Collection holds entities or a union: write new schema.Collection([Article]) or " +
        "new schema.Collection(new schema.Values(Article))",
  135: ({ items, isList }: Facts) =>
    `the function of addWith() returned ${describe(items)}; it gets ${isList ? "an array" : "an object"}, and must ` +
    "return one",
  136: ({ keys }: Facts) =>
    `The query of a Lazy member was given ${Array.isArray(keys) ? "an array" : "an object"} that is neither an ` +
    "instance of the entity nor the keys in that member: give it the instance, " +
    "useQuery(Director.schema.films.query, director), or the keys, director.films",
  137: ({ key }: Facts) =>
    `"${key}" has no member with this Lazy schema: give its query an instance of the class that has one`,
  138: ({ member }: Facts) =>
    `A relation by "${member}" was given no entity class: write new schema.HasMany(() => Film, "${member}")`,
  139: ({ member, key, owner, name }: Facts) =>
    `The relation by "${member}" of "${key}" was given ${describe(owner)}, and the member ` +
    `is ${name}: nothing says which of them is meant. Give it an instance of one of these classes`,
  140: ({ member, key }: Facts) =>
    `A relation cannot find the records of "${key}" by "${member}": the schema of that member must be ` +
    "an entity, a Union or an array of one of these, or the member must be a plain key. Copy the key into a member of " +
    "its own, in process(), and declare the relation by that member",
  141: ({ key, redact }: Facts) => `The redact of "${key}" is ${describe(redact)}: write \`static redact = ["token"]\``,
};
