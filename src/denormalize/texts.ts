/** What errors and warnings of reads say. */
export const DENORMALIZE_TEXTS = {
  210: ({ key, instance }: { readonly key: string; readonly instance: unknown }) =>
    `createIfValid() of "${key}" gave ${instance === undefined ? "nothing" : "the same object again"} for a record ` +
    "that it had accepted: it must be pure, and make a new object each time",
  211: (
    { needed, key, reference }: { readonly needed: string; readonly key: string; readonly reference: unknown },
  ) =>
    `"${needed}" is required, but ${key} "${reference}" is not there; where it may be missing, write ` +
    `${needed}: ${key} | undefined = undefined`,
  212: ({ needed, problem }: { readonly needed: string; readonly problem: unknown }) =>
    `"${needed}" is required, but it is refused: ${String(problem)}`,
  213: (
    { name, holder, pk, key, reference, className }: {
      readonly name: string;
      readonly holder: string;
      readonly pk: string | undefined;
      readonly key: string;
      readonly reference: unknown;
      readonly className: string;
    },
  ) =>
    `"${name}" of ${holder} "${pk}" refers to ${key} "${reference}", which was ` +
    `never here, so it reads as undefined. Where it may be missing, write ${name}: ${className} | undefined = undefined`,
  214: (
    { entity, pk, path, reason }: {
      readonly entity: string;
      readonly pk: string;
      readonly path: string;
      readonly reason: unknown;
    },
  ) =>
    `The response does not satisfy "${entity}"${path === "" ? "" : ` at ${path}`} (pk "${pk}"): ${
      typeof reason === "string" ? reason : "validate() refused it"
    }. Declare a class with fewer requirements for this endpoint, or let the server send what is missing.`,
};
