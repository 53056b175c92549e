import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  cycles,
  type Import,
  layerBreaches,
  loadBreaches,
  privateBreaches,
  readImports,
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

Deno.test("layers breach nothing when values go down and types go anywhere", () => {
  assertEquals(
    layerBreaches(graph(
      ...["mod.ts → rest", "mod.ts → managers", "schemas → errors", "normalize → schemas", "endpoint → schemas"],
      ...["store → normalize", "http → endpoint", "rest → http", "controller → store", "managers → controller"],
      ...[
        "signals → controller",
        "preact → rest",
        "ssr → preact",
        "store/reducers/set → store/commit",
        "legacy → rest",
      ],
      ...["schemas ⇢ controller", "normalize ⇢ denormalize", "store ⇢ schemas/entity", "store → schemas/interface"],
    )),
    [],
  );
});

const BREACHES: readonly [what: string, arrow: string, message: RegExp][] = [
  ["goes up", "schemas → normalize", /upward/],
  ["goes up from a folder in a folder", "store/reducers/set → controller", /upward/],
  ["goes up to the entry", "preact → mod.ts", /upward/],
  ["goes sideways in errors", "errors → deps", /sideways/],
  ["goes sideways in normalize", "normalize → denormalize", /sideways/],
  ["goes sideways in endpoint", "endpoint → normalize", /sideways/],
  ["goes sideways in store", "store → http", /must not know/],
  ["goes sideways in http", "http → store", /sideways/],
  ["goes sideways in controller", "controller → rest", /must not know/],
  ["goes sideways in testing", "testing → ssr", /sideways/],
  ["knows REST in managers", "managers → rest", /must not know/],
  ["knows HTTP in signals", "signals → http", /must not know/],
  ["knows a type of REST in the controller", "controller ⇢ rest", /must not know/],
  ["knows the store in rest", "rest → store", /must not know/],
  ["knows a concrete schema in store", "store → schemas/entity", /subjects\.ts only/],
  ["knows a concrete schema in controller", "controller → schemas/all", /subjects\.ts only/],
  ["knows a concrete schema in managers", "managers → schemas/all", /subjects\.ts only/],
  ["knows a concrete schema in signals", "signals → schemas/query", /subjects\.ts only/],
  ["is in a folder without a level", "utils → errors", /no layer/],
  ["imports a folder without a level", "store → utils", /no layer/],
];

for (const [what, arrow, message] of BREACHES) {
  Deno.test(`layers are breached when an import ${what}`, () => {
    const breaches = layerBreaches(graph(arrow));
    assertEquals(breaches.length, 1);
    assertMatch(breaches[0] ?? "", message);
  });
}

Deno.test("cycles are found when values go round, in a folder or across", () => {
  assertEquals(cycles(graph("store/a → store/b", "store/b → store/c", "store/c → store/a", "rest → store/a")), [
    "cycle: src/store/a.ts → src/store/b.ts → src/store/c.ts → src/store/a.ts",
  ]);
  assertEquals(cycles(graph("store/a → store/b", "store/b → store/a", "http/a → http/b", "http/b → http/a")).length, 2);
  assertEquals(cycles(graph("store/a → store/a")), ["cycle: src/store/a.ts → src/store/a.ts"]);
});

Deno.test("cycles are none when a type import closes the ring", () => {
  assertEquals(cycles(graph("store/a → store/b", "store/b → store/c", "store/c ⇢ store/a", "store/a → store/c")), []);
});

Deno.test("specifiers are breached when a dependency is named outside src/deps", () => {
  assertEquals(specifierBreaches(graph("deps/preact → npm:preact@^11", "deps/preact ⇢ npm:preact@^11")), []);
  assertMatch(specifierBreaches(graph("rest/path → npm:path-to-regexp@^9")).join(), /in src\/deps\/ only/);
  assertMatch(specifierBreaches(graph("rest/path ⇢ npm:path-to-regexp@^9")).join(), /in src\/deps\/ only/);
  for (const specifier of ["preact", "@rejoin/data", "jsr:@std/assert", "node:fs", "https://example.com/x.ts"]) {
    const imports = [{ from: "src/deps/x.ts", to: "npm:preact", specifier, value: true }];
    assertMatch(specifierBreaches(imports).join(), /no import map/);
  }
});

Deno.test("preact is refused when a layer below the user interface imports it", () => {
  const deps = ["deps/preact → npm:preact", "deps/hooks → npm:preact/hooks", "deps/signals → npm:@preact/signals"];
  const core = "deps/signals_core → npm:@preact/signals-core";
  const uses = ["preact → deps/preact", "ssr → deps/hooks", "testing → deps/signals", "signals → deps/signals_core"];
  assertEquals(uiBreaches(graph(...deps, core, ...uses)), []);
  for (
    const breach of [
      "rest → deps/hooks",
      "signals → deps/preact",
      "signals → deps/signals",
      "store → deps/signals_core",
    ]
  ) {
    assertEquals(uiBreaches(graph(...deps, core, breach)).length, 1, breach);
  }
});

Deno.test("private files are refused when another folder imports them", () => {
  assertEquals(privateBreaches(graph("store/commit → store/_slot", "store/reducers/set → store/_slot")), []);
  assertEquals(privateBreaches(graph("controller/fetch → store/_slot")).length, 1);
  assertEquals(privateBreaches(graph("store/commit ⇢ store/reducers/_merge")).length, 1);
  assertEquals(privateBreaches(graph("storekeeper/x → store/_slot")).length, 1);
});

Deno.test("entries are refused when they load what they promise not to, at any distance", () => {
  assertEquals(loadBreaches(graph("mod.ts → rest", "mod.ts ⇢ preact", "signals → deps/signals_core")), []);
  assertEquals(loadBreaches(graph("mod.ts → rest", "rest → deps/x", "deps/x → npm:@preact/signals-core")), [
    "mod.ts loads npm:@preact/signals-core (imported by src/deps/x.ts)",
  ]);
  assertEquals(loadBreaches(graph("mod.ts → rest", "rest → preact/hooks")).length, 1);
  assertEquals(loadBreaches(graph("signals → deps/signals", "deps/signals → npm:@preact/signals")).length, 1);
  assertEquals(loadBreaches(graph("preact → deps/compat", "deps/compat → npm:preact/compat")).length, 1);
});

Deno.test("imports are told apart when a project uses each kind", async () => {
  const root = `${await Deno.makeTempDir()}/`;
  try {
    await Deno.mkdir(`${root}src/store`, { recursive: true });
    const write = (path: string, text: string) => Deno.writeTextFile(root + path, text);
    await write("deno.json", `{ "imports": { "p": "npm:preact@^11" } }`);
    await write(
      "mod.ts",
      `import type { A } from "./src/a.ts"; import { type B } from "./src/b.ts"; export type { A, B };`,
    );
    await write("src/a.ts", `export { b } from "./b.ts"; export type { B } from "./b.ts"; export type A = 1;`);
    await write("src/b.ts", `export type B = import("./a.ts").A; export const b = () => import("./store/lonely.ts");`);
    await write(
      "src/store/lonely.ts",
      `export * from "../b.ts"; export { h } from "p"; export type { VNode } from "npm:preact@^11/hooks";`,
    );
    await write("src/store/unreached.ts", `import "./lonely.ts";`);
    const imports = (await readImports(root)).map(({ from, to, value }) => `${from} ${value ? "→" : "⇢"} ${to}`);
    assertEquals(imports.sort(), [
      "mod.ts → src/b.ts",
      "mod.ts ⇢ src/a.ts",
      "src/a.ts → src/b.ts",
      "src/b.ts → src/store/lonely.ts",
      "src/b.ts ⇢ src/a.ts",
      "src/store/lonely.ts → npm:preact",
      "src/store/lonely.ts → src/b.ts",
      "src/store/lonely.ts ⇢ npm:preact/hooks",
      "src/store/unreached.ts → src/store/lonely.ts",
    ]);
    await write("src/store/unreached.ts", `import "./nothing.ts";`);
    await assertRejects(() => readImports(root), Error, "nothing.ts");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("the module graph keeps every rule when src is as it is", async () => {
  const imports = await readImports();
  const files = await shippedFiles();
  assert(files.length > 10 && imports.length > files.length, `read ${imports.length} imports of ${files.length} files`);
  const rules = [layerBreaches, cycles, specifierBreaches, uiBreaches, privateBreaches, loadBreaches];
  assertEquals(rules.flatMap((rule) => rule(imports)), []);
});

/** Types that name each other: what an option of an endpoint may be names the endpoint that it is an option of. */
const KNOT = ["rest/rest_endpoint.ts", "rest/steps/step.ts", "rest/steps/batch.ts"].map((file) => `src/${file}`);

Deno.test("the files of a folder can be read one after another: no cycle in it, types included", async () => {
  const folderOf = (path: string) => path.split("/")[1]!;
  const within = (await readImports()).filter(({ from, to }) =>
    to.startsWith("src/") && folderOf(from) === folderOf(to)
  );
  assert(within.length > 500, `read ${within.length} imports`);
  const isKnot = ({ from, to, value }: Import) =>
    !value && KNOT.includes(to) && /rest\/(rest|list)_types\.ts$/.test(from);
  const open = within.filter((one) => !isKnot(one));
  assert(open.length < within.length, "the knot is there");
  assertEquals(cycles(open.map((one) => ({ ...one, value: true }))), []);
});

Deno.test("a file of src is read in one sitting: at most 400 lines, comments included", async () => {
  const long: string[] = [];
  for (const file of await shippedFiles()) {
    const lines = (await Deno.readTextFile(file)).split("\n").length - 1;
    if (lines > 400) long.push(`${file}: ${lines}`);
  }
  assertEquals(long, []);
});
