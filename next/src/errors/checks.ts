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
  /** A class reaches the table that `others` reach. */
  table?: (E: Named, others: readonly Named[]) => void;
}

/** What `dev/checks.ts` has registered. */
export const checks: Checks = {};
