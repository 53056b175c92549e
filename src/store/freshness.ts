import { clock } from "../deps/clock.ts";
import type { AnyEndpoint, AnyReadable, EndpointDefaults, EndpointPolicy, ErrorPolicy } from "../endpoint/interface.ts";
import type { Answer, Entry } from "./entry.ts";
import type { Stamp } from "./slot.ts";

/** How long data is fresh where the endpoint does not say, in ms. */
const DATA_EXPIRY = 60_000;
/** How long an error keeps a key from being fetched again where the endpoint does not say, in ms. */
const ERROR_EXPIRY = 1_000;

/** Whether what a read gives may be shown. Fresh or stale is not in it: that is `expiresAt` compared with the clock. */
export const ExpiryStatus = {
  /** Nothing may be shown: there is no data, or it was invalidated. */
  Invalid: 1,
  /** There is data, but it is stale and the endpoint does not show stale data. */
  InvalidIfStale: 2,
  /** There is data to show. */
  Valid: 3,
} as const;

/** One of {@linkcode ExpiryStatus}. */
export type ExpiryStatus = (typeof ExpiryStatus)[keyof typeof ExpiryStatus];

/** Until when data that comes now is fresh. */
export function dataExpiry(policy: EndpointPolicy, defaults: EndpointDefaults, now: number): number {
  return now + (policy.dataExpiryLength ?? defaults.dataExpiryLength ?? DATA_EXPIRY);
}

/** Until when an error that comes now keeps the key from being fetched again. */
export function errorExpiry(policy: EndpointPolicy, defaults: EndpointDefaults, now: number): number {
  return now + (policy.errorExpiryLength ?? defaults.errorExpiryLength ?? ERROR_EXPIRY);
}

/** What came, and when, by which clock. */
type Arrival = Pick<Stamp, "expiresAt" | "lead">;

/**
 * By how much the times of something that came are to be moved, for the wall clock as it is now: back, where that was
 * set back since. So its age is the larger of the wall time and the time that have passed, and sleep counts as well.
 */
export function setBack({ lead }: Pick<Arrival, "lead">, now: number = clock.now()): number {
  // Two readings within one ms are no change.
  return lead === undefined ? 0 : Math.min(0, Math.ceil(clock.lead(now) - lead));
}

/** Until when something that came is fresh, by the wall clock as it is now. */
export function freshUntil(arrival: Arrival, now?: number): number {
  const { expiresAt } = arrival;
  return expiresAt === 0 || expiresAt === Infinity ? expiresAt : expiresAt + setBack(arrival, now);
}

/** Whether stale data of an endpoint is not to be shown. */
export function hidesStale(policy: EndpointPolicy, defaults: EndpointDefaults): boolean {
  return policy.invalidIfStale ?? defaults.invalidIfStale ?? false;
}

/**
 * How an error meets data that is already there: as the endpoint's own policy says, else that of the controller, else
 * the one that all endpoints of its kind have. One that throws must not hide the error it was asked about.
 */
export function policyFor(endpoint: AnyEndpoint, defaults: EndpointDefaults, error: unknown): ErrorPolicy | undefined {
  try {
    const isOwn = endpoint.errorPolicy !== undefined && !endpoint.hasCommonErrorPolicy;
    return (isOwn ? undefined : defaults.errorPolicy?.(error)) ?? endpoint.errorPolicy?.(error);
  } catch {
    return "hard";
  }
}

/** An entry that is still shown and fetched again by whoever is mounted; `isQuiet`: by whoever is mounted from now on. */
export function staleEntry(entry: Entry, seq: number, isQuiet = false): Entry {
  const { mark, staleSeq } = entry;
  return { ...entry, expiresAt: 0, mark: isQuiet ? mark : mark + 1, staleSeq: Math.max(staleSeq, seq) };
}

/** Whether and how an answer may be shown. */
export function statusOf(
  answer: Answer,
  endpoint: AnyReadable,
  defaults: EndpointDefaults,
  isStale: boolean,
): ExpiryStatus {
  if (!answer.hasData) return ExpiryStatus.Invalid;
  return isStale && hidesStale(endpoint, defaults) ? ExpiryStatus.InvalidIfStale : ExpiryStatus.Valid;
}

/** The error that a reader is to see: a soft one only where there is nothing else to show. */
export function errorOf(answer: Answer, view: { readonly entry: Entry | undefined }): unknown {
  if (answer.error === undefined) return undefined;
  return view.entry?.errorPolicy === "soft" && answer.hasData ? undefined : answer.error;
}
