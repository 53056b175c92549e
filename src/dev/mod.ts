/**
 * What development has and production has not: sentences and checks. To import it registers them, which is an effect on
 * purpose: `mod.ts` imports it, `core.ts` does not.
 *
 * @module
 */
import { registerTexts, type Texts } from "../errors/texts.ts";
import { PART_TEXTS } from "../parts/texts.ts";

/** The sentences of every folder. */
export const TEXTS: readonly Texts[] = [PART_TEXTS];

registerTexts(...TEXTS);
