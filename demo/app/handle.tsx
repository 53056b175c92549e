/** The server's handle: what this page has asked its server to be like. */
import { useMutation } from "@rejoin/data/preact";
import { signal } from "@preact/signals";
import { type Mode, MODES } from "../handle.ts";
import { turnServer } from "./later_resources.ts";
import { explain, say } from "./notices.tsx";

/** What the server is like for this page. */
export const mode = signal<Mode>("good");

/** What each position means. */
const WORDS: Record<Mode, string> = {
  good: "Answers at once.",
  slow: "Takes two seconds.",
  reorders: "Answers the first of four last.",
  fails: "The next write fails.",
  refuses: "Writes nothing.",
  off: "Answers 503.",
};

/** A switch with six positions, for this page's server alone. */
export function Handle() {
  const { mutate } = useMutation(turnServer, {
    onError: (error) => say(`The server could not be turned. ${explain(error)}`, true),
  });
  const turn = (next: Mode) => {
    mode.value = next;
    mutate({ mode: next });
  };
  return (
    <fieldset class="handle" data-mode={mode.value}>
      <legend>The server</legend>
      <div class="positions">
        {MODES.map((value) => (
          <label key={value} title={WORDS[value]}>
            <input
              type="radio"
              name="server"
              checked={mode.value === value}
              value={value}
              onChange={() => turn(value)}
            />
            <span>{value === "fails" ? "fails once" : value}</span>
          </label>
        ))}
      </div>
      <p class="about" aria-live="polite">{WORDS[mode.value]}</p>
    </fieldset>
  );
}
