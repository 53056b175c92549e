/** What runs, and the inspector that shows it. */
import { effect, signal } from "@preact/signals";
import { useController } from "@rejoin/data/preact";
import { useEffect, useRef } from "preact/hooks";

const STORED = "cinema.renders";
const shown = signal(localStorage.getItem(STORED) === "yes");

effect(() => localStorage.setItem(STORED, shown.value ? "yes" : "no"));

/** How often the component that calls this has run, this run included. */
export function useRenders(): number {
  const count = useRef(0);
  return ++count.current;
}

/** Whether the inspector is there. It is loaded when somebody wants to see it. */
export function RendersSwitch() {
  const controller = useController();
  const isShown = shown.value;
  useEffect(() => {
    if (!isShown) return;
    const inspected = import("@rejoin/data/inspector")
      .then(({ inspect }) => inspect(controller, { open: true, outlines: true }));
    return () => void inspected.then((remove) => remove());
  }, [controller, isShown]);
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={isShown}
        onChange={(event) => shown.value = event.currentTarget.checked}
      />
      Inspector
    </label>
  );
}
