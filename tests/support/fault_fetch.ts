/**
 * The `fetch` of the testing kit, with every fault that a network has, without what the kit has for components.
 *
 * @module
 */
export type { Call, Fault, FaultFetchOptions, Handler, Held, Match } from "../../src/testing/fault.ts";
export { FaultFetch } from "../../src/testing/fault_fetch.ts";
