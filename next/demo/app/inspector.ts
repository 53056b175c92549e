/** Loaded when somebody wants to see it. */
export { inspect } from "@rejoin/data/inspector";
