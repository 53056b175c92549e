import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname } from "node:path";
import config from "../../deno.json" with { type: "json" };
import { type Example, examplesOf } from "../../scripts/examples.ts";
import { documents, ROOT } from "./documents.ts";

const FENCE = /^(`{3,})([^\n`]*)\n([\s\S]*?)^\1\s*$/gm;

/** Runs `deno`, and returns its output without colours. */
async function deno(...args: string[]): Promise<{ success: boolean; output: string }> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  const [out, err] = [new TextDecoder().decode(stdout), new TextDecoder().decode(stderr)];
  return { success, output: success ? out : out + err };
}

/** A declaration or a member in `deno doc --json`. `doc` is missing if the docstring has only tags. */
interface Documented {
  readonly name?: string;
  readonly kind?: string;
  readonly location: { readonly filename: string; readonly line: number };
  readonly jsDoc?: object;
  readonly declarationKind?: string;
  readonly accessibility?: string;
  readonly isOverride?: boolean;
  readonly def?: {
    readonly properties?: readonly Documented[];
    readonly methods?: readonly Documented[];
    readonly extends?: unknown;
    readonly implements?: unknown;
  };
}

/** `src/x.ts:3: Class.member` for each public symbol without a docstring, and for each member of a class. */
async function docBreaches(...entries: string[]): Promise<string[]> {
  const { success, output } = await deno("doc", "--json", ...entries);
  assert(success, output);
  const nodes: Record<string, { symbols?: { name: string; declarations: Documented[] }[] }> = JSON.parse(output).nodes;
  const symbols = Object.values(nodes).flatMap((node) => node.symbols ?? []).map(({ name, declarations }) => ({
    name,
    // References are skipped, because they are documented where they are declared.
    own: declarations.filter(({ kind, declarationKind }) => kind !== "reference" && declarationKind === "export"),
  }));
  const described = new Map<string, Set<string | undefined>>();
  for (const { name, own } of symbols) {
    const members = own.flatMap(membersOf).filter(({ jsDoc }) => jsDoc).map((member) => member.name);
    // An entry may export everything of another.
    described.set(name, new Set([...described.get(name) ?? [], ...members]));
  }

  const breaches = new Set<string>();
  for (const { name, own } of symbols) {
    for (const declaration of undocumented(own)) breaches.add(`${placeOf(declaration)}: ${name}`);
    // The names of members of interfaces often say enough, so only classes are checked.
    for (const declaration of own.filter(({ kind }) => kind === "class")) {
      const parents = parentsOf(declaration).map((parent) => described.get(parent));
      for (const member of undocumented(membersOf(declaration).filter(needsDocstring))) {
        if (parents.some((members) => members?.has(member.name))) continue;
        breaches.add(`${placeOf(member)}: ${name}.${member.name}`);
      }
    }
  }
  return [...breaches].sort();
}

function membersOf({ def }: Documented): Documented[] {
  return [...def?.properties ?? [], ...def?.methods ?? []];
}

/** The classes and interfaces that a declaration extends or implements, because members are documented there. */
function parentsOf({ def }: Documented): string[] {
  return [...JSON.stringify([def?.extends, def?.implements]).matchAll(/"typeName":"(\w+)"/g)].map((match) =>
    match[1] ?? ""
  );
}

/** Overrides are documented in their base class, and `~types` is only for the type checker. */
function needsDocstring({ name, accessibility, isOverride }: Documented): boolean {
  return isOverride !== true && accessibility !== "private" && !name?.startsWith("~");
}

/** One docstring is enough for all overloads. */
function undocumented(declarations: readonly Documented[]): Documented[] {
  const described = new Set(declarations.filter(({ jsDoc }) => jsDoc !== undefined).map(({ name }) => name));
  return declarations.filter(({ name }) => !described.has(name));
}

function placeOf({ location }: Documented): string {
  return `${decodeURIComponent(new URL(location.filename).pathname).replace(ROOT, "")}:${location.line + 1}`;
}

/** The entries of the package, and the modules that they export as namespaces, which `deno doc` does not visit. */
async function publicModules(): Promise<string[]> {
  const modules = new Set<string>();
  for (const entry of Object.values(config.exports)) {
    modules.add(new URL(entry, `file://${ROOT}`).pathname);
    const text = await Deno.readTextFile(`${ROOT}${entry}`);
    for (const [, specifier] of text.matchAll(/^export \* as \w+ from "(\.[^"]+)"/gm)) {
      modules.add(new URL(specifier ?? "", new URL(entry, `file://${ROOT}`)).pathname);
    }
  }
  return [...modules];
}

/** GitHub's anchor of a heading. */
function anchor(heading: string): string {
  return heading.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
}

function anchors(text: string): Set<string> {
  const headings = [...text.replaceAll(FENCE, "").matchAll(/^#{1,6} +(.+)$/gm)].map((match) => anchor(match[1] ?? ""));
  return new Set(headings.map((heading, index) => {
    const before = headings.slice(0, index).filter((other) => other === heading).length;
    return before === 0 ? heading : `${heading}-${before}`;
  }));
}

/** Links of a document to missing files or headings. `read` returns the text of a file, or `undefined`. */
async function linkBreaches(
  path: string,
  text: string,
  read: (path: string) => Promise<string | undefined>,
): Promise<string[]> {
  const breaches: string[] = [];
  const prose = text.replaceAll(FENCE, "").replaceAll(/`[^`\n]*`/g, "");
  const links = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+(\S+)/gm)];
  for (const target of links.map((match) => match[1] ?? match[2] ?? "")) {
    if (/^[a-z][a-z+.-]*:/i.test(target)) continue;
    const url = new URL(target, `file:///${path}`);
    const file = decodeURIComponent(url.pathname.slice(1));
    const linked = file === path ? text : await read(file);
    if (linked === undefined) breaches.push(`${path}: ${target}: no such file`);
    else if (url.hash && file.endsWith(".md") && !anchors(linked).has(decodeURIComponent(url.hash.slice(1)))) {
      breaches.push(`${path}: ${target}: no such heading`);
    }
  }
  return breaches;
}

/** Pages that cannot be reached by links from the first page. */
function unreachable(first: string, pages: ReadonlyMap<string, string>): string[] {
  const reached = new Set([first]);
  for (const page of reached) {
    const prose = (pages.get(page) ?? "").replaceAll(FENCE, "");
    for (const [, target = ""] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      const linked = new URL(target, `file:///${page}`).pathname.slice(1);
      if (pages.has(linked)) reached.add(linked);
    }
  }
  return [...pages.keys()].filter((page) => !reached.has(page));
}

async function readInRepository(path: string): Promise<string | undefined> {
  const stat = await Deno.stat(ROOT + path).catch(() => undefined);
  return stat === undefined ? undefined : stat.isFile ? await Deno.readTextFile(ROOT + path) : "";
}

/** The type errors of blocks, with the names of their documents. */
async function typeBreaches(blocks: readonly Example[]): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    const files = blocks.map(({ page, language, file }, index) =>
      `${folder}/${page.replaceAll(/\W/g, "_")}${file ? `/${file}` : `_${index}.${language}`}`
    );
    for (const [index, file] of files.entries()) {
      await Deno.mkdir(dirname(file), { recursive: true });
      // The export makes each block a module, even if it imports and exports nothing.
      await Deno.writeTextFile(file, `${blocks[index]?.code}\nexport {};\n`);
    }
    const { success, output } = await deno("check", "--config", `${ROOT}deno.json`, ...files);
    return success ? "" : output;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("docstrings are asked for when a public symbol, member or re-export has none", async () => {
  const folder = await Deno.makeTempDir();
  const mod = [
    `export * from "./other.ts";`,
    `export class A {`,
    `  b = 1;`,
    `  /** Has one. */`,
    `  c(n: number): void;`,
    `  c(n: string): void;`,
    `  c(): void {}`,
    `  private d = 1;`,
    `}`,
    `/** Has one. */`,
    `export class E extends A {`,
    `  override b = 2;`,
    `  get f(): number { return 1; }`,
    `}`,
    `/** Has one. */`,
    `export interface G {`,
    `  readonly "~types": unknown;`,
    `  h(): void;`,
    `  /** Has one. */`,
    `  k(): void;`,
    `}`,
    `/** Has one. */`,
    `export interface L extends G { k(): undefined; m: number }`,
  ];
  try {
    await Deno.writeTextFile(`${folder}/mod.ts`, mod.join("\n"));
    await Deno.writeTextFile(`${folder}/other.ts`, `export type I = 1;\nconst j = 2;\nvoid j;\n`);
    assertEquals(await docBreaches(`${folder}/mod.ts`), [
      `${folder}/mod.ts:13: E.f`,
      `${folder}/mod.ts:2: A`,
      `${folder}/mod.ts:3: A.b`,
      `${folder}/other.ts:1: I`,
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("every public symbol has its docstring when src is as it is", async () => {
  const modules = await publicModules();
  assert(modules.length > Object.keys(config.exports).length, "no module is exported as a namespace");
  assertEquals(await docBreaches(...modules), []);
});

Deno.test("links are refused when they lead nowhere", async () => {
  const text = [
    "# Some `code`, and more",
    "[a](docs/a.md) [b](docs/b.md) [c](#some-code-and-more) [d](#nothing) [e](docs/a.md#one-1) [f](docs/a.md#two)",
    "[g](https://example.com/x.md) `[h](nothing.md)`",
    "```md\n[i](nothing.md)\n```",
    "[j]: docs/j.md",
  ].join("\n");
  const files: Record<string, string> = { "docs/a.md": "# One\n## One\n```sh\n# Two\n```\n" };
  assertEquals(await linkBreaches("README.md", text, (path) => Promise.resolve(files[path])), [
    "README.md: docs/b.md: no such file",
    "README.md: #nothing: no such heading",
    "README.md: docs/a.md#two: no such heading",
    "README.md: docs/j.md: no such file",
  ]);
});

Deno.test("links lead somewhere when the documents are as they are", async () => {
  const paths = await documents();
  for (
    const path of ["README.md", "ARCHITECTURE.md", "DECISIONS.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
  ) {
    assert(paths.includes(path), `${path} is missing`);
  }
  const breaches = [];
  for (const path of paths) {
    breaches.push(...await linkBreaches(path, await Deno.readTextFile(ROOT + path), readInRepository));
  }
  assertEquals(breaches, []);
});

Deno.test("17. every page of docs is reached from the first one", async () => {
  const pages = new Map<string, string>();
  for (const path of await documents()) {
    if (path.startsWith("docs/")) pages.set(path, await Deno.readTextFile(ROOT + path));
  }
  assert(pages.size > 25, `${pages.size} pages`);
  assertEquals(unreachable("docs/README.md", pages), []);
  assertEquals(unreachable("docs/README.md", new Map([...pages, ["docs/lonely.md", "[start](start.md)"]])), [
    "docs/lonely.md",
  ]);
});

Deno.test("code blocks are refused when they do not fit the types", async () => {
  const blocks = examplesOf(
    "README.md",
    "```ts\nconst n: number = 1;\n```\n\n```ts ignore\nconst s: string = 1;\n```\n\n```sh\nls\n```\n",
  );
  assertEquals(blocks.length, 2);
  const output = await typeBreaches(blocks);
  assertStringIncludes(output, "Type 'number' is not assignable to type 'string'");
  assertEquals(output.match(/TS\d+/g)?.length, 1);
});

Deno.test("code blocks fit the types when the documents are as they are", async () => {
  const blocks = [];
  for (const name of await documents()) blocks.push(...examplesOf(name, await Deno.readTextFile(ROOT + name)));
  assert(blocks.some(({ page }) => page === "README.md"), "README.md shows no code");
  assertEquals(await typeBreaches(blocks), "");
});

Deno.test(".ci/run uses the commands that README.md names", async () => {
  const [readme, script] = [await Deno.readTextFile(`${ROOT}README.md`), await Deno.readTextFile(`${ROOT}.ci/run`)];
  for (const command of ["task test", "task check"]) assertStringIncludes(script, command);
  assertStringIncludes(readme, "npx -y deno task test");
  assertStringIncludes(readme, "npx -y deno task demo");
});

/** The rows of the table under a heading of a document. */
async function rowsOf(document: string, heading: string): Promise<string> {
  const text = await Deno.readTextFile(ROOT + document);
  const section = text.split(/^#{1,2} /m).find((part) => part.startsWith(heading)) ?? "";
  return section.split("\n").filter((line) => line.startsWith("|")).join("\n");
}

Deno.test("17. README.md names every folder of the sources, and CONTRIBUTING.md every task", async () => {
  const [places, commands] = [
    await rowsOf("README.md", "Where things live"),
    await rowsOf("CONTRIBUTING.md", "Working on Rejoin"),
  ];
  const names = (await Array.fromAsync(Deno.readDir(`${ROOT}src`))).map(({ name }) => name);
  assert(names.length > 15, `${names.length} folders`);
  assertEquals(names.filter((name) => !places.includes(`\`${name}/\``)), []);
  assertEquals(Object.keys(config.tasks).filter((task) => !commands.includes(`| \`deno task ${task}\` `)), []);
});
