import { clock, pageArrival } from "../deps/clock.ts";
import { reasonOf } from "../errors/reason.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { said } from "../errors/texts.ts";
import { fromPlain, type StepData } from "../parts/recording/plain_json.ts";
import { type EndpointMeta, type State, VERSION } from "../parts/state/form.ts";
import { isRecord } from "../parts/state/state_patch.ts";
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

/** What stands for something that was written, where there may have been something before. `undefined`: nothing. */
type Read = (plain: StepData, before: unknown) => unknown;

/** As long as a slow device may take from here until the page is hydrated, in ms. */
const HYDRATION = 10_000;

/** One more element: what is new in it since the one before. Nothing of it is looked at: `hydrate` leaves out what is damaged. */
function merged(state: Table | undefined, { version, at, state: written }: Written): Table {
  if (version !== STATE_VERSION) throw new RejoinError(said(665, { version, known: STATE_VERSION }));
  const now = clock.now();
  // It was written when the page came. What has passed since is age. No number is damage.
  const by = now - Math.max(0, clock.monotonic() - (pageArrival() ?? Infinity)) - at;
  const meta: Read = (plain) => {
    const { fetchedAt, expiresAt, error } = (plain ?? {}) as unknown as EndpointMeta;
    // 0 is never, and `null` for ever.
    const until = expiresAt && expiresAt + by;
    // An error is kept for a second or so. What has failed on the server is not asked for again by the page that says so.
    const expiry = until && error !== undefined ? Math.max(until, now + HYDRATION) : until;
    return { ...plain as object, fetchedAt: fetchedAt && fetchedAt + by, expiresAt: expiry };
  };
  const parts: readonly [name: string, depth: number, read: Read][] = [
    ["entitiesMeta", 2, meta],
    // `null`: it was deleted since it was written first.
    ["entities", 2, (plain) => plain === null ? undefined : revived(plain)],
    ["meta", 1, meta],
    ["endpoints", 1, revived],
    ["order", 1, (pks, known = []) => [known, pks].flat()],
    ["late", 0, (late) => late],
  ];
  const to = state ?? { version: VERSION };
  for (const [name, depth, read] of parts) {
    if (name in written) to[name] = merge(to[name], written[name]!, depth, read);
  }
  return to;
}

/** Puts values into a table, or into the tables in it: as deep as they are. What is no table comes as it is. */
function merge(before: unknown, given: StepData, depth: number, read: Read): unknown {
  if (depth === 0) return read(given, before);
  if (!isRecord(given)) return before ?? given;
  // Names are of the server: one may be `__proto__`.
  const to = (before ?? Object.create(null)) as Table;
  for (const [name, inner] of Object.entries(given)) {
    const value = merge(to[name], inner as StepData, depth - 1, read);
    if (value === undefined) delete to[name];
    else to[name] = value;
  }
  return to;
}

/** What `hydrate` takes for damage is given for what cannot be read. */
function revived(plain: StepData): unknown {
  try {
    return fromPlain(plain);
  } catch {
    return Symbol();
  }
}
