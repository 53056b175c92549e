import type { Controller } from "../controller/controller.ts";
import type { State, StateMeta } from "../parts/state/form.ts";
import { describeState } from "../parts/state/state.ts";
import type { Moment } from "./_ledger.ts";

type Tables = Record<string, Record<string, unknown>>;

/**
 * What a store showed after a commit, with what pending mutations showed, made of what has changed since. Nothing of it
 * counts as stale. What is gone since stands behind what is there.
 *
 * @param controller Whose store.
 * @param moments Its commits, the oldest first.
 * @param at Which of them.
 */
export function stateAt(controller: Controller, moments: readonly Moment[], at: number): State {
  const past = new Past(describeState(controller.store));
  for (let later = moments.length - 1; later > at; later--) past.undo(moments[later]!);
  for (const { key, pk, record } of moments[at]?.shown ?? []) past.put(key, pk, record);
  return past.state;
}

/** A state on its way back. Tables are copied when they are first changed. */
class Past {
  #entities!: Tables;
  #endpoints!: Record<string, unknown>;
  #order!: Record<string, readonly string[]>;
  #lastReset = 0;
  #own = new Set<string>();

  constructor(state: State) {
    this.#begin(state);
  }

  get state(): State {
    const fresh: StateMeta = { fetchedAt: 0, expiresAt: null };
    const all = (names: object) => copy(Object.fromEntries(Object.keys(names).map((name) => [name, fresh])));
    const entitiesMeta: Record<string, Record<string, StateMeta>> = Object.create(null);
    const order: Record<string, readonly string[]> = Object.create(null);
    for (const [key, records] of Object.entries(this.#entities)) {
      entitiesMeta[key] = all(records);
      const known = this.#order[key];
      if (known !== undefined) order[key] = known.filter((pk) => Object.hasOwn(records, pk));
    }
    return {
      entities: this.#entities as State["entities"],
      endpoints: this.#endpoints,
      meta: all(this.#endpoints),
      entitiesMeta,
      optimistic: [],
      lastReset: this.#lastReset,
      order,
    };
  }

  /** Goes back over one commit. */
  undo({ patch, before }: Moment): void {
    if (before !== undefined) return this.#begin(before);
    for (const { key, pk, before } of patch.records) this.put(key, pk, before);
    for (const { key, before } of patch.endpoints) {
      if (before === undefined) delete this.#endpoints[key];
      else this.#endpoints[key] = before;
    }
  }

  put(key: string, pk: string, record: unknown): void {
    if (!this.#own.has(key)) {
      this.#own.add(key);
      this.#entities[key] = copy(this.#entities[key] ?? {});
    }
    if (record === undefined) delete this.#entities[key]![pk];
    else this.#entities[key]![pk] = record;
  }

  #begin({ entities, endpoints, order, lastReset }: State): void {
    this.#entities = copy(entities) as Tables;
    this.#endpoints = copy(endpoints);
    this.#order = { ...order };
    this.#lastReset = lastReset;
    this.#own = new Set();
  }
}

/** Any text may be a pk. */
function copy<T extends object>(table: T): T {
  return Object.assign(Object.create(null), table);
}
