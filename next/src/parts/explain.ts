import type { Controller } from "../controller/controller.ts";
import type { RunEndpoint } from "../endpoint/run_endpoint.ts";
import type { Args, Value } from "../plain/value.ts";
import { isEntity } from "../store/schema.ts";
import { now } from "../store/store.ts";

/** Why a read is as it is. Plain data, for a log, a panel or a bug report. */
export interface Explanation {
  readonly endpoint: string;
  readonly key: string;
  readonly state: "inactive" | "missing" | "incomplete" | "invalid" | "failed" | "stale" | "fresh";
  /** Whether its own reply is kept, or records that others brought answer it. */
  readonly source: "nothing" | "answer" | "records";
  /** Since when it is kept, as far as its lifetime tells; ms since 1970. */
  readonly fetchedAt: number | undefined;
  /** Until when it is fresh; ms since 1970; 0: it was marked stale; `null`: for ever. */
  readonly expiresAt: number | null;
  /** Whether a component that mounts now would ask the server. */
  readonly wouldFetch: boolean;
  readonly isInFlight: boolean;
  readonly error: unknown;
  /** What is missing: the record, and the members that its class declares. */
  readonly gap: { readonly entity: string; readonly pk: string; readonly missing: readonly string[] } | undefined;
  /** The same in words. */
  readonly text: string;
}

/**
 * Why a read is as it is: what is kept, since when, until when, why it is stale, and what is missing.
 *
 * @example
 * ```ts
 * import { Controller, Entity, explain, resource } from "@rejoin/data";
 * import { assertEquals } from "@std/assert";
 *
 * class Film extends Entity {
 *   id = "";
 *   text = "";
 *   static key = "Film";
 * }
 * const FilmResource = resource({ urlPrefix: "https://api.example.com", path: "/films/:id", schema: Film });
 * const controller = new Controller();
 * controller.set(Film, { id: "5" }, { id: "5" });
 * const { state, gap } = explain(controller, FilmResource.get, { id: "5" });
 * assertEquals(state, "incomplete");
 * assertEquals(gap?.missing, ["text"]);
 * ```
 *
 * @param controller Whose store.
 * @param endpoint Of which read.
 * @param args Its arguments; `null`: nothing is read.
 */
export function explain(controller: Controller, endpoint: Value, ...args: Value[]): Explanation {
  return args[0] === null ? said(endpoint, "", {}) : look(controller, endpoint, args);
}

function look({ store, defaults }: Controller, endpoint: RunEndpoint, args: Args): Explanation {
  const answer = store.answer(endpoint, args), { key, has, isInvalid, error, flight, expiredAt, tables } = answer;
  const data = store.data(answer), expiresAt = store.freshUntil(answer), isStale = now() >= expiresAt;
  const { schema } = endpoint,
    rec = answer.kids[0]?.row?.rec,
    pk = answer.kids[0]?.row?.pk,
    E = isEntity(schema) && schema;
  const missing = E
    ? Object.keys(E.defaults).filter((name) => E.defaults[name] !== undefined && !(rec && name in rec))
    : [];
  const gap = data === undefined && E && pk !== undefined ? { entity: E.key, pk, missing } : undefined;
  const state = isInvalid
    ? "invalid"
    : data !== undefined
    ? isStale ? "stale" : "fresh"
    : error
    ? "failed"
    : rec && missing[0]
    ? "incomplete"
    : "missing";
  const lasts = endpoint.dataExpiryLength ?? defaults.dataExpiryLength ?? 6e4;
  const isEdited = tables.some(({ edited }) => answer.started < edited);
  const why = {
    inactive: "",
    fresh: "",
    failed: `it failed with ${error}`,
    missing: "nothing is kept of it",
    invalid: "it was invalidated, and is hidden until it is fetched again",
    incomplete: `${gap?.entity} "${pk}" is there without ${missing.join(", ")}`,
    stale: expiresAt
      ? "its lifetime is over"
      : isEdited
      ? "a mutation changed its records after it was asked for"
      : expiredAt > answer.started
      ? "it was marked stale"
      : "a mutation may change its records",
  }[state];
  return said(endpoint, key, {
    state,
    gap,
    error,
    isInFlight: !!flight,
    source: has ? "answer" : data === undefined ? "nothing" : "records",
    fetchedAt: has && !error && expiresAt && lasts < Infinity ? expiresAt - lasts : undefined,
    expiresAt: expiresAt === Infinity ? null : expiresAt,
    // What is fresh and not whole is asked for, too.
    wouldFetch: !!endpoint.fetch && !flight &&
      ((data === undefined && (!has || isInvalid) && !error) || (isStale && !answer.isPending)),
    text: why,
  });
}

function said({ name: endpoint }: RunEndpoint, key: string, found: Partial<Explanation>): Explanation {
  const { state = "inactive", text, isInFlight = false, wouldFetch = false, expiresAt = null } = found;
  const until = state === "fresh"
    ? `fresh ${expiresAt ? `until ${new Date(expiresAt).toISOString()}` : "for ever"}`
    : state;
  const next = isInFlight
    ? "; a request is in flight"
    : wouldFetch
    ? "; a component that reads it asks the server"
    : "";
  return {
    source: "nothing",
    fetchedAt: undefined,
    error: undefined,
    gap: undefined,
    ...found,
    endpoint,
    key,
    state,
    isInFlight,
    wouldFetch,
    expiresAt,
    text: `"${endpoint}" is ${until}${text ? `: ${text}` : ""}${next}`,
  };
}
