import type { RunEndpoint } from "../endpoint/endpoint_types.ts";
import { checks, type Last } from "../errors/mod.ts";
import type { Args } from "../plain/value.ts";
import { readOf, type Shown } from "../signals/read.ts";
import { useMemory } from "./_internals.ts";
import { useController } from "./use_controller.ts";

/** What is shown with `null` as first argument. */
const NOTHING: Shown = { read: undefined, data: undefined, error: undefined, isMissing: false };
/** What one hook of one component read last. */
const UNREAD: Last = { answer: undefined, shown: NOTHING };

/** The base of all hooks that ask the server: once when a component begins to read a call. `null`: nothing is read. */
export function useRead(endpoint: RunEndpoint, args: Args, hook: string): Shown {
  checks.given?.(endpoint, "fetched", hook);
  const controller = useController(), last = useMemory(() => ({ ...UNREAD }));
  if (args[0] === null) {
    Object.assign(last, UNREAD);
    return NOTHING;
  }
  const read = readOf(controller, endpoint, args), { node: answer } = read;
  if (answer !== last.answer) {
    checks.unseen?.(last, endpoint.name, hook);
    read.ask();
    last.answer = answer;
  }
  return last.shown = read.value;
}
