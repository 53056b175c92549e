import type { StorePart } from "../store/store.ts";
import type { Controller } from "./controller.ts";

/** A feature that a controller is given: `new Controller({ use: [memory()] })`. All members are optional. */
export interface Part extends StorePart {
  /** The controller is made; managers are not yet there. */
  install?(controller: Controller): void;
  /** What the part would do by itself is not to be done until the function that this returns is called. */
  pause?(): () => void;
  /** The controller stops. */
  cleanup?(controller: Controller): void;
}
