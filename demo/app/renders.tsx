/** What runs, and the inspector that shows it. */
import { signal } from "@preact/signals";
import { useController } from "@rejoin/data/preact";
import { useEffect, useRef } from "preact/hooks";

const isShown = signal(false);

/** How often the component that calls this has run, this run included. */
export function useRenders(): number {
  return ++useRef(0).current;
}

/** Whether the inspector is there. It is loaded when somebody wants to see it. */
export function InspectorSwitch() {
  const controller = useController();
  useEffect(() => {
    if (!isShown.value) return;
    const shown = import("@rejoin/data/inspector").then(({ inspect }) => inspect(controller, { open: true }));
    return () => void shown.then((remove) => remove());
  }, [controller, isShown.value]);
  return <Switch name="Inspector" isOn={isShown.value} turn={(isOn) => isShown.value = isOn} />;
}

/** Something to turn on and off. */
export function Switch({ name, isOn, turn }: { name: string; isOn: boolean; turn: (isOn: boolean) => void }) {
  return (
    <label class="switch">
      <input type="checkbox" role="switch" checked={isOn} onChange={(event) => turn(event.currentTarget.checked)} />
      {name}
    </label>
  );
}
