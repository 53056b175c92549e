import type { AnyEntity } from "../schemas/interface.ts";

/** Statics of an older line that do nothing here, and what does it. */
const INSTEAD: Readonly<Record<string, string>> = {
  useIncoming: "shouldUpdate()",
  mergeWithStore: "shouldUpdate() and merge()",
  expiresAt: "dataExpiryLength of the endpoint",
  infer: "queryKey()",
  automaticValidation: "validate()",
};

/**
 * What to say of a class that has statics of an older line.
 *
 * @param entity The class.
 * @returns A sentence, or `undefined`.
 */
export function olderStaticsOf(entity: AnyEntity & { readonly name?: string }): string | undefined {
  const found = Object.keys(INSTEAD).filter((name) => name in entity);
  return found.length === 0
    ? undefined
    : found.map((name) => `static ${name} of "${entity.name}" does nothing here: write ${INSTEAD[name]}`).join("; ");
}
