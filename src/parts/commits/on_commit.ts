import type { Action, CollectAction } from "../../controller/action.ts";
import type { Controller } from "../../controller/controller.ts";
import type { Patch } from "../../store/patch.ts";
import type { PlainPatch } from "../../store/plain_patch.ts";
import { attempt } from "../../errors/report_error.ts";
import type { Released, Store, StorePart } from "../../store/store.ts";
import { partOf } from "../part_of.ts";
import { describeCommit } from "./describe_commit.ts";
import { redactCommit } from "./redact_commit.ts";

/** Is told of a commit: what was replaced as plain data, and the action it came from. */
export type Listener = (patch: PlainPatch, action: Action) => void;

/**
 * Calls a function after each commit.
 *
 * @param controller Whose commits.
 * @param listener Gets what was replaced as plain data, without the members in `static redact` of their class, and the
 *   action it came from: that is whole, and stays in the process.
 * @returns How to stop it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Controller, Entity, onCommit } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   static key = "Article";
 * }
 * const controller = new Controller();
 * const written: string[] = [];
 * const stop = onCommit(controller, ({ records }) => written.push(...records.map(({ key, pk }) => `${key} ${pk}`)));
 * controller.set(Article, "5", { id: "5" });
 * stop();
 * assertEquals(written, ["Article 5"]);
 * ```
 */
export function onCommit({ store }: Controller, listener: Listener): () => void {
  return partOf(store, CommitListeners).add(listener);
}

/** One who is told. */
interface Subscriber {
  readonly listener: Listener;
  /** Commits since it was added that it has not been told of. */
  readonly untold: (readonly [PlainPatch, Action])[];
  /** It is being told, perhaps by whoever commits now. */
  isTold: boolean;
}

/** Who is told of commits. While there is nobody, none is described. */
class CommitListeners implements StorePart {
  readonly #store: Store;
  readonly #subscribers = new Set<Subscriber>();
  #described: PlainPatch | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** One more. Returns how to stop it. */
  add(listener: Listener): () => void {
    const subscriber: Subscriber = { listener, untold: [], isTold: false };
    this.#subscribers.add(subscriber);
    return () => {
      this.#subscribers.delete(subscriber);
      subscriber.untold.length = 0;
    };
  }

  changing(patch: Patch | undefined): void {
    const isWanted = patch !== undefined && this.#subscribers.size > 0;
    this.#described = isWanted ? redactCommit(this.#store, describeCommit(this.#store, patch), patch) : undefined;
  }

  committed(_patch: Patch, action: unknown): void {
    if (this.#described !== undefined) this.#handOut(this.#described, action as Action);
  }

  released(what: Released, action: unknown): void {
    const { seq, date: fetchedAt } = action as CollectAction;
    const nothing = { seq, fetchedAt, expiresAt: 0, reset: false, records: [], names: [], endpoints: [] };
    this.#handOut(redactCommit(this.#store, { ...nothing, ...what }), action as Action);
  }

  /** Each listener gets each commit, in order, also when a listener itself commits; one that throws stops no other. */
  #handOut(patch: PlainPatch, action: Action): void {
    const present = [...this.#subscribers];
    for (const { untold } of present) untold.push([patch, action]);
    for (const subscriber of present) tell(subscriber);
  }
}

/** Who commits while it is told of a commit is told of that one next; the others are told at once. */
function tell(subscriber: Subscriber): void {
  if (subscriber.isTold) return;
  subscriber.isTold = true;
  for (let told = subscriber.untold.shift(); told !== undefined; told = subscriber.untold.shift()) {
    const next = told;
    attempt(() => void subscriber.listener(...next));
  }
  subscriber.isTold = false;
}
