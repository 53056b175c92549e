import type { Controller, Part } from "../../controller/controller.ts";
import { nameOf } from "../../schemas/subjects.ts";
import type { Patch } from "../../store/patch.ts";
import type { StoreAction } from "../../store/reducers/mod.ts";

/** So many actions are remembered; the oldest goes first. */
const MAX_ACTIONS = 1_000;

/** An action that changed the store, without what it carried. */
export interface PastAction {
  /** What kind of action: `"set"`, `"setResponse"`, `"expire"` … */
  readonly type: StoreAction["type"];
  /** The name of the endpoint, or the key of the schema; `undefined` where it was about neither. */
  readonly name: string | undefined;
  /** The key of the request; `undefined` where it was about none, or about several. */
  readonly key: string | undefined;
  /** Which part brought it, from a disk or another window; `undefined`: the network, or the app by hand. */
  readonly origin: string | undefined;
  /** Where it stands in the order of writes. */
  readonly seq: number;
  /** When; ms since 1970. */
  readonly date: number;
}

/**
 * A part that keeps the last 1,000 actions, so that `explain` can say which of them made a read what it is. It keeps
 * neither their values nor their endpoints.
 */
export function history(): Part {
  return new History();
}

/** What a controller remembers of its actions. */
export function historyOf({ store }: Controller): History | undefined {
  return store.parts.find((part) => part instanceof History);
}

/** The last actions of a store, for explanations. */
export class History implements Part {
  readonly #byPlace = new Map<number, PastAction>();
  /** The last one that everything went with. */
  #reset: PastAction | undefined;

  /** What an action wrote, and what it marked stale, have sequence numbers of their own. */
  committed({ stamp, mark = stamp.seq }: Patch, done: unknown): void {
    const action = done as StoreAction;
    const { type, date } = action;
    const { seq } = stamp;
    this.#byPlace.delete(seq);
    const origin = "origin" in action ? action.origin : undefined;
    const past = { type, name: subjectOf(action), key: keyOf(action), origin, seq, date };
    this.#byPlace.set(seq, past);
    if (type === "reset" || type === "replace") this.#reset = past;
    this.#byPlace.set(mark, past);
    while (this.#byPlace.size > MAX_ACTIONS) this.#byPlace.delete(this.#byPlace.keys().next().value!);
  }

  /** The action whose write has a sequence number, or the one that took it away since. */
  at(seq: number): PastAction | undefined {
    return this.#reset !== undefined && seq < this.#reset.seq ? this.#reset : this.#byPlace.get(seq);
  }

  /** The last action about a key, of a kind where one is named, or the one that took it away since. */
  last(key: string, type?: PastAction["type"]): PastAction | undefined {
    const isMeant = (action: PastAction) => action.key === key && (type === undefined || action.type === type);
    const last = [...this.#byPlace.values()].findLast(isMeant);
    return last && this.at(last.seq);
  }

  /** The action that took away what was said of a key, if nothing was said since. */
  lossOf(key: string): PastAction | undefined {
    const last = this.last(key);
    return last === this.#reset ? last : undefined;
  }
}

function subjectOf(action: StoreAction): string | undefined {
  if ("schema" in action) return nameOf(action.schema).replaceAll('"', "");
  if ("endpoint" in action) return action.endpoint.name;
  return "layer" in action ? action.layer?.endpoint.name : undefined;
}

function keyOf(action: StoreAction): string | undefined {
  return "key" in action ? action.key : "only" in action ? action.only?.key : undefined;
}
