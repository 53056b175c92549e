import type { AnyEntity, AnySchema } from "../schemas/interface.ts";
import { classesOf, subjectsIn } from "../schemas/subjects.ts";
import { isListOf } from "./lists_of.ts";
import type { Store } from "./store.ts";
import type { Slot } from "./slot.ts";

/** The slots of the records that the arguments of a mutation name. */
export function slotsNamed(store: Store, schema: AnySchema, args: readonly unknown[]): readonly Slot[] {
  return classesIn(schema).flatMap((entity) => {
    const plan = store.graph.planOf(entity);
    for (const [at, arg] of args.entries()) {
      // The body of a list's verb may name it as well as the parameters; that of a call for many, each of several.
      const slots = (Array.isArray(arg) ? arg : [arg]).flatMap((one) => {
        const pk = at === 0 || typeof one === "object" ? store.graph.pkOf(plan, [one]) : undefined;
        return pk === undefined ? [] : [store.tables.slot(plan, pk)];
      });
      if (slots.length > 0) return slots;
    }
    return [];
  });
}

/**
 * The lists of what a mutation is about: the slots of collections, and the keys of answers that have rows of it.
 *
 * @param isReading Whether the answer of a key is on its way.
 */
export function listsOf(
  store: Store,
  schema: AnySchema,
  isReading: (key: string) => boolean,
): { readonly rows: Slot[]; readonly keys: string[] } {
  const classes = classesIn(schema);
  if (classes.length === 0) return { rows: [], keys: [] };
  const isOf = (one: AnySchema) => classes.some(({ key }) => isListOf(one, key));
  const tables = [...store.tables.byKey.values()];
  const ofRows = tables.filter(({ plans }) => plans.some(({ rows }) => rows && isOf([rows.item] as AnySchema)));
  // Of hydrated ones nobody knows what they are.
  const entries = [...store.entries.all()].filter(({ shape }) => shape === undefined || isOf(shape.schema));
  // What nobody has read, or asks for, is not shown.
  const views = [...store.responses(() => true)].filter((view) =>
    !view.isQuery && (view.isRead || isReading(view.key)) && isOf(view.endpoint.schema)
  );
  return {
    rows: ofRows.flatMap(({ slots }) => [...slots.values()]),
    keys: [...entries, ...views].map(({ key }) => key),
  };
}

/** The classes that a mutation is about: also those of records that its reply has in an envelope. */
function classesIn(schema: AnySchema): readonly AnyEntity[] {
  return subjectsIn(schema).flatMap(({ of }) => classesOf(of));
}
