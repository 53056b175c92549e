/**
 * What development has and production has not: sentences and checks. To import it registers them, which is an effect on
 * purpose: `mod.ts` imports it, `core.ts` does not.
 *
 * @module
 */
import { CONTROLLER_TEXTS } from "../controller/texts.ts";
import { ENDPOINT_TEXTS } from "../endpoint/texts.ts";
import { registerTexts, type Texts } from "../errors/texts.ts";
import { HTTP_TEXTS } from "../http/texts.ts";
import { LEGACY_TEXTS } from "../legacy/texts.ts";
import { MANAGER_TEXTS } from "../managers/texts.ts";
import { PART_TEXTS } from "../parts/texts.ts";
import { PREACT_TEXTS } from "./preact_texts.ts";
import { REST_TEXTS } from "../rest/texts.ts";

/** The sentences of every folder. */
export const TEXTS: readonly Texts[] = [
  ENDPOINT_TEXTS,
  HTTP_TEXTS,
  REST_TEXTS,
  CONTROLLER_TEXTS,
  PART_TEXTS,
  MANAGER_TEXTS,
  PREACT_TEXTS,
  LEGACY_TEXTS,
];

registerTexts(...TEXTS);
