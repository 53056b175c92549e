/**
 * Who has signed in. A name is enough here; what matters is that a token is asked for, and that it may be refused.
 *
 * @module
 */
import { Refusal } from "./refusal.ts";

/** So many are remembered. Those that came first are forgotten first, and are to sign in again. */
const MAX = 1_000;

/** The tokens that are good. */
export class Sessions {
  readonly #names = new Map<string, string>();

  /** Gives a new token. */
  open(name: string): { token: string; name: string } {
    const token = Array.from(crypto.getRandomValues(new Uint32Array(5)), (part) => part.toString(36)).join("");
    this.#names.set(token, name);
    for (const oldest of this.#names.keys()) {
      if (this.#names.size <= MAX) break;
      this.#names.delete(oldest);
    }
    return { token, name };
  }

  /** Ends the session of a request, if there is one. */
  close(request: Request): void {
    this.#names.delete(tokenOf(request));
  }

  /**
   * Who has sent a request.
   *
   * @throws {Refusal} 401, if nobody that is known.
   */
  whose(request: Request): string {
    const name = this.#names.get(tokenOf(request));
    if (name !== undefined) return name;
    throw new Refusal(401, "Sign in first", undefined, { "www-authenticate": "Bearer" });
  }
}

function tokenOf(request: Request): string {
  return /^Bearer (\S+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
}
