/**
 * Runs the examples of docs/ in a browser: bundled, on a server with an API.
 *
 * @module
 */
import * as esbuild from "esbuild";
import type { Browser, Page } from "playwright-core";
import { denoSpecifiers } from "../../scripts/deno_specifiers.ts";
import { examplesOf } from "../../scripts/examples.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);

/** The blocks of a page in one language, including those that only a browser can run. */
export async function blocksOf(page: string, language: "tsx" | "jsx" = "tsx"): Promise<string[]> {
  const text = await Deno.readTextFile(`${ROOT}docs/${page}.md`);
  const blocks = text.matchAll(/^```(\w+)(?: ignore)?\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, name, code = ""]) => name === language ? [code] : []);
}

/** Bundles a block, and code that uses its exports, as one script for a browser. */
export async function bundle(block: string, start = ""): Promise<string> {
  return await bundleFiles({ block }, `import { render } from "preact";\nimport "block";\n${start}`);
}

/** Bundles the app that a page builds file by file, as one script for a browser. */
export async function bundleApp(page: string): Promise<string> {
  const examples = examplesOf(page, await Deno.readTextFile(`${ROOT}docs/${page}.md`));
  const files = examples.flatMap(({ file, shown }) => file ? [[file.replace("src", "."), shown]] : []);
  return await bundleFiles(Object.fromEntries(files), `import "./main.tsx";`);
}

/** Bundles texts that import each other by name. */
async function bundleFiles(files: Readonly<Record<string, string>>, start: string): Promise<string> {
  const texts: esbuild.Plugin = {
    name: "texts",
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path }) => path in files ? { path, namespace: "text" } : undefined);
      build.onLoad({ filter: /./, namespace: "text" }, ({ path }) => ({
        contents: files[path] ?? "",
        loader: "tsx",
        resolveDir: `${ROOT}docs`,
      }));
    },
  };
  const { outputFiles } = await esbuild.build({
    stdin: { contents: start, loader: "ts", resolveDir: ROOT },
    bundle: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    write: false,
    logLevel: "silent",
    plugins: [texts, denoSpecifiers],
  });
  return outputFiles[0]?.text ?? "";
}

/** Answers requests below `/api`. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** A server with one page and an API below `/api`, and this page in a browser. */
export class Site implements AsyncDisposable {
  /** The requests as `GET /api/articles`, in order. */
  readonly requests: string[] = [];
  /** Uncaught errors of the page. */
  readonly problems: string[] = [];

  private constructor(readonly page: Page, readonly stop: () => Promise<void>) {}

  static async open(
    browser: Browser,
    script: string,
    api: Handler,
    body = `<div id="a"></div><div id="b"></div>`,
  ): Promise<Site> {
    const html = `<!DOCTYPE html><body>${body}<script type="module" src="/app.js"></script>`;
    const type = (name: string) => ({ headers: { "content-type": `${name}; charset=utf-8` } });
    let site: Site | undefined = undefined as Site | undefined;
    // Aborted instead of shut down, because a failed step may leave requests that are never answered.
    const abort = new AbortController();
    const { signal } = abort;
    const server = Deno.serve({ port: 0, hostname: "127.0.0.1", signal, onListen() {} }, (request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname === "/app.js") return new Response(script, type("text/javascript"));
      if (!pathname.startsWith("/api/")) return new Response(pathname === "/" ? html : null, type("text/html"));
      site?.requests.push(`${request.method} ${pathname}${search}`);
      return api(request);
    });
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    site = new Site(page, () => {
      abort.abort();
      return server.finished;
    });
    const { problems } = site;
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`http://127.0.0.1:${server.addr.port}/`);
    return site;
  }

  /** Waits until an element of the page shows this text. */
  async sees(selector: string, text: string): Promise<void> {
    await this.page.locator(selector, { hasText: text }).first().waitFor({ state: "visible" });
  }

  /** Waits until the page has run its queued tasks and a frame. */
  async rests(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) {
      await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    }
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole("button", { name }).click();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.close();
    await this.stop();
  }
}
