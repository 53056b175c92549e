/** The developer overlay: how often each component that shows a film has run. */
import { effect, signal } from "@preact/signals";
import { useRef } from "preact/hooks";

const STORED = "cinema.renders";
const shown = signal(localStorage.getItem(STORED) === "yes");

effect(() => {
  localStorage.setItem(STORED, shown.value ? "yes" : "no");
  document.documentElement.classList.toggle("show-renders", shown.value);
});

/** How often the component that calls this has run, this run included. */
export function useRenders(): number {
  const count = useRef(0);
  return ++count.current;
}

export function Renders({ count }: { count: number }) {
  // The key makes a new element of each count, so that the flash starts again.
  return <span key={count} class="renders" aria-hidden="true" title={`Ran ${count} times`}>{count}</span>;
}

export function RendersSwitch() {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={shown.value}
        onChange={(event) => shown.value = event.currentTarget.checked}
      />
      Show renders
    </label>
  );
}
