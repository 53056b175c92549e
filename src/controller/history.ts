import { nameOf } from "../normalize/walk.ts";
import type { StoreAction } from "../store/reducers/mod.ts";

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
  /** Where it stands in the order of writes. */
  readonly place: number;
  /** When; ms since 1970. */
  readonly date: number;
}

/** The last actions of a store, for explanations. It keeps neither values nor endpoints alive. */
export class History {
  readonly #byPlace = new Map<number, PastAction>();

  /** An action has been committed. */
  note(action: StoreAction): void {
    const { type, place, date } = action;
    this.#byPlace.delete(place);
    this.#byPlace.set(place, { type, name: subjectOf(action), key: keyOf(action), place, date });
    if (this.#byPlace.size > MAX_ACTIONS) this.#byPlace.delete(this.#byPlace.keys().next().value!);
  }

  /** The action whose write stands at a place. */
  at(place: number): PastAction | undefined {
    return this.#byPlace.get(place);
  }

  /** The last action of a kind about a key. */
  last(type: PastAction["type"], key: string): PastAction | undefined {
    return [...this.#byPlace.values()].findLast((action) => action.type === type && action.key === key);
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
