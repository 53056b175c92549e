import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  cycles,
  type Import,
  loadBreaches,
  privateBreaches,
  readImports,
  roomBreaches,
  shippedFiles,
  specifierBreaches,
  uiBreaches,
} from "./module_graph.ts";

/** `"a → b"` is a value import, `"a ⇢ b"` a type import; `store` stands for `src/store/mod.ts`, `x/y` for `src/x/y.ts`. */
function graph(...arrows: string[]): Import[] {
  const path = (name: string) =>
    name === "mod.ts" || name.startsWith("npm:") ? name : name.includes("/") ? `src/${name}.ts` : `src/${name}/mod.ts`;
  return arrows.map((arrow) => {
    const [from = "", kind, to = ""] = arrow.split(" ");
    return { from: path(from), to: path(to), specifier: to.startsWith("npm:") ? to : "./x.ts", value: kind === "→" };
  });
}

Deno.test("a breach of each rule of the module graph is found", () => {
  assertEquals(roomBreaches(graph("mod.ts → rest", "rest ⇢ store", "store/a → store/b", "dev → rest")), []);
  assertMatch(roomBreaches(graph("store ⇢ schemas")).join(), /upward/);
  assertMatch(roomBreaches(graph("preact → mod.ts")).join(), /upward/);
  assertMatch(roomBreaches(graph("store → utils")).join(), /no room/);
  assertEquals(cycles(graph("store/a → store/b", "store/b ⇢ store/c", "store/c → store/a", "rest → store/a")), [
    "cycle: src/store/a.ts → src/store/b.ts → src/store/c.ts → src/store/a.ts",
  ]);
  assertMatch(specifierBreaches(graph("rest/path → npm:path-to-regexp@^9")).join(), /in src\/deps\/ only/);
  const bare = { from: "src/deps/x.ts", to: "npm:preact", specifier: "preact", value: true };
  assertMatch(specifierBreaches([bare]).join(), /no import map/);
  assertEquals(uiBreaches(graph("deps/preact → npm:preact", "rest → deps/preact")).length, 1);
  assertEquals(privateBreaches(graph("controller/fetch → store/_slot")).length, 1);
  assertEquals(loadBreaches(graph("mod.ts → rest", "rest → deps/x", "deps/x → npm:@preact/signals-core")), [
    "mod.ts loads npm:@preact/signals-core (imported by src/deps/x.ts)",
  ]);
});

Deno.test("src as it is imports downwards only, has no cycle, and loads nothing that an entry promises not to", async () => {
  const imports = await readImports();
  const files = await shippedFiles();
  assert(files.length > 60 && imports.length > files.length, `read ${imports.length} imports of ${files.length} files`);
  const rules = [roomBreaches, cycles, specifierBreaches, uiBreaches, privateBreaches, loadBreaches];
  assertEquals(rules.flatMap((rule) => rule(imports)), []);
});
