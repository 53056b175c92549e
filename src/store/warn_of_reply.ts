import type { MutationReply } from "../endpoint/interface.ts";
import { type AnySchema, isSchemaObject } from "../schemas/interface.ts";
import type { Store } from "./store.ts";

/** Tells the developer what a mutation's reply leaves open; once for each endpoint. */
export function warnOfReply(store: Store, name: string, { warning, warnsReadersOf }: MutationReply): void {
  if (warning === undefined || (warnsReadersOf !== undefined && !hasReaders(store, warnsReadersOf))) return;
  store.warnOnce(`reply of ${name}`, warning);
}

/** Whether somebody watches a plain list among the answers of an endpoint. */
function hasReaders(store: Store, test: { testKey(key: string): boolean }): boolean {
  for (const { endpoint: { schema }, watchers } of store.responses((key) => test.testKey(key))) {
    if (watchers !== undefined && holdsArray(schema)) return true;
  }
  return false;
}

function holdsArray(schema: AnySchema): boolean {
  if (Array.isArray(schema)) return true;
  return typeof schema === "object" && schema !== null && !isSchemaObject(schema) &&
    Object.values(schema).some((member) => Array.isArray(member));
}
