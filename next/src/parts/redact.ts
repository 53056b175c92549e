import { isPlain } from "../plain/equal.ts";
import type { Store } from "../store/store.ts";

/** The members that never leave the process: those in `static redact` of the classes that a store has met. */
export function redactedNames(store: Store): ReadonlySet<string> {
  const classes = Array.from(store.plans.values(), ({ E }) => E as { readonly redact?: readonly string[] }); // the store does not know of secrets
  return new Set(classes.flatMap(({ redact = [] }) => redact));
}

/** A value without members of these names, at any depth; itself where it has none. */
export function withoutMembers<T>(value: T, names: ReadonlySet<string>): T {
  if (!names.size || !isPlain(value)) return value;
  let isOther = false;
  const entries = Object.entries(value as object).flatMap(([name, member]) => { // isPlain says so
    const kept = withoutMembers(member, names), isSecret = names.has(name);
    isOther ||= isSecret || kept !== member;
    return isSecret ? [] : [[name, kept]];
  });
  if (!isOther) return value;
  return (Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries)) as T; // of the same form
}
