/**
 * A panel for development that shows what a store does: `inspect(controller)`. No app loads it that does not name it.
 *
 * @module
 */
export { inspect, type InspectOptions } from "./inspect.ts";
