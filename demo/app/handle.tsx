/** The server's handle: what this page has asked its server to be like. */
import { useMutation } from "@rejoin/data/preact";
import { signal } from "@preact/signals";
import { type Mode, MODES } from "../handle.ts";
import { turnServer } from "./later_resources.ts";
import { explain, say } from "./notices.tsx";

/** What the server is like for this page. */
export const mode = signal<Mode>("good");

const WORDS: Record<Mode, [name: string, means: string]> = {
  good: ["good", "Answers at once."],
  slow: ["slow", "Takes two seconds."],
  reorders: ["reorders", "Answers the first of four last."],
  fails: ["fails once", "The next write fails."],
  refuses: ["refuses", "Writes nothing."],
  off: ["off", "Answers 503."],
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
          <label key={value} title={WORDS[value][1]}>
            <input
              type="radio"
              name="server"
              checked={mode.value === value}
              value={value}
              onChange={() => turn(value)}
            />
            <span>{WORDS[value][0]}</span>
          </label>
        ))}
      </div>
      <p class="about" aria-live="polite">{WORDS[mode.value][1]}</p>
    </fieldset>
  );
}
