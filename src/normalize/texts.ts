import { cureOf, describe } from "../schemas/describe.ts";
import type { RecordOwner } from "../schemas/interface.ts";

/** What errors of a response say. */
export const NORMALIZE_TEXTS = {
  201: ({ value, isRoot }: { readonly value: unknown; readonly isRoot: boolean }) =>
    `expected an object, got ${describe(value)}${
      isRoot && Array.isArray(value) ? ". For a list write schema: [ … ]" : ""
    }`,
  202: ({ value }: { readonly value: unknown }) =>
    `nothing to delete: expected a pk, or an object with one, got ${describe(value)}`,
  203: ({ pk, owner }: { readonly pk: string; readonly owner: RecordOwner | undefined }) => {
    const where = owner === undefined
      ? ""
      : `, one in "${owner.member}" of "${owner.entity.key}" ${owner.pk}`.trimEnd();
    return `two lists of one response have the arguments ${pk}${where}, and other items: give one of them a \`key\`, ` +
      "an `argsKey` or a `nestKey` of its own";
  },
  204: ({ value }: { readonly value: unknown }) => `expected an object or a pk, got ${describe(value)}`,
  205: ({ value }: { readonly value: unknown }) =>
    `process() returned ${describe(value)}; return an object or undefined`,
  206: ({ value }: { readonly value: unknown }) => `pk() returned ${describe(value)}; return a string or a number`,
  207: ({ value }: { readonly value: unknown }) =>
    `it has none of these members; it is ${describe(value)}${cureOf(value, true)}`,
  208: ({ path }: { readonly path: string }) =>
    `The schema of ${path === "" ? "an array" : `the array at ${path}`} is [undefined]: the class is probably not ` +
    "defined yet, where modules import each other. Make the endpoint after the class, or write new schema.Array() " +
    "and give it the class later, by define()",
  209: ({ value }: { readonly value: unknown }) => `merge() returned ${describe(value)}; return an object`,
};
