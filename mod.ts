/**
 * Rejoin: declare entities and REST resources once; every response is normalized into one cache of records, and every
 * read rejoins them, so that the same record is the same object everywhere.
 *
 * This entry needs no UI, no signals, no DOM and no permission but the network of the API's host.
 *
 * @module
 */
import "./src/dev/mod.ts";

export * from "./core.ts";
