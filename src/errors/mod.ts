/**
 * Every error this library makes.
 *
 * @module
 */
export { AbortOptimistic } from "./abort_optimistic.ts";
export { ConflictError } from "./conflict_error.ts";
export { EndpointError } from "./endpoint_error.ts";
export { isEnding } from "./is_ending.ts";
export { NetworkError } from "./network_error.ts";
export { NormalizeError } from "./normalize_error.ts";
export { OvertakenError } from "./overtaken_error.ts";
export { ParseError } from "./parse_error.ts";
export { RejoinError } from "./rejoin_error.ts";
export { SchemaError } from "./schema_error.ts";
export { TimeoutError } from "./timeout_error.ts";
export { UrlError } from "./url_error.ts";
export { ValidationError } from "./validation_error.ts";
export { WriteError } from "./write_error.ts";
