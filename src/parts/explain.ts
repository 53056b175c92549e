import type { AnyReadable } from "../endpoint/endpoint_types.ts";
import type { NullableArgs } from "../store/infer.ts";
import type { Controller } from "../controller/controller.ts";
import type { Value } from "../plain/value.ts";
import { Answer } from "../store/answers.ts";
import { isEntity } from "../store/schema.ts";
import { now } from "../store/store.ts";

/** Explains the state of one read, as plain data for a log, a panel or a bug report. */
export interface Explanation {
  readonly endpoint: string;
  readonly key: string;
  readonly state: "inactive" | "missing" | "incomplete" | "invalid" | "failed" | "stale" | "fresh";
  /** Whether the data come from the read's own reply, or from records that other replies brought. */
  readonly source: "nothing" | "answer" | "records";
  /** When the data were stored, computed from their lifetime; ms since 1970. */
  readonly fetchedAt: number | undefined;
  /** Until when the data are fresh, in ms since 1970. 0 if they were marked stale, `null` if they never expire. */
  readonly expiresAt: number | null;
  /** Whether a component that mounts now would fetch. */
  readonly wouldFetch: boolean;
  readonly isInFlight: boolean;
  readonly error: unknown;
  /** The record that is incomplete, and which declared members it lacks. */
  readonly gap: { readonly entity: string; readonly pk: string; readonly missing: readonly string[] } | undefined;
  /** The explanation as a sentence. */
  readonly text: string;
}

/**
 * Explains why a read is fresh, stale or missing: what the store has of it, since when, until when, and what it lacks.
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
 * @param controller The controller of the store.
 * @param endpoint The endpoint of the read.
 * @param args The arguments of the read, or `null` for an inactive one.
 */
export function explain<E extends AnyReadable>(
  controller: Controller,
  endpoint: E,
  ...args: NullableArgs<E["~types"]["args"]>
): Explanation;
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
