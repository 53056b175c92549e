import type { AnyEndpoint } from "../endpoint/interface.ts";
import type { Entry } from "./entry.ts";

/**
 * What the `update` of an endpoint makes of other answers. One that nobody has asked for, or that was invalidated, stays as
 * it is: nothing is known of the rest of it.
 *
 * @param endpoint Whose answer it is.
 * @param result What remains of that.
 * @param args The arguments of the call.
 * @param entriesOf The answers of a key.
 * @param resultOf What remains of one of these.
 * @returns New results by answer.
 */
export function updatesOf(
  endpoint: AnyEndpoint,
  result: unknown,
  args: readonly unknown[],
  entriesOf: (key: string) => readonly Entry[],
  resultOf: (entry: Entry) => unknown,
): Map<Entry, unknown> {
  const results = new Map<Entry, unknown>();
  const updates = endpoint.update?.(result, ...args) ?? {};
  for (const key of Object.keys(updates)) {
    for (const entry of entriesOf(key)) {
      if (entry.hasResult) results.set(entry, updates[key]!(resultOf(entry)));
    }
  }
  return results;
}
