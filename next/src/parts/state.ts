import type { Controller } from "../controller/controller.ts";
import type { Part } from "../controller/part.ts";

/** A store as plain data, for JSON. */
export interface State {
  /** By table: pk, record, expiresAt. */
  readonly tables: { readonly [key: string]: readonly (readonly [string, any, number])[] };
  /** Key, normalized reply, expiresAt. */
  readonly answers: readonly (readonly [string, any, number])[];
}

// JSON has no Infinity.
const toJson = (expiresAt: number): any => expiresAt === Infinity ? "never" : expiresAt;
const fromJson = (expiresAt: any): number => expiresAt === "never" ? Infinity : expiresAt;

/** The whole store as plain data: records and answers, without what is pending. */
export function stateOf({ store }: Controller): State {
  const tables: any = {}, answers: any[] = [];
  for (const [key, { rows }] of store.tables) {
    tables[key] = Array.from(rows.values(), ({ pk, rec, expiresAt }) => [pk, rec, toJson(expiresAt)]).filter((
      [, rec],
    ) => rec);
  }
  for (const { key, kept, expiresAt, has } of store.answers()) if (has) answers.push([key, kept, toJson(expiresAt)]);
  return { tables, answers };
}

/** A part: the store begins with a state. */
export function hydrate({ tables, answers }: State): Part {
  const early = new Map(answers.map(([key, ...rest]) => [key, rest]));
  return {
    install({ store }: Controller) {
      for (const key of Object.keys(tables)) {
        const table = store.table(key);
        table.isKnown = true;
        for (const [pk, rec, expiresAt] of tables[key]!) {
          Object.assign(table.row(pk), { rec, expiresAt: fromJson(expiresAt), age: store.age });
        }
      }
    },
    // The first schema that is read by a key is taken for that of the reply.
    answer(answer) {
      const [kept, expiresAt] = early.get(answer.key) ?? [];
      if (!early.delete(answer.key)) return;
      Object.assign(answer, { has: true, kept, expiresAt: fromJson(expiresAt) });
      answer.pages.set("", kept);
    },
    reset: () => early.clear(),
  };
}
