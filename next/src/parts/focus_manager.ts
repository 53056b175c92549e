import type { Part } from "../controller/part.ts";
import { focus } from "./focus.ts";

/** The name that {@linkcode focus} had: `use: [new FocusManager()]` is `use: [focus()]`. */
export class FocusManager {
  /** @param options Those of `focus`. */
  constructor(...options: Parameters<typeof focus>) {
    Object.assign(this, focus(...options));
  }
}
/** Its members are those of a part. */
export interface FocusManager extends Part {}
