import { assert, assertEquals } from "@std/assert";
import { measureTypes } from "../../bench/types.ts";

Deno.test("a program of 25 resources stays within 3,000 instantiations a resource", () => {
  const { errors, perResource } = measureTypes(25);
  assertEquals(errors, []);
  assert(perResource <= 3_000, `${perResource} instantiations a resource`);
});
