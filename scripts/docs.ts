/**
 * Makes the documentation a site that needs no server: `deno task docs`, or with the folder to write it into.
 *
 * @module
 */
import config from "../deno.json" with { type: "json" };
import { readApi } from "./docs/api.ts";
import { escape, renderMarkdown } from "./docs/markdown.ts";
import { type Play, playable, playButton, writePlays } from "./docs/play.ts";
import { CSS, SCRIPT } from "./docs/theme.ts";

const ROOT = decodeURIComponent(new URL("../", import.meta.url).pathname);

interface Page {
  /** Path in the site. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
  /** Path in the repository, for its links. */
  readonly source: string;
}

/** Writes the site, and gives its number of pages. */
export async function buildDocs(folder: string): Promise<number> {
  const pages = [...await guides(), ...await api()];
  const paths = new Map(pages.map(({ source, path }) => [source, path]));
  const groups = groupsOf(pages);
  const index: (readonly [href: string, title: string, heading: string, text: string])[] = [];
  const scripts: Play[] = [];
  await Deno.mkdir(folder, { recursive: true });
  const order = groups.flatMap(({ pages }) => pages);
  for (const page of pages) {
    const base = "../".repeat(page.path.split("/").length - 1);
    const plays = playable(page.path, page.markdown);
    for (const play of plays.values()) scripts.push(play);
    const { html, sections } = renderMarkdown(
      page.markdown,
      (target) => linkOf(target, page, base, paths),
      (code) => playButton(plays.get(code)),
    );
    for (const { id, heading, level, text } of sections) {
      index.push([level === 1 ? page.path : `${page.path}#${id}`, page.title, heading, text.slice(0, 1_500)]);
    }
    const at = order.indexOf(page);
    await write(
      `${folder}/${page.path}`,
      layout(page, html, base, groups, order[at - 1], at < 0 ? undefined : order[at + 1]),
    );
  }
  await write(`${folder}/search-index.js`, `const SEARCH_INDEX = ${JSON.stringify(index)};\n`);
  await writePlays(`${folder}/play`, scripts);
  await write(`${folder}/site.js`, SCRIPT);
  await write(`${folder}/site.css`, CSS);
  for await (const { name } of Deno.readDir(`${ROOT}docs/pictures`)) {
    await Deno.mkdir(`${folder}/pictures`, { recursive: true });
    await Deno.copyFile(`${ROOT}docs/pictures/${name}`, `${folder}/pictures/${name}`);
  }
  return pages.length;
}

async function guides(): Promise<Page[]> {
  const pages: Page[] = [];
  const look = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(`${ROOT}${folder}`)) {
      const source = `${folder}${name}`;
      if (isDirectory) await look(`${source}/`);
      else if (name.endsWith(".md")) await add(source, source.slice("docs/".length));
    }
  };
  const add = async (source: string, path: string): Promise<void> => {
    const markdown = await Deno.readTextFile(ROOT + source);
    const title = /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll("`", "") ?? source;
    pages.push({ source, path: path.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html"), title, markdown });
  };
  await look("docs/");
  for (const name of ["ARCHITECTURE", "DECISIONS", "CHANGELOG", "SECURITY"]) {
    await add(`${name}.md`, `${name.toLowerCase()}.md`);
  }
  await add("bench/README.md", "bench.md");
  return pages;
}

async function api(): Promise<Page[]> {
  return (await readApi(ROOT, config.name, config.exports)).map(({ name, slug, markdown }) => ({
    source: `api/${slug}.md`,
    path: `api/${slug}.html`,
    title: name,
    markdown,
  }));
}

interface Group {
  readonly title: string;
  readonly pages: readonly Page[];
}

/** The pages in the order of docs/README.md, then the API. */
function groupsOf(pages: readonly Page[]): Group[] {
  const index = pages.find(({ path }) => path === "index.html")!;
  const groups: Group[] = index.markdown.split(/^## /m).slice(1).map((part) => {
    const targets = [...part.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = ""]) =>
      `docs/${target}`.replace("docs/../", "")
    );
    const found = [...new Set(targets)].flatMap((target) => pages.find(({ source }) => source === target) ?? []);
    return { title: part.split("\n")[0]!, pages: found };
  });
  const seen = new Set<Page>();
  const once = groups.map(({ title, pages }) => ({
    title,
    pages: pages.filter((page) => !seen.has(page) && seen.add(page)),
  }));
  return [...once, { title: "API", pages: pages.filter(({ source }) => source.startsWith("api/")) }];
}

/** Where a link of a document leads in the site; files of the repository are beside `dist/`. */
function linkOf(target: string, page: Page, base: string, paths: ReadonlyMap<string, string>): string {
  if (/^(?:[a-z]+:|#)/i.test(target)) return target;
  const url = new URL(target, `file:///${page.source}`);
  const source = decodeURIComponent(url.pathname.slice(1));
  const path = paths.get(source) ?? paths.get(`${source}README.md`);
  if (path) return `${base}${path}${url.hash}`;
  if (source.startsWith("docs/pictures/")) return `${base}${source.slice("docs/".length)}`;
  return `${base}../../${source}`;
}

function layout(page: Page, html: string, base: string, groups: readonly Group[], before?: Page, next?: Page): string {
  const link = ({ path, title }: Page) =>
    `<a href="${base}${path}"${path === page.path ? ' aria-current="page"' : ""}>${escape(short(title))}</a>`;
  const menu = groups.map(({ title, pages }) =>
    `<h2>${escape(title)}</h2>\n<ul>${pages.map((page) => `<li>${link(page)}</li>`).join("\n")}</ul>`
  );
  const step = (to: Page | undefined, arrow: (text: string) => string) =>
    to ? `<a href="${base}${to.path}">${arrow(escape(short(to.title)))}</a>` : "<span></span>";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.title)} · Rejoin</title>
<link rel="stylesheet" href="${base}site.css">
<link rel="icon" href="data:,">
<script src="${base}site.js"></script>
<script src="${base}search-index.js" defer></script>
</head>
<body data-base="${base}">
<nav aria-label="Pages">
<div class="find"><div class="top"><a href="${base}index.html">Rejoin</a> <span><button id="menu" type="button">Menu</button>
<button id="theme" type="button" aria-label="Dark or light">◐</button></span></div>
<input id="search" type="search" placeholder="Search ( / )" aria-label="Search">
<ul id="found"></ul></div>
<div class="pages">
${menu.join("\n")}
</div>
</nav>
<main>
${html}
<div class="steps">${step(before, (text) => `← ${text}`)}${step(next, (text) => `${text} →`)}</div>
</main>
</body>
</html>
`;
}

/** A title without what comes behind a colon. */
function short(title: string): string {
  return title.split(": ")[0]!;
}

async function write(path: string, text: string): Promise<void> {
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(path, text);
}

if (import.meta.main) {
  const folder = Deno.args[0] ?? `${ROOT}dist/docs`;
  console.log(`${await buildDocs(folder)} pages in ${folder}: open ${folder}/index.html`);
}
