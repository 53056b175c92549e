import { assertEquals, assertStringIncludes } from "@std/assert";
import { ROOT } from "../repo/documents.ts";

/** The pages below a folder, as paths of the site. */
async function pagesOf(folder: string, path = "/"): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder + path)) {
    if (isDirectory) found.push(...await pagesOf(folder, `${path}${name}/`));
    else if (name.endsWith(".html") && name !== "404.html") found.push(path + name);
  }
  return found;
}

Deno.test("the site as it is built has no link to nowhere, and every page is reached", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "npm:vitepress@^1", "build", "docs", "--outDir", folder],
      cwd: ROOT,
    }).output();
    assertEquals([success, success ? "" : new TextDecoder().decode(stderr)], [true, ""]);
    const pages = new Map<string, string>(), reached = new Set(["/index.html"]), dead: string[] = [];
    for (const page of await pagesOf(folder)) pages.set(page, await Deno.readTextFile(folder + page));
    for (const page of reached) {
      for (const [, href = ""] of pages.get(page)!.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        const { origin, pathname, hash } = new URL(href, `https://site.example${page}`);
        // `deno doc` makes the pages of the API.
        if (origin !== "https://site.example" || pathname === "/api/all_symbols.html") continue;
        const linked = pathname.endsWith("/") ? `${pathname}index.html` : pathname,
          id = decodeURIComponent(hash.slice(1));
        if (!pages.has(linked)) dead.push(`${page}: ${href}`);
        else if (id && !pages.get(linked)!.includes(` id="${id}"`)) dead.push(`${page}: ${href}: no such heading`);
        else reached.add(linked);
      }
    }
    assertEquals(dead, []);
    assertEquals([...pages.keys()].filter((page) => !reached.has(page)), []);
    assertStringIncludes(pages.get("/index.html")!, 'href="/api/all_symbols.html"');
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
