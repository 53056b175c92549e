/**
 * What development has and production has not: sentences and checks. To import it registers them, which is an effect on
 * purpose: `mod.ts` imports it, `core.ts` does not.
 *
 * @module
 */
import { checkRequest, warnOfLayers, warnOfUnserved } from "../controller/checks.ts";
import { CONTROLLER_TEXTS } from "../controller/texts.ts";
import { ENDPOINT_TEXTS } from "../endpoint/texts.ts";
import { warnOfLacking } from "../denormalize/checks.ts";
import { DENORMALIZE_TEXTS } from "../denormalize/texts.ts";
import { registerChecks } from "../errors/checks.ts";
import { registerTexts, type Texts } from "../errors/texts.ts";
import { HTTP_TEXTS } from "../http/texts.ts";
import { LEGACY_TEXTS } from "../legacy/texts.ts";
import { MANAGER_TEXTS } from "../managers/texts.ts";
import { NORMALIZE_TEXTS } from "../normalize/texts.ts";
import { PART_TEXTS } from "../parts/texts.ts";
import { checkDefinition, checkEntity, checkSchema } from "../schemas/checks.ts";
import { SCHEMA_TEXTS } from "../schemas/texts.ts";
import { lookAtFamily } from "../store/family.ts";
import { warnOfOlderStatics } from "../store/older_statics.ts";
import { warnOfRecord, warnOfReply, warnOfUnsaved, warnOfUpdate } from "../store/warnings.ts";
import { STORE_TEXTS } from "../store/texts.ts";
import { checkGiven, checkUnseen } from "./preact_checks.ts";
import { PREACT_TEXTS } from "./preact_texts.ts";
import { checkCall } from "../rest/check_call.ts";
import { REST_TEXTS } from "../rest/texts.ts";

/** The sentences of every folder. */
export const TEXTS: readonly Texts[] = [
  SCHEMA_TEXTS,
  NORMALIZE_TEXTS,
  DENORMALIZE_TEXTS,
  STORE_TEXTS,
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
registerChecks({
  call: checkCall,
  definition: checkDefinition,
  entity: checkEntity,
  family: lookAtFamily,
  given: checkGiven,
  lacking: warnOfLacking,
  layers: warnOfLayers,
  pk: warnOfRecord,
  reply: warnOfReply,
  request: checkRequest,
  schema: checkSchema,
  statics: warnOfOlderStatics,
  unsaved: warnOfUnsaved,
  unseen: checkUnseen,
  unserved: warnOfUnserved,
  update: warnOfUpdate,
});
