import type { Controller } from "../../controller/controller.ts";
import { CommitListeners, type Listener } from "./commit_listeners.ts";

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
  let listeners = store.parts.find((part) => part instanceof CommitListeners);
  if (listeners === undefined) store.join(listeners = new CommitListeners(store));
  return listeners.add(listener);
}
