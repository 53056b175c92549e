/** Giving stars, and what becomes of stars that the server does not take. */
import { type Controller, isEnding } from "@rejoin/data";
import { signal } from "@preact/signals";
import { mode } from "./handle.tsx";
import { explain } from "./notices.tsx";
import { FilmResource } from "./resources.ts";

/** A rating that was not kept: what was wanted, and why. */
interface Refusal {
  readonly rating: number | null;
  readonly why: string;
}

/** The film that was touched last on the wall, or whose stars were refused since. */
export const touched = signal<number | undefined>(undefined);

/** By the film's id. */
export const refusals = signal<ReadonlyMap<number, Refusal>>(new Map());

/** Gives a film stars, or takes them back; of quick clicks the last one counts. */
export async function rate(controller: Controller, id: number, rating: number | null): Promise<void> {
  setRefusal(id);
  try {
    await controller.fetch(FilmResource.partialUpdate, { id }, { rating });
    setRefusal(id);
  } catch (error) {
    // The server fails once: it is good again.
    if (mode.value === "fails") mode.value = "good";
    if (isEnding(error)) return;
    touched.value = id;
    setRefusal(id, { rating, why: explain(error) });
    fallBack(id);
  }
}

function setRefusal(id: number, refusal?: Refusal): void {
  if (!refusal && !refusals.value.has(id)) return;
  const all = new Map(refusals.value);
  if (refusal) all.set(id, refusal);
  else all.delete(id);
  refusals.value = all;
}

/** Wherever the film is shown, its stars fall. No component runs for that. */
function fallBack(id: number): void {
  for (const place of document.querySelectorAll(`[data-film="${id}"]`)) {
    place.setAttribute("data-fell", "");
    setTimeout(() => place.removeAttribute("data-fell"), 2_500);
  }
}
