/**
 * A panel in the page that shows what a store does. For development.
 *
 * @module
 */
export { inspect, type InspectOptions } from "./inspect.ts";
