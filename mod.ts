/**
 * Schemas, endpoints, resources, the controller and its parts, with the sentences and checks of development. The imports
 * without names register these; `core.ts` is the same without them.
 *
 * @module
 */
import "./src/dev/checks.ts";
import "./src/dev/hook_checks.ts";
import "./src/dev/texts.ts";
export * from "./core.ts";
