/**
 * Stored data as signals of `@preact/signals-core`, without a UI.
 *
 * @module
 */
export { readQuery, readResponse } from "./read_query.ts";
export { signalOf, type SignalSource, type SourceArgs, type SourceValue } from "./signal_of.ts";
