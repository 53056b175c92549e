/**
 * Features that a controller is given by who names them.
 *
 * @module
 */
export { memory, retain } from "./memory/memory.ts";
export type { MemoryOptions } from "./memory/collector.ts";
