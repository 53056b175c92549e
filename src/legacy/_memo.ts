import { onceFor } from "../schemas/once_for.ts";

const once = /* @__PURE__ */ onceFor<unknown>();

/** What was made for a class under a name. A subclass has its own; with the class it goes. */
export function memoOf<T>(owner: object, name: string, make: () => T): T {
  return once(owner, name, make) as T;
}
