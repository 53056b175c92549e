import type { MutationReply } from "../endpoint/interface.ts";
import { said } from "../errors/texts.ts";
import { type AnySchema, isSchemaObject } from "../schemas/interface.ts";
import type { Plan } from "../schemas/plan.ts";
import type { Contents } from "./contents.ts";

/** Tells the developer of an entity that has no pk, so that nothing can ever find it. */
export function warnOfUnsaved(store: Contents, { entity, key }: Plan, path: () => string, input: object): void {
  store.warnOnce(entity, () => said(300, { key, path: path(), input }));
}

/** Tells the developer of an `update` that threw: it has changed nothing. */
export function warnOfUpdate(store: Contents, name: string, reason: unknown): void {
  store.warnOnce(`update of ${name}`, said(307, { name, reason }));
}

/** Tells the developer what a mutation's reply leaves open; once for each endpoint. */
export function warnOfReply(store: Contents, name: string, { warning, warnsReadersOf }: MutationReply): void {
  if (warning === undefined || (warnsReadersOf !== undefined && !hasReaders(store, warnsReadersOf))) return;
  store.warnOnce(`reply of ${name}`, warning);
}

/** Whether somebody watches a plain list among the answers of an endpoint. */
function hasReaders(store: Contents, test: { testKey(key: string): boolean }): boolean {
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
