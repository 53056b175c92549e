import { clock, pageArrival } from "../deps/clock.ts";
import { reasonOf } from "../errors/reason.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { said } from "../errors/texts.ts";
import { isRecord, isTexts } from "../parts/state/damage.ts";
import { fromPlain, type StepData } from "../parts/recording/plain_json.ts";
import { type EndpointMeta, type State, type StateMeta, VERSION } from "../parts/state/state.ts";
import type { EntityRecord } from "../schemas/plan.ts";
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
  let state: ReadState | undefined;
  let element: HTMLElement | null;
  for (let count = 1; (element = document.getElementById(count === 1 ? id : `${id}-${count}`)) !== null; count++) {
    try {
      state = merged(state, JSON.parse(element.textContent!) as Written);
    } catch (error) {
      console.warn(`The data in #${element.id} is not used: ${reasonOf(error)}`);
    }
  }
  return state;
}

type Table<T> = { [name: string]: T };

/** What is in the elements, put together. Nothing of it has been looked at: `hydrate` leaves out what is damaged. */
interface ReadState extends State {
  readonly entities: Table<Table<EntityRecord>>;
  readonly entitiesMeta: Table<Table<StateMeta>>;
  readonly endpoints: Table<unknown>;
  readonly meta: Table<EndpointMeta>;
  order?: Table<readonly string[]>;
  lastReset: number;
  late?: readonly number[];
}

/** One more element: what is new in it since the one before. */
function merged(before: ReadState | undefined, { version, at, state }: Written): ReadState {
  if (version !== STATE_VERSION) throw new RejoinError(said(665, { version, known: STATE_VERSION }));
  if (!Number.isFinite(at)) throw new Error("nobody knows when it was written");
  const { entities, entitiesMeta, endpoints, meta, order, lastReset, late } = state;
  const now = clock.now();
  // It was written when the page came. What has passed since is age.
  const by = now - Math.max(0, clock.monotonic() - (pageArrival() ?? Infinity)) - at;
  const to = before ?? {
    version: VERSION,
    entities: table(),
    entitiesMeta: table(),
    endpoints: table(),
    meta: table(),
    optimistic: [],
    lastReset: 0,
  };
  eachTable(entitiesMeta, to.entitiesMeta, (known, pk, one) => known[pk] = shifted(one, by, now));
  eachTable(entities, to.entities, (known, pk, plain) => {
    // It was deleted since it was written first.
    if (plain === null) delete known[pk];
    else known[pk] = revived(plain) as EntityRecord;
  });
  for (const [key, one] of membersOf(meta)) to.meta[key] = shifted(one, by, now);
  for (const [key, plain] of membersOf(endpoints)) {
    to.endpoints[key] = revived(plain);
    // An answer may be of any form: what could not be revived is told by its meta.
    if (to.endpoints[key] === BROKEN) to.meta[key] = BROKEN as never;
  }
  for (const [key, pks] of membersOf(order)) {
    const known = to.order ??= table();
    known[key] = isTexts(pks) ? [...known[key] ?? [], ...pks] : pks as never;
  }
  return Object.assign(to, typeof lastReset === "number" && { lastReset }, Array.isArray(late) && { late });
}

function eachTable<T>(
  from: StepData | undefined,
  to: Table<Table<T>>,
  take: (known: Table<T>, pk: string, value: StepData) => void,
): void {
  for (const [key, values] of membersOf(from)) {
    const known = to[key] ??= (isRecord(values) ? table() : values) as never;
    for (const [pk, value] of membersOf(values)) take(known, pk, value);
  }
}

function membersOf(table: StepData | undefined): [string, StepData][] {
  return Object.entries(table ?? {});
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
function shifted<M extends StateMeta>(given: StepData, by: number, now: number): M {
  const { fetchedAt, expiresAt, error } = (given ?? {}) as unknown as EndpointMeta;
  const until = expiresAt && expiresAt + by;
  // An error is kept for a second or so. What has failed on the server is not asked for again by the page that says so.
  const expiry = until && error !== undefined ? Math.max(until, now + HYDRATION) : until;
  return { ...given as object, fetchedAt: fetchedAt && fetchedAt + by, expiresAt: expiry } as M;
}

/** Names are of the server: one may be `__proto__`. */
function table(): Table<never> {
  return Object.create(null);
}
