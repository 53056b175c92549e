/**
 * The site of README.md and docs/, made by `deno task docs`. The build fails on a dead link.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import deno from "../../deno.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What docs/README.md lists, in its order: a heading is a group, a link is a page. */
function sidebar() {
  const groups = [{ text: "Start", items: [] as { text: string; link: string }[] }];
  for (const line of readFileSync(`${ROOT}/docs/README.md`, "utf8").split("\n")) {
    const heading = /^## (.+)/.exec(line)?.[1];
    if (heading) groups.push({ text: heading, items: [] });
    const [, text, page] = /^(?:-|\d+\.) \[(.+?)\]\((.+?)\.md\)/.exec(line) ?? [];
    if (text && page) groups.at(-1)!.items.push({ text, link: `/docs/${page}` });
  }
  return groups;
}

/** The playground loads the library from its source: entries are files, and what Deno calls `npm:x@^1` is `x`. */
const alias = [
  ...Object.entries(deno.exports).map(([entry, file]) => ({
    find: deno.name + entry.slice(1),
    replacement: ROOT + file,
  })),
  { find: /^npm:((?:@[^/]+\/)?[^@/]+)@[^/]+/, replacement: "$1" },
].sort((a, b) => String(b.find).length - String(a.find).length);

/** `useDebounce` is found by `debounce`, too. */
const terms = (text: string) => [text, ...text.split(/(?=[A-Z])/)].map((term) => term.toLowerCase());

export default defineConfig({
  title: "Rejoin",
  description: "A client-side data layer for REST APIs",
  base: process.env.DOCS_BASE ?? "/",
  srcDir: ROOT,
  srcExclude: ["!(docs)/**/*.md"],
  outDir: `${ROOT}/dist/docs`,
  cacheDir: `${ROOT}/.cache/vitepress`,
  markdown: {
    // Links of the documents name headings as GitHub does.
    anchor: { slugify: (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-") },
    config(md) {
      const { code_inline: code, link_open: open } = md.renderer.rules;
      // A Vue template would read the braces of `memory={{ keep }}`.
      md.renderer.rules.code_inline = (tokens, index, ...rest) => {
        tokens[index]!.attrSet("v-pre", "");
        return code!(tokens, index, ...rest);
      };
      md.renderer.rules.link_open = (tokens, index, ...rest) => {
        const href = tokens[index]!.attrGet("href") ?? "";
        // The sources are no part of the site.
        if (href.startsWith("src/")) return "<a>";
        tokens[index]!.attrSet("href", href.replace("README.md", "index.md"));
        return open!(tokens, index, ...rest);
      };
    },
  },
  vite: { resolve: { alias } },
  rewrites: { "README.md": "index.md", "docs/README.md": "docs/index.md" },
  themeConfig: {
    nav: [
      { text: "Documentation", link: "/docs/" },
      { text: "API", link: "/api/all_symbols.html", target: "_self" },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        // Pages of the people who work on it are found by their links.
        _render: (source, env, md) => /^(docs|index|README)\b/.test(env.relativePath) ? md.render(source, env) : "",
        miniSearch: { options: { processTerm: terms } },
      },
    },
  },
});
