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

/** What was wanted last, by the film's id: of quick clicks the last one counts. */
const wanted = new Map<number, number | null>();

/** Gives a film stars, or takes them back. */
export async function rate(controller: Controller, id: number, rating: number | null): Promise<void> {
  forgive(id);
  wanted.set(id, rating);
  try {
    await controller.fetch(FilmResource.partialUpdate, { id }, { rating });
  } catch (error) {
    // The server fails once: it is good again.
    if (mode.value === "fails") mode.value = "good";
    // Quick clicks are one request, and have one outcome.
    if (isEnding(error) || refusals.value.has(id)) return;
    touched.value = id;
    refusals.value = new Map(refusals.value).set(id, { rating: wanted.get(id) ?? null, why: explain(error) });
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
