import type { Controller } from "../controller/controller.ts";
import type { AnyEndpoint, AnyReadable } from "../endpoint/interface.ts";
import { isSchemaObject } from "../schemas/interface.ts";
import type { ResponseView } from "../store/response_view.ts";

/**
 * Marks answers stale that somebody shows, so that they are fetched again. What is on its way already is left alone.
 *
 * @param controller Whose store.
 * @param isDue Which of them.
 */
export function expireWatched(controller: Controller, isDue: (view: ResponseView) => boolean): void {
  const keys = new Set<string>();
  for (const view of controller.store.responses(() => true)) {
    if (view.watchers === undefined || !isFetched(view.endpoint) || !isDue(view)) continue;
    if (controller.findRead(view.endpoint, view.key) === undefined) keys.add(view.key);
  }
  if (keys.size > 0) controller.expireAll({ testKey: (key) => keys.has(key) });
}

/** A query is made of what is there, and a mutation is nobody's to repeat. */
function isFetched(endpoint: AnyReadable): endpoint is AnyEndpoint {
  return !isSchemaObject(endpoint) && !endpoint.sideEffect;
}
