import type { Controller } from "../controller/controller.ts";
import { clock } from "../deps/clock.ts";
import { said } from "../errors/texts.ts";
import { type StepData, toPlain } from "../parts/recording/plain_json.ts";
import type { State, StateMeta } from "../parts/state/form.ts";
import { stateOf } from "../parts/state/state_of.ts";
import { entriesHolding } from "../store/holders.ts";
import type { Slot } from "../store/slot.ts";
import { jsonText } from "./_json_text.ts";
import { STATE_VERSION } from "./_written.ts";

type Table<T> = { readonly [name: string]: T };

/** Writes what a controller knows as elements of HTML, each what is new since the one before. */
export class StateWriter {
  readonly #controller: Controller;
  readonly #id: string;
  readonly #nonce: string;
  /** By the clock of the server, when the page began to be sent. */
  readonly #at = clock.now();
  #before: Partial<State> = {};
  #count = 0;

  constructor(controller: Controller, id: string, nonce: string | undefined) {
    this.#controller = controller;
    this.#id = id;
    this.#nonce = nonceText(nonce);
  }

  /**
   * The next element; the empty text where nothing is new since the last one.
   *
   * @param late Which boundaries of the page wait, in their order: 1 or 0.
   */
  next(late: readonly number[] = []): string {
    const state = stateOf(this.#controller);
    const before = this.#before;
    if (this.#count > 0 && state === before && !late.includes(1)) return "";
    this.#before = state;
    const { entities, entitiesMeta, endpoints, meta, order } = state;
    const { store } = this.#controller;
    const lacking = new Set<Slot>();
    const stale = new Set<string>();
    const warn = (name: string, what: string) => store.warnOnce(`${what} in a page`, said(667, { name, what }));
    const newEntities = filtered(entities, before.entities, (table, old, key) => ({
      ...lost(old, table),
      ...plainTable(table, old, (pk, what) => {
        lacking.add(store.tables.byKey.get(key)!.slots.get(pk)!);
        warn(`${key} ${pk}`, what);
      }),
    }));
    const newEndpoints = plainTable(endpoints, before.endpoints, (key, what) => {
      stale.add(key);
      warn(key, what);
    });
    for (const { key } of lacking.size > 0 ? entriesHolding(store, lacking) : []) stale.add(key);
    const changed = {
      entities: newEntities,
      endpoints: newEndpoints,
      entitiesMeta: filtered(entitiesMeta, before.entitiesMeta, (table, old, key) => {
        const slots = store.tables.byKey.get(key)?.slots;
        return filtered(table, old, (one, other, pk) => newMeta(one, other, lacking.has(slots?.get(pk) as Slot)));
      }),
      meta: filtered(meta, before.meta, (one, other, key) => newMeta(one, other, stale.has(key))),
      // Those of the elements before have come before.
      ...order !== undefined && {
        order: filtered(order, {}, (pks, _, key) => {
          const old = before.order?.[key] && before.entities?.[key];
          return old === undefined ? pks : pks.filter((pk) => !Object.hasOwn(old, pk));
        }),
      },
      ...late.includes(1) && { late: late.slice(0, late.lastIndexOf(1) + 1) },
    };
    const data = { version: STATE_VERSION, at: this.#at, state: changed as unknown as StepData };
    // Without it nothing in the text can begin a tag or a comment.
    const text = jsonText(data as unknown as StepData).replaceAll("<", "\\u003c");
    const id = this.#count++ === 0 ? this.#id : `${this.#id}-${this.#count}`;
    return `<script type="application/json" id="${escaped(id)}"${this.#nonce}>${text}</script>`;
  }
}

/** The attribute; the empty text where there is no nonce. */
export function nonceText(nonce: string | undefined): string {
  return nonce === undefined ? "" : ` nonce="${escaped(nonce)}"`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** What is new in a table, each by itself in a form that JSON can carry. */
function plainTable(
  table: Table<unknown>,
  before: Table<unknown> | undefined,
  lost: (name: string, what: string) => void,
): Table<StepData> {
  return filtered(
    table,
    before,
    (value, old, name) => value === old ? undefined : toPlain(value, { lost: (what) => lost(name, what) }),
  );
}

/** The members of which a function gives something. */
function filtered<T, U>(
  table: Table<T>,
  before: Table<T> = {},
  map: (value: T, before: T | undefined, name: string) => U | undefined,
): Table<U> {
  const result: Record<string, U> = Object.create(null);
  for (const [name, value] of Object.entries(table)) {
    const mapped = map(value, Object.hasOwn(before, name) ? before[name] : undefined, name);
    if (mapped !== undefined) result[name] = mapped;
  }
  return result;
}

/** What the page lacks a part of is asked for again there. */
function newMeta<M extends StateMeta>(one: M, other: M | undefined, isLacking: boolean): M | undefined {
  const known = isLacking ? { ...one, expiresAt: 0 } : one;
  return JSON.stringify(known) === JSON.stringify(other) ? undefined : known;
}

/** Records that were deleted since: `undefined` stands for each. */
function lost(before: Table<unknown> = {}, table: Table<unknown>): Table<StepData> {
  return filtered(before, table, (_, now) => now === undefined ? toPlain(undefined) : undefined);
}
