// The assertions of Deno's standard library, from an npm mirror, so that tests need only one registry. deno.json maps
// `@std/assert` to this file; `jsr:@std/assert` works in its place.
// @ts-types="./std_assert.d.ts"
export * from "npm:deno-std@^1/assert/mod.js";
