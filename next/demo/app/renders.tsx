/** What runs, and the inspector that shows it. */
import { signal } from "@preact/signals";
import { useController } from "@rejoin/data/preact";
import { useEffect, useRef } from "preact/hooks";

const STORED = "cinema.renders";
/** As it was left, once the page has come to life: the server does not know. */
const shown = signal(false);

/** How often the component that calls this has run, this run included. */
export function useRenders(): number {
  const count = useRef(0);
  return ++count.current;
}

/** Whether the inspector is there. It is loaded when somebody wants to see it. */
export function RendersSwitch() {
  const controller = useController();
  const isShown = shown.value;
  useEffect(() => void (shown.value = localStorage.getItem(STORED) === "yes"), []);
  useEffect(() => {
    if (!isShown) return;
    const inspected = import("./inspector.ts")
      .then(({ inspect }) => inspect(controller, { open: true }));
    return () => void inspected.then((remove) => remove());
  }, [controller, isShown]);
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={isShown}
        onChange={(event) => {
          shown.value = event.currentTarget.checked;
          localStorage.setItem(STORED, shown.value ? "yes" : "no");
        }}
      />
      Inspector
    </label>
  );
}
