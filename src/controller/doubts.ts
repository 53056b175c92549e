import { clock } from "../deps/clock.ts";
import { isInstance } from "../errors/is_instance.ts";
import { WriteError } from "../errors/write_error.ts";
import { entriesHolding } from "../store/holders.ts";
import { listsOf, NO_LISTS, recordsOfCall } from "../store/subject.ts";
import type { Layer } from "../store/layer.ts";
import { snapshotOf } from "../store/layers.ts";
import { Patch } from "../store/patch.ts";
import type { Store } from "../store/store.ts";
import { NEVER } from "../store/slot.ts";
import type { MutationReply } from "../endpoint/interface.ts";
import type { Dispatch } from "./action.ts";
import type { Flight } from "./flight.ts";
import type { Flights } from "./flights.ts";

/** Whoever shows an answer that was marked stale asks for it again within so long, in ms. */
const GRACE = 100;

/** What a mutation shows of which nobody knows what became of it. */
interface Doubt {
  readonly layer: Layer;
  /** The answers that are shown and may have changed with it: what is asked of them from now on tells. */
  readonly keys: Set<string>;
  /** When, by the count of events. */
  readonly at: number;
}

/**
 * Mutations that were sent and have no answer: nobody knows whether the server has done what was asked. Their records and
 * lists are stale, and what they show stays until those who show them have asked again, so that nothing flips back and
 * forth.
 */
export abstract class Doubts {
  /** Where replies go. */
  readonly store: Store;
  /** The requests in flight. */
  readonly flights: Flights;
  /** Sends an action through the whole chain. */
  readonly dispatch: Dispatch;
  /** The end of the chain: for what must happen whatever a middleware does. */
  protected readonly perform: Dispatch;
  readonly #open = new Set<Doubt>();
  #stopTimer: (() => void) | undefined;

  constructor(store: Store, flights: Flights, dispatch: Dispatch, perform: Dispatch) {
    this.store = store;
    this.flights = flights;
    this.dispatch = dispatch;
    this.perform = perform;
  }

  /**
   * Marks stale what a mutation may have changed whose outcome nobody knows: the record that it names, what holds it, and
   * the lists of its class. What it shows stays until those who show one of these have asked again: the flight has no
   * layer then. One that was done, and whose reply could not be stored, has changed them as well, and shows nothing. Of one
   * that was not done, for the record is not what is here, that one is marked, and what holds it. So it is where a read is
   * told that there is none.
   *
   * @param failure What it has failed with; without one nobody has waited for it.
   * @returns How to mark it.
   */
  protected raise(flight: Flight, failure?: { readonly reason: unknown }): (() => void) | undefined {
    const { endpoint, args, isSent, key, layer, released, ticket } = flight;
    const { store } = this;
    const outcome = failure === undefined ? "unknown" : outcomeOf(failure.reason);
    if (!isSent || outcome === undefined) return undefined;
    const isRefused = outcome === "refused";
    const isRead = !endpoint.sideEffect;
    // The second time it is no news: a list that goes on bringing the record would be asked for without end.
    const isNews = () => isRefused && !ticket!.isBehind && store.entries.get(key, endpoint)?.error === undefined;
    if (isRead && !isNews()) return undefined;
    const said = saidOf(store, flight);
    const named = recordsOfCall(store, endpoint.schema, [...said.pks.length > 0 ? [said.pks] : [], ...args]);
    const slots = () => [
      ...lists.rows,
      ...named.flatMap(([plan, pk]) =>
        isRead ? store.tables.of(plan).slots.get(pk) ?? [] : store.tables.slot(plan, pk)
      ),
    ];
    const lists = isRefused ? NO_LISTS : listsOf(store, endpoint.schema, (key) => this.flights.isReading(key));
    const entries = [
      ...entriesHolding(store, slots()),
      ...said.expire && !isRefused ? store.matchingEntries(said.expire) : [],
    ];
    const keys = new Set([...lists.keys, ...entries.map(({ key }) => key)]);
    // Its own answer is the error.
    if (isRead) keys.delete(key);
    const shown = [...keys].filter((key) =>
      store.responsesByKey.get(key)?.some(({ watchers }) => watchers !== undefined)
    );
    if (outcome === "unknown" && layer !== undefined && shown.length > 0) {
      flight.layer = undefined;
      flight.released = NONE;
      const at = store.sequence.event();
      for (const one of [layer, ...released]) {
        store.sequence.show(one);
        this.#open.add({ layer: one, keys: new Set(shown), at });
      }
      this.#wait();
    }
    return () => {
      // The place of a record that only a layer has shown has gone with it.
      const records = slots();
      if (records.length + keys.size + lists.tables.length === 0) return;
      const testKey = (key: string) => keys.has(key);
      const marked = { testKey, records, lists: lists.tables, cause: endpoint };
      this.dispatch({ type: "expire", ...marked, seq: store.sequence.take(), date: clock.now() });
    };
  }

  /** A read is over: the layers that waited for it, and for no other. */
  protected freedBy({ key, ticket, endpoint }: Flight): readonly Layer[] {
    if (this.#open.size === 0 || endpoint.sideEffect) return NONE;
    // One that was on its way before: whoever shows it asks once more.
    this.#wait();
    return this.#answered((doubt) => ticket!.startedAt > doubt.at && doubt.keys.delete(key));
  }

  /** Nothing is waited for any more. */
  protected clear(): void {
    this.#answered(({ keys }) => keys.clear());
  }

  /** Those who show something may not ask: what nobody asks for is not waited for. */
  #wait(): void {
    this.#stopTimer ??= clock.setTimeout(() => {
      this.#stopTimer = undefined;
      const layers = this.#answered(({ keys }) => {
        for (const key of keys) if (!this.flights.isReading(key)) keys.delete(key);
      });
      abandon(this.perform, layers);
      this.store.fold();
    }, GRACE);
  }

  #answered(take: (doubt: Doubt) => unknown): readonly Layer[] {
    const layers: Layer[] = [];
    for (const doubt of this.#open) {
      take(doubt);
      if (doubt.keys.size > 0) continue;
      this.#open.delete(doubt);
      this.store.sequence.settle(doubt.layer);
      layers.push(doubt.layer);
    }
    if (this.#open.size === 0) {
      this.#stopTimer?.();
      this.#stopTimer = undefined;
    }
    return layers;
  }
}

/** What is shown by these layers goes. */
export function abandon(send: Dispatch, layers: readonly Layer[]): void {
  if (layers.length > 0) send({ type: "abandon", layers, seq: layers[0]!.seq, date: clock.now() });
}

/** The record that a reply without content would be taken for; where there is none, what may show it. */
function saidOf(store: Store, { endpoint, args }: Flight): Pick<MutationReply, "expire"> & { pks: readonly string[] } {
  try {
    const reply = endpoint.readReply?.(undefined, args, snapshotOf(new Patch(store, NEVER), clock.now()));
    const { value, expire, sent = [] } = reply ?? { value: undefined };
    return { pks: [value, ...sent.map(({ pk }) => pk)].filter((pk) => typeof pk === "string"), expire };
  } catch {
    // A function of the app that waits for more.
    return { pks: [] };
  }
}

const NONE: readonly Layer[] = /* @__PURE__ */ Object.freeze([]);

/**
 * What a server has made of a mutation that failed: done it; refused it, for what it has is not what is here, the record
 * is gone or another version; or nobody knows, for nothing came back, or not from the server that was to do it, or what
 * came cannot be read. `undefined`: nothing. Asked by name, so that what a recording tells, or another copy of us, is one.
 */
function outcomeOf(reason: unknown): "done" | "refused" | "unknown" | undefined {
  if (isInstance(reason, WriteError)) return "done";
  if (!isInstance(reason, Error) && !isInstance(reason, DOMException)) return undefined;
  const { name, status = 504 } = reason as { readonly name: string; readonly status?: number };
  if (/^(Network|Conflict)Error$/.test(name) && [404, 410, 412].includes(status)) return "refused";
  // A redirect that was not followed is mostly the answer of what was done.
  // A function of the app may do all of it by itself: what comes of `fetch` and `json()` is one of these.
  return /^(Timeout|Parse|Abort|Type|Syntax)Error$/.test(name) ||
      (name === "NetworkError" && (status > 501 || status < 400))
    ? "unknown"
    : undefined;
}
