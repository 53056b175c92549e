import type { Flight, Part } from "../controller/part.ts";
import { UsageError } from "../errors/mod.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import type { Value } from "../plain/value.ts";
import { firstPks, markRow } from "../store/row.ts";
import type { EntityClass, EntityPrototype } from "../store/schema.ts";

/**
 * A part: what an optimistic create shows has a temporary id, `~…`. When it is answered, the id becomes another name of the
 * server's row. A request that names a pending one waits for it. The resources of `resource()` bring it.
 */
export function temporaryIds(): Part {
  const token = `~${Math.random().toString(36).slice(2, 8)}.`,
    // What is being created, and then the server's pk.
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
          // An object of the record that is being created: the same with the other pk.
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
        await (create as Flight).promise; // no pk yet: the flight that creates it
      }
    },
    settle: ({ temporary }) => void known.delete(temporary!),
    commit({ options: { flight }, roots: [row], told }) {
      const temporary = flight?.temporary;
      if (!temporary || !row) return;
      const { rows } = row.table, before = rows.get(temporary);
      known.set(temporary, row.pk);
      // An app may use the part that its resources bring, too.
      if (before === row) return;
      rows.set(temporary, row);
      row.temporaryPk = temporary;
      markRow(row, told);
      if (!before) return;
      markRow(before, told);
      // Changes of the new record that are pending go on with it.
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
 * Whether an entity is shown by an optimistic create that the server has not answered: its pk is a temporary id.
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
 * A key for the row of an entity in JSX, `key={keyOf(film)}`: it stays the same when the server names what an optimistic
 * create shows, so that the row keeps its focus and its state.
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
 * @returns Table and pk.
 */
export function keyOf(entity: EntityPrototype): string {
  const { key } = entity.constructor as EntityClass; // what made it
  return `${key} ${firstPks.get(entity) ?? entity.pk()}`;
}
