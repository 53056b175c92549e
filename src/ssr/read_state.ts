import { clock } from "../deps/clock.ts";
import { reasonOf } from "../errors/reason.ts";
import { fromPlain, type StepData } from "../parts/recording/plain_json.ts";
import type { State, StateMeta } from "../parts/state/state.ts";
import { STATE_ID, STATE_VERSION } from "./state_script.ts";

/** What is in the element. */
interface Written {
  readonly version: number;
  /** When it was written, by the clock of the server. */
  readonly at: number;
  readonly state: StepData;
}

/**
 * What a server has put into the page by `renderPage` or `stateScript`, for `initialState` of `DataProvider`. It is as
 * fresh as it was there, whatever the clocks of the two say.
 *
 * @param id The id of the element. Default: `rejoin-state`.
 * @returns The data; `undefined` where there is none, or none that can be read, which is a warning.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { DataProvider } from "@rejoin/data/preact";
 * import { readState } from "@rejoin/data/ssr";
 * import { hydrate } from "preact";
 *
 * function App({ initialState }: { initialState?: ReturnType<typeof readState> }) {
 *   return <DataProvider initialState={initialState}>Hello</DataProvider>;
 * }
 * if (typeof document !== "undefined") hydrate(<App initialState={readState()} />, document.body);
 * assert(typeof readState === "function");
 * ```
 */
export function readState(id: string = STATE_ID): Partial<State> | undefined {
  const text = document.getElementById(id)?.textContent;
  if (text === undefined || text === null) return undefined;
  try {
    const { version, at, state } = JSON.parse(text) as Written;
    if (version !== STATE_VERSION) throw new Error(`its version is ${version}, not ${STATE_VERSION}`);
    if (!Number.isFinite(at)) throw new Error("nobody knows when it was written");
    return shifted(fromPlain(state) as State, clock.now() - at);
  } catch (error) {
    console.warn(`The data in #${id} is not used: ${reasonOf(error)}`);
    return undefined;
  }
}

/** What was said by another clock. */
function shifted({ meta, entitiesMeta, ...state }: State, by: number): State {
  return {
    ...state,
    meta: mapped(meta, (one) => shiftedMeta(one, by)),
    entitiesMeta: mapped(entitiesMeta, (table) => mapped(table, (one) => shiftedMeta(one, by))),
  };
}

/** 0 is never, and `null` for ever. */
function shiftedMeta<M extends StateMeta>(meta: M, by: number): M {
  const { fetchedAt, expiresAt } = meta;
  return { ...meta, fetchedAt: fetchedAt && fetchedAt + by, expiresAt: expiresAt && expiresAt + by };
}

function mapped<T, U>(table: { readonly [name: string]: T }, map: (value: T) => U): { readonly [name: string]: U } {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, map(value)]));
}
