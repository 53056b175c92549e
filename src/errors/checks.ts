/** A class or an endpoint, of which a message needs the name. */
export interface Named {
  readonly name: string;
}

/**
 * Checks of development, by name. `mod.ts` registers them, `core.ts` does not, so no behaviour may depend on one. They
 * are declared here for the code that calls them; `dev/` has their code.
 */
export interface Checks {
  /** Called when a store uses a schema for the first time. */
  schema?: (schema: unknown, name?: string) => void;
  /** Called before a request to a URL. */
  url?: (url: string) => void;
  /** Called with each value of an entity class that arrives, and its pk, if it has one. */
  received?: (E: Named, input: unknown, pk: string | undefined) => void;
  /** Called when a store uses a class for the first time; `plans` has the classes that it used before. */
  table?: (E: Named, plans: Iterable<{ readonly E: Named }>) => void;
  /** Called when a store looks up the answer of an endpoint. */
  endpoint?: (store: object, endpoint: Named) => void;
  /** Called with the options of each resource. */
  declared?: (options: unknown) => void;
  /** Called with the first argument of a hook, and the kind of thing that the hook takes. */
  given?: (given: unknown, wanted: Wanted, hook: string) => void;
  /** Called at each `controller.fetch`. */
  call?: (store: unknown, endpoint: unknown, args: readonly unknown[]) => void;
  /** Called when a hook goes over to another call. */
  unseen?: (last: Last, name: string, hook: string) => void;
}
/** The kinds of things that hooks take. */
export type Wanted = "fetched" | "stored" | "kept" | "schema" | "source" | "called" | "changing";
/** The call that one hook of one component read last. */
export interface Last {
  answer: { readonly isInvalid: boolean; readonly expiresAt: number } | undefined;
  shown: { readonly isMissing: boolean; readonly error: unknown };
  /** How many replies in a row came too late to be shown, because the hook had gone over to other arguments. */
  unseen?: number;
}

/** The checks that are registered. */
export const checks: Checks = {};
