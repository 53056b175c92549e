import type { Controller } from "../controller/controller.ts";
import type { Value } from "../plain/value.ts";
import { Answer } from "../store/answers.ts";
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
export function explain({ store, defaults }: Controller, endpoint: Value, ...args: Value[]): Explanation {
  const isActive = args[0] !== null, { name, schema, dataExpiryLength = defaults.dataExpiryLength ?? 6e4 } = endpoint;
  const answer = isActive ? store.answer(endpoint, args) : new Answer(false, "", undefined, args, []);
  const { key, has, isInvalid, error, flight, started, expiredAt, tables, isPending } = answer;
  const data = store.data(answer), expiresAt = store.freshUntil(answer), isStale = now() >= expiresAt;
  const { rec, pk } = answer.kids[0]?.row ?? {}, E = isEntity(schema) && data === undefined ? schema : undefined;
  const missing = Object.keys(E?.defaults ?? {}).filter((name) =>
    E!.defaults[name] !== undefined && !(name in { ...rec })
  );
  const isUnknown = data === undefined && (!has || isInvalid) && !error,
    wouldFetch = isActive && !!endpoint.fetch && !flight && (isUnknown || (isStale && !isPending));
  const whyStale = expiresAt
    ? "its lifetime is over"
    : tables.some(({ edited }) => started < edited)
    ? "a mutation changed its records after it was asked for"
    : expiredAt > started
    ? "it was marked stale"
    : "a mutation may change its records";
  const [state, why]: [Explanation["state"], string] = !isActive
    ? ["inactive", ""]
    : isInvalid
    ? ["invalid", ": it was invalidated, and is hidden until it is fetched again"]
    : data !== undefined && isStale
    ? ["stale", `: ${whyStale}`]
    : data !== undefined
    ? ["fresh", expiresAt < Infinity ? ` until ${new Date(expiresAt).toISOString()}` : " for ever"]
    : error
    ? ["failed", `: it failed with ${error}`]
    : rec && missing[0]
    ? ["incomplete", `: ${E!.key} "${pk}" is there without ${missing.join(", ")}`]
    : ["missing", ": nothing is kept of it"];
  const next = flight ? "; a request is in flight" : wouldFetch ? "; a component that reads it asks the server" : "";
  return {
    endpoint: name,
    key,
    state,
    source: has ? "answer" : data === undefined ? "nothing" : "records",
    fetchedAt: has && !error && expiresAt && dataExpiryLength < Infinity ? expiresAt - dataExpiryLength : undefined,
    expiresAt: expiresAt === Infinity ? null : expiresAt,
    wouldFetch,
    isInFlight: !!flight,
    error,
    gap: E && pk !== undefined ? { entity: E.key, pk, missing } : undefined,
    text: `"${name}" is ${state}${why}${next}`,
  };
}
