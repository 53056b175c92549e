import { warn } from "../errors/rejoin_error.ts";
import type { State } from "../parts/state.ts";
import { now } from "../store/store.ts";

/**
 * What a server has put into the page by `renderPage` or `stateScript`, for `hydrate`. It is never fresh for longer than
 * it was on the server, whatever the clocks of the two say.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { hydrate, type State } from "@rejoin/data";
 * import { DataProvider } from "@rejoin/data/preact";
 * import { readState } from "@rejoin/data/ssr";
 * import { hydrate as takeOver } from "preact";
 *
 * const App = ({ state }: { state?: State | undefined }) => (
 *   <DataProvider use={state ? [hydrate(state)] : []}>Hello</DataProvider>
 * );
 * if (typeof document !== "undefined") takeOver(<App state={readState()} />, document.body);
 * assert(typeof readState === "function");
 * ```
 *
 * @param id The id of the element.
 * @returns The data; `undefined` where there are none, or where the element was cut off.
 */
export function readState(id = "rejoin-state"): State | undefined {
  // Only a script: what visitors write into a page may have any id.
  const script = Array.from(document.getElementsByTagName("script")).find((one) => one.id === id);
  if (!script) return;
  try {
    const { at, state: { tables, answers } }: Written = JSON.parse(script.textContent);
    const lead = now() - at,
      entry = <T>([name, value, expiresAt]: Entry<T>): Entry<T> => [
        name,
        value,
        // A clock that is behind must not make data fresh for longer. `Infinity` is written as a text.
        typeof expiresAt == "number" ? Math.min(expiresAt, expiresAt + lead) : expiresAt,
      ];
    return {
      tables: Object.fromEntries(Object.entries(tables).map(([key, rows]) => [key, rows.map(entry)])),
      answers: answers.map(entry),
    };
  } catch (error) {
    warn(1102, id, error);
  }
}
interface Written {
  readonly at: number;
  readonly state: State;
}
type Entry<T> = readonly [string, T, number | "never"];
