/**
 * The public symbols, from `deno doc --json`, as Markdown: signature, docstring, members.
 *
 * @module
 */

/** An entry of the package. */
export interface ApiPage {
  /** `@rejoin/data/preact`. */
  readonly name: string;
  /** Its file in the site, without an ending. */
  readonly slug: string;
  readonly markdown: string;
}

interface Tag {
  readonly kind: string;
  readonly name?: string;
  readonly doc?: string;
}

interface Declaration {
  readonly kind: string;
  readonly declarationKind?: string;
  readonly name?: string;
  readonly accessibility?: string;
  readonly location: { readonly filename: string; readonly line: number };
  readonly jsDoc?: { readonly doc?: string; readonly tags?: readonly Tag[] };
  readonly def?: { readonly properties?: readonly Declaration[]; readonly methods?: readonly Declaration[] };
}

interface DocModule {
  readonly module_doc?: { readonly doc?: string };
  readonly symbols?: readonly { readonly name: string; readonly declarations: readonly Declaration[] }[];
}

/**
 * Reads what the entries of the package export.
 *
 * @param root Where the repository is.
 * @param name The package's name.
 * @param entries Its entries: `{ "./preact": "./src/preact/mod.ts" }`.
 */
export async function readApi(
  root: string,
  name: string,
  entries: Readonly<Record<string, string>>,
): Promise<ApiPage[]> {
  const pages: ApiPage[] = [];
  for (const [entry, file] of Object.entries(entries)) {
    // The same exports as the main one.
    if (entry === "./core") continue;
    const path = `${root}${entry === "." ? entries["./core"] : file}`;
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["doc", "--json", path],
      cwd: root,
    })
      .output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    const nodes: Record<string, DocModule> = JSON.parse(new TextDecoder().decode(stdout)).nodes;
    const sources = new Map<string, string[]>();
    const parts = [`# ${name}${entry.slice(1)}`, ""];
    for (const { module_doc, symbols = [] } of Object.values(nodes)) {
      if (module_doc?.doc) parts.push(module_doc.doc, "");
      for (const symbol of symbols.toSorted((one, other) => one.name.localeCompare(other.name))) {
        parts.push(...await symbolParts(symbol, sources));
      }
    }
    pages.push({
      name: `${name}${entry.slice(1)}`,
      slug: entry === "." ? "core" : entry.slice(2),
      markdown: parts.join("\n"),
    });
  }
  return pages;
}

async function symbolParts(
  { name, declarations }: { readonly name: string; readonly declarations: readonly Declaration[] },
  sources: Map<string, string[]>,
): Promise<string[]> {
  const own = declarations.filter(({ declarationKind }) => declarationKind !== "private");
  if (own.length === 0) return [];
  const parts = [`## ${name}`, ""];
  const signatures = await Promise.all(own.map((declaration) => signatureOf(declaration, sources)));
  parts.push("```ts", ...new Set(signatures), "```", "");
  // An interface that is merged with a class says less than the class.
  const documented = own.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0];
  if (documented) parts.push(...docParts(documented));
  for (const { def } of own) {
    const described = new Set<string | undefined>();
    for (const member of [...def?.properties ?? [], ...def?.methods ?? []]) {
      if (member.accessibility === "private" || member.name?.startsWith("~") || described.has(member.name)) continue;
      if (!member.jsDoc?.doc) continue;
      described.add(member.name);
      parts.push(`- \`${await signatureOf(member, sources)}\`: ${link(member.jsDoc.doc).replaceAll(/\s*\n\s*/g, " ")}`);
    }
  }
  return [...parts, ""];
}

function docParts({ jsDoc }: Declaration): string[] {
  const parts = jsDoc?.doc ? [link(jsDoc.doc), ""] : [];
  const tags = jsDoc?.tags ?? [];
  for (const { kind, name, doc } of tags) {
    if (kind === "param" && doc) parts.push(`- \`${name}\`: ${link(doc).replaceAll(/\s*\n\s*/g, " ")}`);
    if (kind === "return" && doc) parts.push(`- gives ${link(doc).replaceAll(/\s*\n\s*/g, " ")}`);
    if (kind === "throws" && doc) parts.push(`- throws ${link(doc).replaceAll(/\s*\n\s*/g, " ")}`);
  }
  for (const { kind, doc } of tags) if (kind === "example" && doc) parts.push("", doc, "");
  return [...parts, ""];
}

function lengthOf({ jsDoc }: Declaration): number {
  return jsDoc?.doc?.length ?? 0;
}

function link(doc: string): string {
  return doc.replaceAll(/\{@link(?:code)? ([^}|\s]+)[^}]*\}/g, "`$1`");
}

/** What stands in the source, up to its body. */
async function signatureOf({ location }: Declaration, sources: Map<string, string[]>): Promise<string> {
  const { filename, line } = location;
  const lines = sources.get(filename) ?? (await Deno.readTextFile(new URL(filename))).split("\n");
  sources.set(filename, lines);
  let depth = 0;
  let signature = "";
  for (const text of lines.slice(line, line + 25)) {
    for (const character of text) {
      if ("([<".includes(character)) depth++;
      if (")]".includes(character) || (character === ">" && !signature.endsWith("="))) depth--;
      if (depth <= 0 && (character === "{" || character === ";")) return tidy(signature);
      signature += character;
    }
    signature += "\n";
  }
  return tidy(signature);
}

function tidy(signature: string): string {
  return signature.replace(/^\s*export /, "").replaceAll(/\s*\n\s*/g, " ").replace(/,\s*\)/, ")").replace(
    /\s*=\s*$/,
    "",
  )
    .trim();
}
