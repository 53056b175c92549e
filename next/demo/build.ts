/**
 * Writes Cinema as a folder of static files, for any host and any folder of it: the API runs in a Service Worker.
 * `deno task demo:build [folder]`
 *
 * @module
 */
import { bundleWorker } from "./bundle.ts";
import { startServer } from "./server.ts";

/** Pages that have a file of their own, and what they are below the root. */
const PAGES = ["films", "new", "visitor"];

/** Builds the site. What is in the folder is replaced. */
export async function build(folder: URL): Promise<void> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    const file = new URL(path, folder);
    await Deno.mkdir(new URL(".", file), { recursive: true });
    await (typeof content === "string" ? Deno.writeTextFile(file, content) : Deno.writeFile(file, content));
  };
  const server = await startServer({ port: 0 });
  try {
    for (const path of server.files) {
      await write(path.slice(1), await (await fetch(new URL(path, server.url))).bytes());
    }
    // What the server renders is what a page without a server begins with.
    const first = await (await fetch(server.url)).text();
    await write("index.html", movable(first, "./"));
    for (const page of PAGES) {
      await write(`${page}/index.html`, movable(emptied(await (await fetch(new URL(page, server.url))).text()), "../"));
    }
  } finally {
    await server.close();
  }
  await Deno.copyFile(new URL("films/index.html", folder), new URL("404.html", folder));
  await Deno.copyFile(new URL("data/movies.json", import.meta.url), new URL("movies.json", folder));
  await write("worker.js", await bundleWorker());
}

/** The page without what the server has shown in it. */
function emptied(html: string): string {
  return html.replace(/<div id="app">.*<\/script>(?=\s*<noscript>)/s, `<div id="app"></div>`);
}

/** A page wherever it is hosted: what was at the root is where `root` leads. It was written before anything happened. */
function movable(html: string, root: string): string {
  return html
    .replaceAll(/ (href|src)="\/(?!\/)/g, ` $1="${root}`)
    .replace(/(<meta name="last-event-id" content=)"\d+"/, `$1"0"`)
    .replace("</head>", `<meta name="worker" content="/worker.js"></head>`);
}

if (import.meta.main) {
  const folder = new URL(`${Deno.args[0] ?? "dist/demo"}/`, `file://${Deno.cwd()}/`);
  await build(folder);
  console.log(`Cinema is in ${decodeURIComponent(folder.pathname)}: copy it to any host, into any folder.`);
}
