import { assert, assertEquals } from "@std/assert";
import { parseLinks } from "@rejoin/data";

Deno.test("parseLinks reads every form of a Link header: quotes, commas, several relations, missing parameters", () => {
  assertEquals([...parseLinks(null)], []);
  const odd =
    `<a?x=1,2>;rel=next,<b>; title="x, <y>; rel=\\"no\\""; REL="prev  First", <c>; rel="next", <d>; foo, <>;rel=self`;
  assertEquals([...parseLinks(odd)], [["next", "a?x=1,2"], ["prev", "b"], ["first", "b"], ["self", ""]]);
  assertEquals([...parseLinks('<x>; rel="__proto__"').keys()], ["__proto__"]);
  assertEquals([...parseLinks("no links at all <")], []);
  // Parameters may be empty.
  assertEquals([...parseLinks('<u>;; rel="next", <v>; ; title="x"; ;rel="last";')], [["next", "u"], ["last", "v"]]);
});

Deno.test("parseLinks takes linear time for hostile headers", () => {
  const parts = ["<", " ", '\\"', ";", "=", '"', "b", "<a"];
  const hostile = [...parts, ...parts.map((part) => `${part} `)].flatMap((
    part,
  ) => [part.repeat(80_000), `<a>;b${part.repeat(80_000)}`]);
  const start = performance.now();
  for (const header of [...hostile, `<a>;b=${" ".repeat(80_000)}`, `<a>;${" ".repeat(80_000)}`]) parseLinks(header);
  // An earlier version took 6 s for the first of these headers.
  assert(performance.now() - start < 5_000);
  const header = '<a> ; rel = "next" ; title="x, <y>" , <b>;rel=prev;x,<c?q=1;2>; REL="last first"';
  assertEquals([...parseLinks(header)], [["next", "a"], ["prev", "b"], ["last", "c?q=1;2"], ["first", "c?q=1;2"]]);
});
