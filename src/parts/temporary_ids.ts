import type { Flight, Part } from "../controller/part.ts";
import { UsageError } from "../errors/mod.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import type { Value } from "../plain/value.ts";
import { firstPks, markRow } from "../store/row.ts";
import type { EntityClass, EntityPrototype } from "../store/schema.ts";

/**
 * A part that gives the record of an optimistic create a temporary id, `~…`, until the server's reply has the pk. The
 * row then has both names. A request that names a temporary id is sent when its create was answered, with the server's
 * pk; if the create fails, the request rejects with the same error. `resource()` adds this part.
 */
export function temporaryIds(): Part {
  const token = `~${Math.random().toString(36).slice(2, 8)}.`,
    // By temporary id: the flight of the create, and after its reply the server's pk.
    known = new Map<string, Flight | string>();
  let count = 0;
  return {
    start(flight) {
      flight.temporaryId = () => {
        known.set(flight.temporary ??= token + ++count, flight);
        return flight.temporary;
      };
    },
    async send(flight, next) {
      for (;;) {
        let missing: string | undefined;
        const actual = (one: Value): Value => {
          // An instance of the temporary record is replaced by a copy that has the server's pk.
          if (typeof one?.pk == "function" && `${one.pk()}`.startsWith(token)) {
            return Object.setPrototypeOf(copyPlain({ ...one }, actual), Object.getPrototypeOf(one));
          }
          const pk = known.get(one);
          if (typeof pk == "string") return pk;
          if (typeof one == "string" && one.startsWith(token)) missing = one;
          return one;
        };
        flight.args = copyPlain(flight.args, actual);
        if (!missing) return next();
        const create = known.get(missing);
        if (!create) throw new UsageError(506, [missing]);
        await (create as Flight).promise; // it is no pk, so it is the flight
      }
    },
    settle: ({ temporary }) => void known.delete(temporary!),
    commit({ options: { flight, sent }, roots, told }) {
      const temporary = flight?.temporary, [row, other] = roots.filter(({ table }) => table.rows.has(temporary!));
      // A reply that is the whole list does not say which of its records was created.
      if (!temporary || !row || (!sent && other)) return;
      const { rows } = row.table, before = rows.get(temporary);
      known.set(temporary, row.pk);
      // The app may also use this part itself: then the other one has done this already.
      if (before === row) return;
      rows.set(temporary, row);
      row.temporaryPk = temporary;
      markRow(row, told);
      if (!before) return;
      markRow(before, told);
      // Pending mutations of the temporary record continue on the server's row.
      for (const layer of before.layers ?? []) {
        const { patches } = layer, patch = patches.get(before);
        patches.set(row, patch);
        patches.delete(before);
        (row.layers ??= []).push(layer);
      }
    },
  };
}

/**
 * Whether an entity is shown by an optimistic create that the server has not answered yet. Its pk is then a temporary
 * id.
 *
 * @param entity An entity that was read.
 * @returns `true` while its pk is a temporary id.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, isTemporary } from "@rejoin/data";
 *
 * class Film extends Entity {
 *   id = "";
 *   static key = "Film";
 * }
 * assert(!isTemporary(Film.fromJS({ id: "5" })));
 * ```
 */
export const isTemporary = (entity: EntityPrototype): boolean => /^~\w+\.\d+$/.test(`${entity.pk()}`);

/**
 * A JSX key for an entity, `key={keyOf(film)}`. It stays the same when the server's pk replaces a temporary id, so that
 * the element keeps its state and focus.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, keyOf } from "@rejoin/data";
 *
 * class Film extends Entity {
 *   id = "";
 *   static key = "Film";
 * }
 * assert(keyOf(Film.fromJS({ id: "5" })) === "Film 5");
 * ```
 *
 * @param entity An entity that was read.
 * @returns The key of the table, and the pk that the record was first shown with.
 */
export function keyOf(entity: EntityPrototype): string {
  const { key } = entity.constructor as EntityClass; // the class of the instance
  return `${key} ${firstPks.get(entity) ?? entity.pk()}`;
}
