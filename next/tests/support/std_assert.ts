// Assertions of Deno's standard library, from its npm mirror, so that tests need one registry only. deno.json maps
// `@std/assert` to this file: `jsr:@std/assert` can stand there instead.
// @ts-types="./std_assert.d.ts"
export * from "npm:deno-std@^1/assert/mod.js";
