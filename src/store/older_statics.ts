import { type Said, said, sentenceOf } from "../errors/texts.ts";
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
 * Tells of a class that has statics of an older line.
 *
 * @param entity The class.
 * @param warn Says it to the developer, once for what it is about.
 */
export function warnOfOlderStatics(
  entity: AnyEntity & { readonly name?: string },
  warn: (about: string, message: Said) => void,
): void {
  const older = Object.entries(INSTEAD).filter(([name]) => name in entity);
  if (older.length === 0) return;
  const message = said(305, { name: entity.name, older });
  // A class that is evaluated anew is not told of again.
  warn(sentenceOf(message), message);
}
