import type { Layer } from "../../store/layer.ts";
import type { Patch } from "../../store/patch.ts";
import type { NamedPk } from "./with_texts.ts";

/**
 * The server's pks of what a mutation showed under temporary ids: what it showed and what its reply became have the same
 * form. As the records have them: what the server keeps as a number is sent as one.
 *
 * @param patch Has written the reply.
 */
export function pksGiven(patch: Patch, { temporary: { ids, shown } }: Layer): ReadonlyMap<string, NamedPk> {
  const pks = new Map<string, NamedPk>();
  const stack: [shown: unknown, result: unknown][] = [[shown, patch.result]];
  while (stack.length > 0 && pks.size < ids.length) {
    const [one, two] = stack.pop()!;
    if (typeof one === "string") {
      if (ids.includes(one) && typeof two === "string" && two !== "" && two !== one) {
        pks.set(one, rawPk(patch, one, two));
      }
    } else if (typeof one === "object" && one !== null && typeof two === "object" && two !== null) {
      for (const [name, member] of Object.entries(one)) {
        if (Object.hasOwn(two, name)) stack.push([member, (two as Record<string, unknown>)[name]]);
      }
    }
  }
  return pks;
}

function rawPk(patch: Patch, id: string, pk: string): NamedPk {
  for (const { slots, plans: [plan] } of patch.store.tables.byKey.values()) {
    const record = slots.has(id) && plan !== undefined ? patch.recordOf(plan, pk) : undefined;
    const raw = record && plan!.entity.pk({ ...record }, undefined, undefined, []);
    if ((typeof raw === "number" || typeof raw === "bigint") && String(raw) === pk) return raw;
  }
  return pk;
}
