/** Looks at something that only development looks at: it throws, warns, or says what it found. */
export type Check = (...given: never[]) => unknown;

let known: Readonly<Record<string, Check>> | undefined;

/** Makes checks known, by name; for the entry that is made for development. */
export function registerChecks(checks: Readonly<Record<string, Check>>): void {
  known = { ...known, ...checks };
}

/**
 * Checks something; in production nobody does, so nothing may depend on it that protects data.
 *
 * @param name The name under which the check is registered.
 * @param given What it is given.
 * @returns What it found; `undefined` in production.
 */
export function check<C extends Check>(name: string, ...given: Parameters<C>): ReturnType<C> | undefined {
  return known?.[name]?.(...given) as ReturnType<C> | undefined;
}
