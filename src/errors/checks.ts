/** A class, as a sentence names it. */
export interface Named {
  readonly name: string;
}

/**
 * Checks of development, by name: `mod.ts` registers them, `core.ts` has none, so that nothing may depend on one. A room
 * that needs one declares it here, and `dev/checks.ts` says what it does.
 */
export interface Checks {
  /** A schema is used for the first time. */
  schema?: (schema: unknown, name?: string) => void;
  /** A URL is to be asked for. */
  url?: (url: string) => void;
  /** A record of a class has no pk. */
  unsaved?: (E: Named, input: unknown) => void;
  /** A record of a class came. */
  received?: (E: Named, input: unknown) => void;
  /** A class is used for the first time; `plans` are of those that were used before. */
  table?: (E: Named, plans: Iterable<{ readonly E: Named }>) => void;
  /** An endpoint is used with a store. */
  endpoint?: (store: object, endpoint: Named) => void;
  /** Something is given to a hook that takes another kind of thing. */
  given?: (given: unknown, wanted: Wanted, hook: string) => void;
  /** `controller.fetch` is called. */
  call?: (store: unknown, endpoint: unknown, args: readonly unknown[]) => void;
  /** A hook begins to read another call. */
  unseen?: (last: Last, name: string, hook: string) => void;
}
/** What hooks take. */
export type Wanted = "fetched" | "stored" | "schema" | "source" | "called" | "changing";
/** What one hook of one component read last. */
export interface Last {
  readonly answer: { readonly has: boolean; readonly error: unknown } | undefined;
  readonly shown: { readonly isMissing: boolean; readonly error: unknown };
  /** Answers in a row that came and were not shown: the arguments were others by then. */
  unseen?: number;
}

/** What `dev/checks.ts` has registered. */
export const checks: Checks = {};
