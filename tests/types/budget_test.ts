import { assert, assertEquals } from "@std/assert";
import { measureTypes } from "../../bench/types.ts";

Deno.test("a file of a hundred resources stays within 3,000 instantiations a resource", () => {
  const { errors, perResource } = measureTypes(100);
  assertEquals(errors, []);
  assert(perResource <= 3_000, `${perResource} instantiations a resource`);
});
