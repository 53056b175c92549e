import type { EntityRecord, Plan } from "../schemas/plan.ts";
import { indexKeys } from "./index_keys.ts";
import { makeDirty, type RecordSlot, type ViewNode } from "./node.ts";

/** A view of the records that have one value. */
interface Bucket extends ViewNode {
  /** Others are in it. */
  restart(): void;
}

/** Where records are: see `RecordSource`. */
interface Source {
  slot(plan: Plan, pk: string): RecordSlot;
  pks(plan: Plan): readonly string[] | undefined;
}

/**
 * The records of a table by the value of one member, as readers see them, in order of arrival. It is made by looking at
 * all of them when it is asked, and again where one that was there has another value.
 */
export class TableIndex {
  readonly #source: Source;
  readonly #plan: Plan;
  readonly #member: string;
  /** The pks by value; `undefined`: to be looked for. */
  found: Map<string, string[]> | undefined;
  readonly #views = new Map<string, Set<Bucket>>();

  constructor(source: Source, plan: Plan, member: string) {
    this.#source = source;
    this.#plan = plan;
    this.#member = member;
  }

  /** The slots of those that have a value. */
  slots(value: string): readonly RecordSlot[] {
    return this.pks(value).map((pk) => this.#source.slot(this.#plan, pk));
  }

  /** Their pks. */
  pks(value: string): readonly string[] {
    return (this.found ??= this.#find()).get(value) ?? [];
  }

  /** Somebody has a view. */
  get isObserved(): boolean {
    return this.#views.size > 0;
  }

  /** From now on the view is made dirty when other records have the value. */
  observe(value: string, view: Bucket): void {
    const views = this.#views.get(value);
    if (views === undefined) this.#views.set(value, new Set([view]));
    else views.add(view);
  }

  /** The view need not be made dirty any more. */
  forget(value: string, view: Bucket): void {
    const views = this.#views.get(value);
    if (views?.delete(view) && views.size === 0) this.#views.delete(value);
  }

  /** A record was replaced or went; `arrives`: it is the last of its table from now on. */
  changed(
    pk: string,
    before: EntityRecord | undefined,
    after: EntityRecord | undefined,
    arrives: boolean,
    turned: ViewNode[],
  ): void {
    const one = before?.[this.#member];
    const two = after?.[this.#member];
    if (one === two) return;
    const left = indexKeys(one);
    const joined = indexKeys(two);
    for (const key of left) {
      if (joined.includes(key)) continue;
      const pks = this.found?.get(key)?.filter((other) => other !== pk) ?? [];
      if (pks.length > 0) this.found!.set(key, pks);
      else this.found?.delete(key);
      this.#turn(key, turned);
    }
    for (const key of joined) {
      if (left.includes(key)) continue;
      // Where it stands among those that are there already, only the table tells.
      if (!arrives) this.found = undefined;
      else if (this.found !== undefined) add(this.found, key, pk);
      this.#turn(key, turned);
    }
  }

  /** The records are others, or in another order, or the table became known, or is not any more. */
  restart(turned: ViewNode[]): void {
    this.found = undefined;
    for (const key of this.#views.keys()) this.#turn(key, turned);
  }

  #turn(key: string, turned: ViewNode[]): void {
    for (const view of this.#views.get(key) ?? []) {
      view.restart();
      makeDirty(view, turned);
    }
  }

  #find(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const pk of this.#source.pks(this.#plan) ?? []) {
      const { rec } = this.#source.slot(this.#plan, pk);
      for (const key of indexKeys(rec?.[this.#member])) add(found, key, pk);
    }
    return found;
  }
}

function add(found: Map<string, string[]>, key: string, pk: string): void {
  const pks = found.get(key);
  if (pks === undefined) found.set(key, [pk]);
  else pks.push(pk);
}
