import { warn } from "../errors/rejoin_error.ts";
import type { State } from "../parts/state.ts";
import { now } from "../store/store.ts";

/**
 * Reads the data that `renderPage` or `stateScript` wrote into the page, for `hydrate`. Data expire no later than they
 * would on the server, even if the clock of the browser is behind.
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
 * @returns The data; `undefined` if the page has none, or if the element was cut off.
 */
export function readState(id = "rejoin-state"): State | undefined {
  // Only a script element counts, because HTML that visitors wrote may use any id.
  const script = Array.from(document.getElementsByTagName("script")).find((one) => one.id === id);
  if (!script) return;
  try {
    const { at, state: { tables, answers } }: Written = JSON.parse(script.textContent);
    const lead = now() - at,
      entry = <T>([name, value, expiresAt]: Entry<T>): Entry<T> => [
        name,
        value,
        // A browser whose clock is behind must not keep data fresh for longer. `Infinity` is written as a text.
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
