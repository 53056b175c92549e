import type { Plan } from "../schemas/plan.ts";
import type { RecordSource } from "./graph.ts";
import { indexKeys } from "./index_keys.ts";
import { makeDirty, type RecordSlot, type ViewNode } from "./node.ts";
import type { RecordIndex, TableNode } from "./list_node.ts";

/** An index of records that rarely change, if ever: it is made by looking at all of them. */
export class ScanIndex implements RecordIndex {
  readonly #source: Pick<RecordSource, "slot" | "pks">;
  readonly #plan: Plan;
  readonly #member: string;
  /** Made when it is first asked. */
  #pks: Map<string, string[]> | undefined;
  readonly #views = new Set<TableNode>();

  constructor(source: Pick<RecordSource, "slot" | "pks">, plan: Plan, member: string) {
    this.#source = source;
    this.#plan = plan;
    this.#member = member;
  }

  slots(value: string): readonly RecordSlot[] {
    return this.pks(value).map((pk) => this.#source.slot(this.#plan, pk));
  }

  pks(value: string): string[] {
    return (this.#pks ??= this.#scan()).get(value) ?? [];
  }

  observe(_value: string, view: TableNode): void {
    this.#views.add(view);
  }

  forget(_value: string, view: TableNode): void {
    this.#views.delete(view);
  }

  /** The records are others: it is made again when it is next asked. */
  restart(turned: ViewNode[]): void {
    this.#pks = undefined;
    for (const view of this.#views) {
      view.restart();
      makeDirty(view, turned);
    }
  }

  #scan(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const pk of this.#source.pks(this.#plan) ?? []) {
      const { rec } = this.#source.slot(this.#plan, pk);
      for (const key of indexKeys(rec?.[this.#member])) {
        const pks = found.get(key);
        if (pks === undefined) found.set(key, [pk]);
        else pks.push(pk);
      }
    }
    return found;
  }
}
