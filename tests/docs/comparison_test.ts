// Each cell of the comparison leads to what it says.
import { assert, assertEquals } from "@std/assert";
import { ROOT } from "../repo/module_graph.ts";

Deno.test("17. every cell of the comparison's table leads to a test or a page, or says that there is none", async () => {
  const page = await Deno.readTextFile(`${ROOT}docs/comparison.md`);
  const [head, , ...rows] = page.slice(page.indexOf("## Features"), page.indexOf("## Size")).split("\n").filter((
    line,
  ) => line.startsWith("|"));
  const peers = head!.split("|").slice(3, -1).map((cell) => cell.trim());
  assertEquals(peers.length, 8);
  assert(rows.length > 10, `${rows.length} rows`);
  const bare = rows.flatMap((row) => {
    const [name = "", ...cells] = row.split("|").slice(1, -1).map((cell) => cell.trim());
    assertEquals(cells.length, 9, name);
    return cells.filter((cell) => !/^(?:–|\?|\[[^\]]+\]\([^)]+\))$/.test(cell)).map((cell) => `${name}: ${cell}`);
  });
  assertEquals(bare, []);
});
