/** What is public: few names for who writes an app, the others in `@rejoin/data/extend`. */
import { assert, assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { documents, ROOT } from "./documents.ts";

/** At most so many; more are a decision: what only writers of schemas, steps, parts and managers need is in `extend`. */
const MOST_VALUES = 72;
const MOST_TYPES = 167;

interface Exported {
  readonly name: string;
  readonly declarations: readonly { readonly kind: string }[];
}

/** The exports of an entry, as `deno doc` finds them. */
async function exportsOf(entry: string): Promise<Exported[]> {
  const args = ["doc", "--json", `${ROOT}${entry}`];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).output();
  assert(success, new TextDecoder().decode(stderr));
  const { nodes }: { readonly nodes: Readonly<Record<string, { readonly symbols?: readonly Exported[] }>> } = JSON
    .parse(
      new TextDecoder().decode(stdout),
    );
  return Object.values(nodes).flatMap(({ symbols }) => symbols ?? []);
}

function isType({ declarations }: Exported): boolean {
  return declarations.every(({ kind }) => kind === "interface" || kind === "typeAlias");
}

Deno.test("14.8 the main entry has few exports, and none that only extensions need", async () => {
  const [main, extend] = await Promise.all([exportsOf("core.ts"), exportsOf("src/extend/mod.ts")]);
  const types = main.filter(isType).length;
  const values = main.length - types;
  assert(values <= MOST_VALUES && types <= MOST_TYPES, `${values} values and ${types} types`);
  const names = new Set(main.map(({ name }) => name));
  assertEquals(extend.map(({ name }) => name).filter((name) => names.has(name)).sort(), ["Manager", "StreamMessage"]);
});

Deno.test("17. every value that an entry exports is named in docs/", async () => {
  let docs = "";
  for (const path of await documents()) if (path.startsWith("docs/")) docs += await Deno.readTextFile(ROOT + path);
  const unnamed: string[] = [];
  for (const [entry, file] of Object.entries(config.exports)) {
    for (const name of Object.keys(await import(`${ROOT}${file}`))) {
      if (!new RegExp(`\\b${name}\\b`).test(docs)) unnamed.push(`${entry}: ${name}`);
    }
  }
  assertEquals(unnamed, []);
});
