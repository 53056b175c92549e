import { clock, pageArrival } from "../deps/clock.ts";
import { reasonOf } from "../errors/reason.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { said } from "../errors/texts.ts";
import { isRecord, isTexts } from "../parts/state/damage.ts";
import { fromPlain, type StepData } from "../parts/recording/plain_json.ts";
import { type EndpointMeta, type State, VERSION } from "../parts/state/state.ts";
import { STATE_ID, STATE_VERSION, type Written } from "./_written.ts";

/**
 * What a server has put into the page by `renderPage` or `stateScript`, for `hydrate`. It is as
 * fresh as it was there, whatever the clocks of the two say.
 *
 * @param id The id of the element. Default: `rejoin-state`.
 * @returns The data; `undefined` where there is none, or none that can be read, which is a warning.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { hydrate, type State } from "@rejoin/data";
 * import { DataProvider } from "@rejoin/data/preact";
 * import { readState } from "@rejoin/data/ssr";
 * import { hydrate as takeOver } from "preact";
 *
 * function App({ state }: { state?: Partial<State> | undefined }) {
 *   return <DataProvider use={[hydrate(state)]}>Hello</DataProvider>;
 * }
 * if (typeof document !== "undefined") takeOver(<App state={readState()} />, document.body);
 * assert(typeof readState === "function");
 * ```
 */
export function readState(id: string = STATE_ID): Partial<State> | undefined {
  let state: Table | undefined;
  let element: HTMLElement | null;
  for (let count = 1; (element = document.getElementById(count === 1 ? id : `${id}-${count}`)) !== null; count++) {
    try {
      state = merged(state, JSON.parse(element.textContent!) as Written);
    } catch (error) {
      console.warn(`The data in #${element.id} is not used: ${reasonOf(error)}`);
    }
  }
  return state as Partial<State> | undefined;
}

type Table = { [name: string]: unknown };

/** Puts one value into the table in which it belongs. */
type Put = (table: Table, name: string, plain: StepData) => void;

/** One more element: what is new in it since the one before. Nothing of it is looked at: `hydrate` leaves out what is damaged. */
function merged(before: Table | undefined, { version, at, state }: Written): Table {
  if (version !== STATE_VERSION) throw new RejoinError(said(665, { version, known: STATE_VERSION }));
  if (!Number.isFinite(at)) throw new Error("nobody knows when it was written");
  const now = clock.now();
  // It was written when the page came. What has passed since is age.
  const by = now - Math.max(0, clock.monotonic() - (pageArrival() ?? Infinity)) - at;
  const { late, lastReset } = state;
  const to: Table = { version: VERSION, optimistic: [], lastReset: 0, ...before };
  if (typeof lastReset === "number") to.lastReset = lastReset;
  if (Array.isArray(late)) to.late = late;
  const shift: Put = (known, name, meta) => known[name] = shifted(meta, by, now);
  const part = (name: string, depth: number, put: Put) => {
    if (state[name] !== undefined) fill(to, name, state[name], depth, put);
  };
  part("entitiesMeta", 2, shift);
  part("entities", 2, (known, pk, plain) => {
    // It was deleted since it was written first.
    if (plain === null) delete known[pk];
    else known[pk] = revived(plain);
  });
  part("meta", 1, shift);
  part("endpoints", 1, (known, key, plain) => {
    known[key] = revived(plain);
    // An answer may be of any form: what could not be revived is told by its meta.
    if (known[key] === BROKEN) fill(to, "meta", { [key]: null }, 1, (meta) => meta[key] = BROKEN);
  });
  part("order", 1, (known, key, pks) => {
    known[key] = isTexts(pks) ? [...known[key] as string[] ?? [], ...pks] : pks;
  });
  return to;
}

/** Puts values into a table, or into the tables in it: as deep as they are. What is no table comes as it is. */
function fill(to: Table, name: string, from: StepData, depth: number, put: Put): void {
  if (depth === 0) put(to, name, from);
  else if (!isRecord(from)) to[name] ??= from;
  else {
    // Names are of the server: one may be `__proto__`.
    const known = to[name] ??= Object.create(null);
    for (const [own, value] of Object.entries(from)) fill(known as Table, own, value as StepData, depth - 1, put);
  }
}

/** Stands where something could not be read: it has the form of nothing. */
const BROKEN = Symbol();

function revived(plain: StepData): unknown {
  try {
    return fromPlain(plain);
  } catch {
    return BROKEN;
  }
}

/** As long as a slow device may take from here until the page is hydrated, in ms. */
const HYDRATION = 10_000;

/** What was said by another clock. 0 is never, and `null` for ever. */
function shifted(given: StepData, by: number, now: number): EndpointMeta {
  const { fetchedAt, expiresAt, error } = (given ?? {}) as unknown as EndpointMeta;
  const until = expiresAt && expiresAt + by;
  // An error is kept for a second or so. What has failed on the server is not asked for again by the page that says so.
  const expiry = until && error !== undefined ? Math.max(until, now + HYDRATION) : until;
  return { ...given as object, fetchedAt: fetchedAt && fetchedAt + by, expiresAt: expiry } as EndpointMeta;
}
