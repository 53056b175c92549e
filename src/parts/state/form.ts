import type { EntityRecord } from "../../schemas/plan.ts";

/** The version of the form. Texts that name requests and lists are part of it. */
export const VERSION = 1;

/** When something was stored and until when it is fresh; ms since 1970. `null` stands for `Infinity`, which JSON has not. */
export interface StateMeta {
  /** When it was stored. */
  readonly fetchedAt: number;
  /** Until when it is fresh. */
  readonly expiresAt: number | null;
}

/** What is known of one endpoint key. */
export interface EndpointMeta extends StateMeta {
  /** What the server last failed with. */
  readonly error?: { readonly name: string; readonly message: string; readonly status?: number } | undefined;
  /** It was invalidated and must not be shown. */
  readonly invalid?: true | undefined;
  /** It was answered, and nothing remained of the response: all of it is in the tables. JSON has no `undefined`. */
  readonly empty?: true | undefined;
}

/** Everything the store knows, as plain tables that JSON can carry. What pending mutations show is not in it. */
export interface State {
  /** The version of this form. A state that says another one is not read; one that says none is taken for this one. */
  readonly version?: number | undefined;
  /** Records by key and pk. */
  readonly entities: { readonly [key: string]: { readonly [pk: string]: EntityRecord } };
  /** What remained of the responses, by request key. */
  readonly endpoints: { readonly [key: string]: unknown };
  /** About the responses, by request key. */
  readonly meta: { readonly [key: string]: EndpointMeta };
  /** About the records, by key and pk; what is here and has no record was deleted. */
  readonly entitiesMeta: { readonly [key: string]: { readonly [pk: string]: StateMeta } };
  /** Always empty: layers are functions, and never leave the store. */
  readonly optimistic: readonly never[];
  /** When the store was last reset; 0 when it never was. */
  readonly lastReset: number;
  /**
   * The pks of a table in order of arrival, where that is not the order of its members: objects have names that look like
   * numbers first, and sorted.
   */
  readonly order?: { readonly [key: string]: readonly string[] };
  /** Of a page that a server has rendered, of each `AsyncBoundary` in order whether it was still waiting: 1 or 0. */
  readonly late?: readonly number[];
}
