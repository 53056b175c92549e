import { h, options, render } from "../deps/preact.ts";
import { useEffect } from "../deps/preact_hooks.ts";
import { flush, later } from "./flush.ts";

/** What waits for the next frame: effects, mostly. */
const frames: (() => void)[] = [];
/** Those who have taken the frames of the platform away. */
let takers = 0;
/** Of these, those who say themselves when a frame comes. */
let holders = 0;
let before: typeof options.requestAnimationFrame;

function request(run: () => void): void {
  frames.push(run);
  if (holders === 0) later(() => holders === 0 && runFrames());
}

function runFrames(): void {
  for (const run of frames.splice(0)) run();
}

/** Effects run soon, with no timer of the platform, which would outlive a test. Returns how to end it, to be called once. */
export function takeFrames(): () => void {
  if (takers++ === 0) {
    before = options.requestAnimationFrame;
    options.requestAnimationFrame = request;
  }
  return () => {
    if (--takers > 0) return;
    options.requestAnimationFrame = before!;
    runFrames();
  };
}

/** Effects run when {@linkcode runEffects} is called, and not before. Returns how to end it, to be called once. */
export function holdFrames(): () => void {
  const release = takeFrames();
  holders++;
  return () => {
    holders--;
    release();
  };
}

/** Lets everything run that waits for promises, for renderings, for effects, and for what those bring. */
export async function runEffects(): Promise<void> {
  // What was rendered before waits for a frame of the platform: the first effect of ours takes it along.
  const isFirst = takers === 0;
  const release = holdFrames();
  try {
    if (isFirst && typeof document !== "undefined") render(h(Beat, null), document.createElement("i"));
    do {
      await flush();
      runFrames();
      await flush();
    } while (frames.length > 0);
  } finally {
    release();
  }
}

function Beat(): null {
  useEffect(() => {});
  return null;
}
