import type { Flight } from "./flight.ts";

/** Mutations that wait for each other: a line for each name. The first of a line is the one that is sent. */
export interface ScopeLines {
  /** Says in which line a mutation is to stand; its `scope` is `undefined` if in none. */
  name(flight: Flight): void;
  /** Puts a mutation behind those of its line that were called before it, or are sent. */
  join(flight: Flight): void;
  /** A mutation names something else now. */
  rename(flight: Flight): void;
  /** Takes a mutation out, wherever it stands. */
  leave(flight: Flight): void;
  /** Sends the first of a line, if it waits for its turn only. */
  sendNext(scope: string | undefined): void;
}
