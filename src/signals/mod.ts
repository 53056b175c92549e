/**
 * Reads as signals, for any user of signals-core, without a UI.
 *
 * @module
 */
export { readQuery, readResponse } from "./read_query.ts";
export { signalOf } from "./signal_of.ts";
