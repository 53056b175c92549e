import { reasonOf } from "../errors/reason.ts";

/** What stands before the two ends of an occurrence without a pk. */
interface Unsaved {
  readonly key: string;
  readonly path: string;
  readonly input: object;
}

function unsaved({ key, path, input }: Unsaved): string {
  return `${key}${path === "" ? "" : ` at ${path}`} has no pk; it has ${Object.keys(input).join(", ") || "no members"}`;
}

/** Members that look like the key of a record. */
const KEY_LIKE = /^(?:_?id|uuid|guid|key|slug|code|\w+_id|\w+Id)$/;

function cureOfUnsaved({ path, input }: Unsaved): string {
  const members = Object.entries(input);
  const own = members.find(([name, value]) =>
    KEY_LIKE.test(name) && value && /string|number|bigint/.test(typeof value)
  );
  if (own !== undefined) return `. If ${own[0]} is its key, write pk() { return this.${own[0]} }`;
  const [record, ...others] = members.filter(([, one]) => Object(one) === one && !Array.isArray(one));
  return path !== "" || record === undefined || others.length > 0
    ? ""
    : `. Say where the record is: schema: { ${record[0]}: … }`;
}

/** What errors and warnings of the store say. */
export const STORE_TEXTS = {
  300: (facts: Unsaved) => unsaved(facts) + cureOfUnsaved(facts),
  301: (facts: Unsaved) => `${unsaved(facts)}: what is set by hand needs a pk`,
  302: ({ one, other, key }: { readonly one: string; readonly other: string; readonly key: string }) =>
    `Two classes, "${one}" and "${other}", reach the table "${key}" by their names ` +
    `(bundlers shorten names). Write \`static key = "…"\` on both: different keys, or the same key if they are one record`,
  303: ({ key, name }: { readonly key: string; readonly name: string }) =>
    `The key "${key}" belongs to a collection: give the class "${name}" another one`,
  304: (
    { one, other, key, field, shape, otherShape }: {
      readonly one: string;
      readonly other: string;
      readonly key: string;
      readonly field: string;
      readonly shape: string;
      readonly otherShape: string;
    },
  ) =>
    `The classes "${one}" and "${other}" share the key "${key}", but "${field}" is ` +
    `${shape} in one and ${otherShape} in the other. Spread the schema: ` +
    `\`static schema = { ...${one}.schema, … }\``,
  305: ({ name, older }: { readonly name: string; readonly older: readonly (readonly [string, string])[] }) =>
    older.map(([old, instead]) => `static ${old} of "${name}" does nothing here: write ${instead}`).join("; "),
  306: ({ key, path, pk }: { readonly key: string; readonly path: string; readonly pk: unknown }) =>
    `${key} at ${path} has the pk ${pk}, a number beyond 2^53: JSON.parse rounds those, so that several records may ` +
    "become one. Let the server send it as text, or read it as text in parseResponse",
  307: ({ name, reason }: { readonly name: string; readonly reason: unknown }) =>
    `update() of "${name}" threw, so it changed no other answers: ${reasonOf(reason)}`,
  308: ({ id }: { readonly id: unknown }) =>
    `"${id}" names a record that the server has not made yet, so it can only be shown: change it by a mutation with ` +
    "getOptimisticResponse(), or await the create and use its id",
  309: () =>
    "set() takes an object, or a function that returns one: await a promise first, and delete with schema.Invalidate",
  310: ({ named, own }: { readonly named: string; readonly own: string }) =>
    `the arguments name the pk "${named}", and the value has the pk "${own}"`,
  311: () => "set() needs a pk: give the members that it is made of, in the arguments or in the value",
  312: () => "set() needs to know which entity it is: give a tag that is in the mapping, and the pk",
  313: ({ option, name, length }: { readonly option: string; readonly name: string; readonly length: unknown }) =>
    `Cannot use the ${option} ${typeof length === "string" ? JSON.stringify(length) : String(length)}${
      name && ` of "${name}"`
    }: give a number of ms, or Infinity for ever`,
  314: () => "expected a value, got undefined; null is an empty answer",
  315: ({ key, path, name }: { readonly key: string; readonly path: string; readonly name: string }) =>
    `"${name}" of ${key}${path === "" ? "" : ` at ${path}`} is text, and its default is a Date: write ` +
    `static schema = { ${name}: Date }`,
};
