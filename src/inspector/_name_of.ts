import type { Controller } from "../controller/controller.ts";
import { redactedInAll } from "../parts/secrets/redacted_by.ts";
import { redactText } from "../parts/secrets/redact_text.ts";
import { keyText } from "./_text.ts";

/** What tells the second answer of a key from the first, and the third: they have other shapes. */
export const SHAPE = " · shape ";

/** The key of a request, the key of a table or a pk, for people: without what a class redacts. */
export function nameOf({ store }: Controller, text: string): string {
  const [key] = text.split(SHAPE) as [string];
  const calls = [...store.responsesByKey.get(key) ?? [], ...store.entries.of(key)];
  return redactText(keyText(text), redactedInAll(store), calls.map(({ args }) => args));
}
