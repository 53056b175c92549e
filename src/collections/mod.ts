/**
 * Lists that grow by themselves, with all that only they need: schemas, what becomes of lists when something is written,
 * and resources that have such lists.
 *
 * @module
 */
export { resource } from "./resource.ts";
