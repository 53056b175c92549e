import { clock, pageArrival } from "../deps/clock.ts";
import { reasonOf } from "../errors/reason.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { said } from "../errors/texts.ts";
import { fromPlain, type StepData } from "../parts/recording/plain_json.ts";
import { type EndpointMeta, type State, VERSION } from "../parts/state/form.ts";
import { isRecord } from "../normalize/record.ts";
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
  let element: HTMLScriptElement | undefined;
  // Only a script: what users write into a page may have any id.
  const find = (name: string) =>
    Array.from(document.getElementsByTagName("script")).find((script) => script.id === name);
  for (let name = id, count = 2; (element = find(name)) !== undefined; name = `${id}-${count++}`) {
    try {
      state = merged(state, JSON.parse(element.textContent!) as Written);
    } catch (error) {
      console.warn(`The data in #${name} is not used: ${reasonOf(error)}`);
    }
  }
  return state as Partial<State> | undefined;
}

type Table = { [name: string]: unknown };

/** What stands for something that was written, where there may have been something before. `undefined`: nothing. */
type Read = (plain: unknown, before?: unknown) => unknown;

/** As long as a slow device may take from here until the page is hydrated, in ms. */
const HYDRATION = 10_000;

/** One more element: what is new in it since the one before. Nothing of it is looked at: `hydrate` leaves out what is damaged. */
function merged(state: Table = { version: VERSION }, { version, at, state: written }: Written): Table {
  if (version !== STATE_VERSION) throw new RejoinError(said(665, { version, known: STATE_VERSION }));
  const now = clock.now();
  // How far the clock of the server was ahead. It was written when the page came; what has passed since is age. No number
  // is damage.
  const { responseStart = Infinity, transferSize } = pageArrival() ?? {};
  const ahead = at + Math.max(0, clock.monotonic() - responseStart) - now;
  // Out of a cache it comes long after it was written: what it is behind is age, too.
  const lead = transferSize === 0 ? Math.max(0, ahead) : ahead;
  const meta: Read = (plain) => {
    const { fetchedAt, expiresAt, error } = (plain ?? {}) as EndpointMeta;
    return {
      ...plain as object,
      // 0 is never, and `null` for ever.
      fetchedAt: fetchedAt && fetchedAt - lead,
      // An error is kept for a second or so. What has failed on the server is not asked for again by the page that says so.
      expiresAt: expiresAt && Math.max(expiresAt - lead, error === undefined ? 0 : now + HYDRATION),
    };
  };
  const parts: { readonly [name: string]: Read } = {
    entitiesMeta: each(each(meta)),
    entities: each(each(revived)),
    meta: each(meta),
    endpoints: each(revived),
    order: each((pks, known = []) => [known, pks].flat()),
    late: (late) => late,
  };
  for (const name in parts) if (name in written) state[name] = parts[name]!(written[name], state[name]);
  return state;
}

/** Reads the members of a table. What is no table comes as it is. */
function each(read: Read): Read {
  return (plain, before) => {
    if (!isRecord(plain)) return before ?? plain;
    // Names are of the server: one may be `__proto__`.
    const to = (before ?? Object.create(null)) as Table;
    for (const [name, value] of Object.entries(plain)) {
      const known = read(value, to[name]);
      if (known === undefined) delete to[name];
      else to[name] = known;
    }
    return to;
  };
}

/** What `hydrate` takes for damage is given for what cannot be read. */
function revived(plain: unknown): unknown {
  try {
    return fromPlain(plain as StepData);
  } catch {
    return Symbol();
  }
}
