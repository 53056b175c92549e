import type { AnyEndpoint, Policy } from "../endpoint/endpoint_types.ts";
import type { EntityInput } from "../store/infer.ts";
import type { Part } from "./part.ts";

export interface ControllerOptions {
  /** Features: memory, temporary ids, polling …; the first is asked first. */
  readonly use?: readonly Part[] | undefined;
  /** For endpoints without these options. */
  readonly defaults?: Policy | undefined;
}

/** How a read stands. */
export enum ExpiryStatus {
  /** Nothing to show. */
  Invalid = 1,
  /** Stale, and the endpoint shows no stale data. */
  InvalidIfStale = 2,
  Valid = 3,
}

export type ArgsOf<E extends AnyEndpoint> = E["~types"]["args"];
export type DataOf<E extends AnyEndpoint> = E["~types"]["data"];
/** What reads as an endpoint does: an endpoint, or a Query. */
export interface Readable {
  readonly "~types": { readonly args: readonly any[]; readonly nullable: any };
  key(...args: any): string;
}
export interface ResponseOf<D> {
  readonly data: D;
  readonly expiresAt: number;
  readonly expiryStatus: ExpiryStatus;
}
/** What may be written of a schema. */
export type ValueOf<S> = S extends { readonly prototype: infer E } ? EntityInput<E> : any;
