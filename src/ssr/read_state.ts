import { clock, pageArrival } from "../deps/clock.ts";
import { reasonOf } from "../errors/reason.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { said } from "../errors/texts.ts";
import { fromPlain, type StepData } from "../parts/recording/plain_json.ts";
import { type EndpointMeta, type State, type StateMeta, VERSION } from "../parts/state/state.ts";
import type { EntityRecord } from "../schemas/plan.ts";
import { STATE_ID, STATE_VERSION, type Written } from "./_written.ts";

/**
 * What a server has put into the page by `renderPage` or `stateScript`, for `hydrate`. It is as
 * fresh as it was there, whatever the clocks of the two say. What is no record or answer is left out, with a warning that
 * names it.
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
  const state = new ReadState();
  let element: HTMLElement | null;
  for (let count = 1; (element = document.getElementById(count === 1 ? id : `${id}-${count}`)) !== null; count++) {
    const { textContent } = element;
    state.unlessBad("The data", element.id, (place) => state.add(JSON.parse(textContent!) as Written, place));
  }
  return state.isRead ? { ...state } : undefined;
}

type Table<T> = { [name: string]: T };

/** What is in the elements, put together. */
class ReadState implements State {
  readonly version = VERSION;
  readonly entities: Table<Table<EntityRecord>> = table();
  readonly entitiesMeta: Table<Table<StateMeta>> = table();
  readonly endpoints: Table<unknown> = table();
  readonly meta: Table<EndpointMeta> = table();
  readonly optimistic: readonly never[] = [];
  lastReset = 0;
  declare order?: Table<readonly string[]>;
  declare late?: readonly number[];
  readonly #bad = new Set<string>();
  #isRead = false;

  /** There is something in it. */
  get isRead(): boolean {
    return this.#isRead;
  }

  add({ version, at, state }: Written, place: string): void {
    if (version !== STATE_VERSION) throw new RejoinError(said(665, { version, known: STATE_VERSION }));
    if (!Number.isFinite(at)) throw new Error("nobody knows when it was written");
    const { entities, entitiesMeta, endpoints, meta, order, lastReset, late } = state;
    const now = clock.now();
    // It was written when the page came. What has passed since is age.
    const by = now - Math.max(0, clock.monotonic() - (pageArrival() ?? Infinity)) - at;
    this.#isRead = true;
    const each = (name: string, of: StepData | undefined, take: (own: string, value: StepData) => void): void => {
      for (const [own, value] of Object.entries(of ?? {})) {
        this.unlessBad(name + own, place, () => take(own, value));
      }
    };
    each("", entitiesMeta, (key, metas) => {
      const known = this.entitiesMeta[key] ??= table();
      each(`${key} `, metas, (pk, one) => known[pk] = shifted(one, by, now));
    });
    each("", entities, (key, records) => {
      const known = this.entities[key] ??= table();
      const metas = this.entitiesMeta[key] ??= table();
      each(`${key} `, records, (pk, plain) => {
        const meta = metas[pk];
        delete known[pk];
        // It was deleted since it was written first.
        if (plain === null) return;
        // Without its record it would tell of one that was deleted.
        delete metas[pk];
        known[pk] = objectOf(fromPlain(plain)) as EntityRecord;
        if (meta !== undefined) metas[pk] = meta;
      });
    });
    each("", meta, (key, one) => this.meta[key] = shifted(one, by, now));
    each("", endpoints, (key, plain) => {
      const meta = this.meta[key];
      delete this.meta[key];
      this.endpoints[key] = fromPlain(plain);
      if (meta !== undefined) this.meta[key] = meta;
    });
    each("", order, (key, pks) => {
      const known = this.order ??= table();
      known[key] = [...known[key] ?? [], ...pks as string[]];
    });
    if (typeof lastReset === "number") this.lastReset = lastReset;
    if (Array.isArray(late)) this.late = late;
  }

  /** What throws is left out, and named once. */
  unlessBad(name: string, place: string, take: (place: string) => void): void {
    if (this.#bad.has(name)) return;
    try {
      take(place);
    } catch (error) {
      this.#bad.add(name);
      console.warn(`${name} in #${place} is not used: ${reasonOf(error)}`);
    }
  }
}

/** As long as a slow device may take from here until the page is hydrated, in ms. */
const HYDRATION = 10_000;

/** What was said by another clock. 0 is never, and `null` for ever. */
function shifted<M extends StateMeta>(given: StepData, by: number, now: number): M {
  const meta = objectOf(given) as M & EndpointMeta;
  const { fetchedAt, expiresAt, error } = meta;
  if (!Number.isFinite(fetchedAt) || expiresAt === undefined || !Number.isFinite(+expiresAt!)) {
    throw new Error("nobody knows how old it is");
  }
  const until = expiresAt && expiresAt + by;
  // An error is kept for a second or so. What has failed on the server is not asked for again by the page that says so.
  const expiry = until && error !== undefined ? Math.max(until, now + HYDRATION) : until;
  return { ...meta, fetchedAt: fetchedAt && fetchedAt + by, expiresAt: expiry };
}

function objectOf(value: unknown): object {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new Error("it is no object");
}

/** Names are of the server: one may be `__proto__`. */
function table(): Table<never> {
  return Object.create(null);
}
