export * from "./checks.ts";
export * from "./errors.ts";
export * from "./rejoin_error.ts";
