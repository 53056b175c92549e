/** Giving stars, and what becomes of stars that the server does not take. */
import { type Controller, isEnding } from "@rejoin/data";
import { signal } from "@preact/signals";
import { mode } from "./handle.tsx";
import { explain } from "./notices.tsx";
import { FilmResource } from "./resources.ts";
import { touched } from "./touched.ts";

/** A rating that was not kept. */
export interface Refusal {
  /** What was wanted. */
  readonly rating: number | null;
  readonly why: string;
}

/** By the film's id. */
export const refusals = signal<ReadonlyMap<number, Refusal>>(new Map());

/** Gives a film stars, or takes them back; of quick clicks the last one counts. */
export async function rate(controller: Controller, id: number, rating: number | null): Promise<void> {
  forgive(id);
  try {
    await controller.fetch(FilmResource.partialUpdate, { id }, { rating });
    forgive(id);
  } catch (error) {
    // The server fails once: it is good again.
    if (mode.value === "fails") mode.value = "good";
    if (isEnding(error)) return;
    touched.value = id;
    refusals.value = new Map(refusals.value).set(id, { rating, why: explain(error) });
    fallBack(id);
  }
}

/** Forgets that a rating was refused. */
export function forgive(id: number): void {
  if (!refusals.value.has(id)) return;
  const left = new Map(refusals.value);
  left.delete(id);
  refusals.value = left;
}

/** Wherever the film is shown, its stars fall. No component runs for that. */
function fallBack(id: number): void {
  for (const place of document.querySelectorAll(`[data-film="${id}"]`)) {
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const shake = isStill ? [] : [0, -5, 5, -4, 4, -2, 0].map((x) => ({ transform: `translateX(${x}px)` }));
    (place.querySelector(".rate") ?? place).animate(shake, 450);
    place.setAttribute("data-fell", "");
    setTimeout(() => place.removeAttribute("data-fell"), 2_500);
  }
}
