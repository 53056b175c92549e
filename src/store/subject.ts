import { tried } from "../errors/report_error.ts";
import type { AnyEntity, AnySchema } from "../schemas/interface.ts";
import type { Plan } from "../schemas/plan.ts";
import { classesOf, subjectsIn } from "../schemas/subjects.ts";
import { isListOf } from "./lists_of.ts";
import type { Store } from "./store.ts";
import type { Slot, Table } from "./slot.ts";

/** A record, which may not be there. */
export type Named = readonly [plan: Plan, pk: string];

/** The records that the arguments of a mutation name. */
export function recordsOfCall(store: Store, schema: AnySchema, args: readonly unknown[]): readonly Named[] {
  return classesIn(schema).flatMap((entity) => {
    const plan = store.graph.planOf(entity);
    for (const [at, arg] of args.entries()) {
      // The body of a list's verb may name it as well as the parameters; that of a call for many, each of several.
      const each: readonly unknown[] = tried(() => Array.isArray(arg)) ? arg as unknown[] : [arg];
      const named = each.flatMap((one): Named[] => {
        const pk = at === 0 || typeof one === "object" ? store.graph.pkOf(plan, [one]) : undefined;
        return pk === undefined ? [] : [[plan, pk]];
      });
      if (named.length > 0) return named;
    }
    return [];
  });
}

/** Lists of some classes. */
interface Lists {
  /** Those of collections. */
  readonly tables: readonly Table[];
  /** The collections that are known. */
  readonly rows: readonly Slot[];
  /** The keys of answers. */
  readonly keys: readonly string[];
}

/** None. */
export const NO_LISTS: Lists = { tables: [], rows: [], keys: [] };

/**
 * The lists of what a mutation is about: collections, and answers that have rows of it.
 *
 * @param isReading Whether the answer of a key is on its way.
 */
export function listsOf(
  store: Store,
  schema: AnySchema,
  isReading: (key: string) => boolean,
): Lists {
  const classes = classesIn(schema);
  if (classes.length === 0) return NO_LISTS;
  const isOf = (one: AnySchema) => classes.some(({ key }) => isListOf(one, key));
  const tables = [...store.tables.byKey.values()]
    .filter(({ plans }) => plans.some(({ rows }) => rows && isOf([rows.item] as AnySchema)));
  // Of hydrated ones nobody knows what they are.
  const entries = [...store.entries.all()].filter(({ shape }) => shape === undefined || isOf(shape.schema));
  // What nobody has read, or asks for, is not shown.
  const views = [...store.responses(() => true)].filter((view) =>
    !view.isQuery && (view.isRead || isReading(view.key)) && isOf(view.endpoint.schema)
  );
  return {
    tables,
    rows: tables.flatMap(({ slots }) => [...slots.values()]),
    keys: [...entries, ...views].map(({ key }) => key),
  };
}

/** The classes that a mutation is about: also those of records that its reply has in an envelope. */
function classesIn(schema: AnySchema): readonly AnyEntity[] {
  return subjectsIn(schema).flatMap(({ of }) => classesOf(of));
}
