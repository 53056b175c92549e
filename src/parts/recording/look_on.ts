import type { Controller, Part } from "../../controller/controller.ts";
import { RejoinError } from "../../errors/rejoin_error.ts";
import { said } from "../../errors/texts.ts";

/**
 * A part sees what a controller does behind all of its managers, and who is in flight at once. As long as it looks on,
 * the others do nothing by themselves: nothing is collected.
 *
 * @returns How to end it.
 * @throws {RejoinError} If another one looks on.
 */
export function lookOn(controller: Controller, part: Part): () => void {
  const { flights, store } = controller;
  const parts: readonly Part[] = store.parts;
  if (parts.some(({ perform }) => perform !== undefined)) throw new RejoinError(said(603));
  const resumes = parts.map((other) => other.pause?.());
  const leave = store.join(part);
  for (const flight of flights) part.started?.(flight);
  let isLooking = true;
  return () => {
    if (!isLooking) return;
    isLooking = false;
    leave();
    for (const resume of resumes) resume?.();
  };
}
