import { options } from "../deps/preact.ts";
import { flush, later } from "./flush.ts";

/** What waits for the next frame: effects, mostly. */
const frames: (() => void)[] = [];
/** How many apps are mounted: while there is one, effects run soon, with no timer that would outlive a test. */
let mounted = 0, before: typeof options.requestAnimationFrame;

const runFrames = (): void => frames.splice(0).forEach((run) => run());

/** Effects of what is rendered run in the next task. Returns how to end it, to be called once. */
export function takeFrames(): () => void {
  if (!mounted++) {
    before = options.requestAnimationFrame;
    options.requestAnimationFrame = (run) => {
      frames.push(run);
      later(runFrames);
    };
  }
  return () => {
    if (--mounted) return;
    options.requestAnimationFrame = before!; // `undefined` is what Preact has at first
    runFrames();
  };
}

/** Lets everything run that waits for promises, for renderings, for effects, and for what those bring. */
export async function runEffects(): Promise<void> {
  do {
    await flush();
    runFrames();
    await flush();
  } while (frames.length);
}
