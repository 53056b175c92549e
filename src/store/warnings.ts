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

/** Tells the developer what is odd about an entity that came: its pk, or a date. */
export function warnOfRecord(
  store: Contents,
  plan: Plan,
  pk: unknown,
  members: object | undefined,
  path: () => string,
): void {
  warnOfRounded(store, plan, pk, members, path);
  if (members !== undefined) warnOfTextDates(store, plan, members, path);
}

/** A pk was a number which JSON has no room for: those of several records may be the same. */
function warnOfRounded(
  store: Contents,
  { key }: Plan,
  pk: unknown,
  members: object | undefined,
  path: () => string,
): void {
  if (!isRounded(pk, members)) return;
  store.warnOnce(
    `rounded pk of ${key}`,
    () => said(306, { key, path: path(), pk }),
  );
}

/** A date reads as text, because no schema makes a `Date` of it. */
function warnOfTextDates(store: Contents, { entity, key, fields }: Plan, members: object, path: () => string): void {
  for (const [name, value] of Object.entries(entity.defaults)) {
    if (!(value instanceof Date) || fields.byName.has(name)) continue;
    if (typeof (members as { readonly [name: string]: unknown })[name] !== "string") continue;
    store.warnOnce(`date ${name} of ${key}`, () => said(315, { key, path: path(), name }));
  }
}

/** A text is rounded when it was made of such a number among the members. */
function isRounded(pk: unknown, members: object = {}): boolean {
  const number = Number(pk);
  if (!(Math.abs(number) > Number.MAX_SAFE_INTEGER)) return false;
  return typeof pk === "number" || (typeof pk === "string" && Object.values(members).includes(number));
}
