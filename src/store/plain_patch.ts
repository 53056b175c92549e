import type { EntityRecord } from "../schemas/plan.ts";

/** One commit as plain data: what was replaced, by what, with which sequence number. */
export interface PlainPatch {
  /** Where the write stands in the order of writes. */
  readonly seq: number;
  /** When it was stored; ms since 1970. */
  readonly fetchedAt: number;
  /** Until when what it wrote is fresh; ms since 1970, `Infinity` for ever. */
  readonly expiresAt: number;
  /** Everything that was there before is gone. */
  readonly reset: boolean;
  /** The base, without what pending mutations show. `undefined`: not there. */
  readonly records: readonly {
    readonly key: string;
    readonly pk: string;
    readonly before: EntityRecord | undefined;
    readonly after: EntityRecord | undefined;
  }[];
  /** The server's pks of records that had temporary names until now. */
  readonly names: readonly (readonly [temporary: string, pk: string])[];
  /** What remained of responses, by request key. `undefined`: not there. */
  readonly endpoints: readonly { readonly key: string; readonly before: unknown; readonly after: unknown }[];
}
