import { assert, assertEquals } from "@std/assert";
import { measureTypes } from "../../bench/types.ts";
import { size } from "../support/property.ts";

// Each of 25 costs what each of 100 does.
const COUNT = size(25, 500);

Deno.test(`a program of ${COUNT} resources stays within 3,000 instantiations a resource`, () => {
  const { errors, perResource } = measureTypes(COUNT);
  assertEquals(errors, []);
  assert(perResource <= 3_000, `${perResource} instantiations a resource`);
});
