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
    creating = new Map<string, Flight>(),
    pks = new Map<string, string>();
  let count = 0;
  /** A value with the server's pks; `found` gets the temporary ids that are still pending. */
  const real = (value: Value, found: string[]): Value => {
    if (typeof value == "string" && value.startsWith(token)) {
      if (!pks.has(value)) found.push(value);
      return pks.get(value) ?? value;
    }
    if (Array.isArray(value)) return value.map((one) => real(one, found));
    return isPlain(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, real(one, found)]))
      : value;
  };
  return {
    start(flight) {
      flight.temporaryId = () => {
        flight.temporary ??= token + ++count;
        creating.set(flight.temporary, flight);
        return flight.temporary;
      };
    },
    async send(flight, next) {
      for (;;) {
        const found: string[] = [];
        flight.args = real(flight.args, found);
        if (!found.length) return next();
        for (const id of found) {
          const create = creating.get(id);
          if (!create) throw new UsageError(506, [id]);
          await create.promise;
        }
      }
    },
    commit({ options: { flight }, roots: [row], told }) {
      const temporary = flight?.temporary;
      if (!temporary || !row) return;
      const { rows } = row.table, before = rows.get(temporary);
      // An app may use the part that its resources bring, too.
      if (before === row) return;
      rows.set(temporary, row);
      pks.set(temporary, row.pk);
      row.temporaryPk = temporary;
      // Changes of the new record that are pending go on with it.
      for (const layer of before?.layers ?? []) {
        layer.patches.set(row, layer.patches.get(before!));
        layer.patches.delete(before!);
        (row.layers ??= []).push(layer);
        delete layer.patches.get(row)?.id;
      }
      markRow(row, told);
      if (before) markRow(before, told);
    },
    settle: (flight) => void creating.delete(flight.temporary!),
  };
}
