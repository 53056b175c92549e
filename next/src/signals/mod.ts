/**
 * Reads as signals, for any user of signals-core, without a UI.
 *
 * @module
 */
export { readQuery } from "./read_query.ts";
export { readResponse } from "./read_response.ts";
export { signalOf } from "./signal_of.ts";
