/** Who has signed in on this page, and what becomes of a request that nobody has signed. */
import { signal } from "@preact/signals";

/** Belongs to this page alone, and goes with it. */
export const token = signal<string | undefined>(undefined);

/** Who waits for somebody to sign in. */
export interface Waiting {
  resolve(): void;
  reject(reason: unknown): void;
}

/** The requests that were refused because nobody has signed in. */
export const waiting = signal<readonly Waiting[]>([]);

/** Waits until somebody has signed in; all who wait wait for one. Rejects with what was refused when nobody wants to. */
export function signIn(refused: Error): Promise<void> {
  token.value = undefined;
  return new Promise((resolve, reject) => {
    waiting.value = [...waiting.value, { resolve, reject: () => reject(refused) }];
  });
}

/** Ends the waiting: with a token, or without. */
export function signedIn(given: string | undefined): void {
  token.value = given;
  const all = waiting.value;
  waiting.value = [];
  for (const { resolve, reject } of all) given === undefined ? reject(undefined) : resolve();
}
