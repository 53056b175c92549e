import type { Flight, Part } from "../controller/part.ts";
import { UsageError } from "../errors/mod.ts";
import { isPlain } from "../plain/equal.ts";
import type { Value } from "../plain/value.ts";
import { markRow } from "../store/node.ts";

/**
 * A part: what an optimistic create shows has a temporary id, `~…`. When it is answered, the id becomes another name of the
 * server's row. A request that names a pending one waits for it. The resources of `resource()` bring it.
 */
export function temporaryIds(): Part {
  const token = `~${Math.random().toString(36).slice(2, 8)}.`,
    // What is being created, and then the server's pk.
    known = new Map<string, Flight | string>();
  let count = 0;
  /** A value with the server's pks; `found` gets the temporary ids that have none. */
  const real = (value: Value, found: string[]): Value => {
    if (typeof value == "string" && value.startsWith(token)) {
      const pk = known.get(value);
      if (typeof pk == "string") return pk;
      found.push(value);
    }
    if (Array.isArray(value)) return value.map((one) => real(one, found));
    return isPlain(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, real(one, found)]))
      : value;
  };
  return {
    start(flight) {
      flight.temporaryId = () => {
        known.set(flight.temporary ??= token + ++count, flight);
        return flight.temporary;
      };
    },
    async send(flight, next) {
      for (;;) {
        const found: string[] = [];
        flight.args = real(flight.args, found);
        if (!found[0]) return next();
        const create = known.get(found[0]);
        if (!create) throw new UsageError(506, found);
        await (create as Flight).promise; // it has no pk
      }
    },
    settle: ({ temporary }) => void known.delete(temporary!),
    commit({ options: { flight }, roots: [row], told }) {
      const temporary = flight?.temporary;
      if (!temporary || !row) return;
      const { rows } = row.table, before = rows.get(temporary);
      // An app may use the part that its resources bring, too.
      if (before === row) return;
      rows.set(temporary, row);
      known.set(temporary, row.pk);
      row.temporaryPk = temporary;
      markRow(row, told);
      if (!before) return;
      markRow(before, told);
      // Changes of the new record that are pending go on with it.
      for (const layer of before.layers ?? []) {
        const { patches } = layer, patch = patches.get(before);
        delete patch?.id;
        patches.set(row, patch);
        patches.delete(before);
        (row.layers ??= []).push(layer);
      }
    },
  };
}
