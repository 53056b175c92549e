import type { RunEndpoint } from "../endpoint/endpoint_types.ts";
import { checks, type Last } from "../errors/mod.ts";
import type { Args } from "../plain/value.ts";
import { readOf, type Shown } from "../signals/read.ts";
import { useMemory } from "./_internals.ts";
import { useController } from "./use_controller.ts";

/** The result of an inactive hook, whose first argument is `null`. */
const NOTHING = { isMissing: false } as Shown; // nothing is read

/**
 * The base of all hooks that fetch. It fetches stale data when the component begins to read a call: on mount, and with
 * new arguments. With `null` as first argument it reads nothing.
 */
export function useRead(endpoint: RunEndpoint, args: Args, hook: string): Shown {
  checks.given?.(endpoint, "fetched", hook);
  const controller = useController(), last = useMemory((): Last => ({ answer: undefined, shown: NOTHING }));
  if (args[0] === null) {
    last.answer = undefined;
    return NOTHING;
  }
  const read = readOf(controller, endpoint, args), { node: answer } = read;
  if (answer !== last.answer) checks.unseen?.(last, endpoint.name, hook);
  // A component that suspended at an earlier read has let go of this one.
  if (answer !== last.answer || !answer.watcher) read.ask();
  last.answer = answer;
  return last.shown = read.value;
}
