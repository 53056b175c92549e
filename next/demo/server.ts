/**
 * The demo's server: the API, the pages and their bundle, on one port of this machine.
 *
 * @module
 */
import { Backend } from "./backend.ts";
import { type Bundle, bundle } from "./bundle.ts";
import { deliver, isMeantForUs } from "./deliver.ts";
import type { SourceFilm } from "./movies.ts";
import { renderAt } from "./render.tsx";
import { FilmStore } from "./store.ts";

/** Options of the demo's server. */
export interface ServerOptions {
  /** Where to listen on 127.0.0.1; 0 takes any free port. */
  readonly port: number;
  /** How long every answer of the API is held back, in ms, to see what a slow network shows. */
  readonly latency?: number;
  /** Other films than those of the file. */
  readonly films?: readonly SourceFilm[];
}

/** A server that runs. */
export interface RunningServer {
  /** Where the page is, with a slash at the end. */
  readonly url: string;
  /** Paths of what never changes while it runs: scripts, styles, pictures. */
  readonly files: readonly string[];
  /** Whose code a script of the page is. */
  readonly shares: Bundle["shares"];
  /** Ends it. */
  close(): Promise<void>;
}

/** Nobody can be helped by a stack trace here: the message says all. */
export class StartError extends Error {
  override name = "StartError";
}

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  map: "application/json; charset=utf-8",
  svg: "image/svg+xml",
};

const HEADERS = {
  "cache-control": "no-cache",
  // The second visitor is this page in a frame of this page. A rendered poster has its colours in an attribute.
  "content-security-policy": "default-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' blob:; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const MOVIES = new URL("data/movies.json", import.meta.url);

/** Files that are served as they are. */
const STATIC = ["/cinema.css", "/stage.css", "/icon.svg"];

/** Paths of the one page that routes by itself. */
const PAGE = /^\/(?:films(?:\/\d+)?|new)?$/;

/**
 * Starts the server.
 *
 * @throws {StartError} If the port is taken or a source has an error.
 */
export async function startServer(
  { port, latency = 0, films }: ServerOptions,
): Promise<RunningServer> {
  const stopping = new AbortController();
  let handle: (request: Request) => Promise<Response> | Response = () => new Response("Starting", { status: 503 });
  const server = listen(port, stopping.signal, (request) => handle(request));
  try {
    const bundled = await bundle().catch((error) => {
      throw new StartError(error instanceof Error ? error.message : String(error));
    });
    const backend = new Backend(new FilmStore(films ?? JSON.parse(await Deno.readTextFile(MOVIES))));
    const answer = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/api/")) {
        if (latency) await new Promise((resolve) => setTimeout(resolve, latency));
        return await deliver(request, await backend.answer(request));
      }
      if (request.method !== "GET" && request.method !== "HEAD") return plain(405, "Only GET");
      // A network that is slow is to be seen from the beginning.
      if (PAGE.test(pathname) && latency === 0) {
        return await deliver(request, await rendered(new URL(request.url), bundled, backend.events.last));
      }
      return await deliver(request, await page(pathname, bundled), true);
    };
    handle = (request) => isMeantForUs(request) ? answer(request) : plain(403, "This server answers to 127.0.0.1 only");
    return {
      url: `http://127.0.0.1:${server.addr.port}/`,
      shares: bundled.shares,
      files: [...STATIC, ...bundled.files.keys()],
      async close() {
        backend.events.close();
        stopping.abort();
        await server.finished;
      },
    };
  } catch (error) {
    stopping.abort();
    await server.finished;
    throw error;
  }
}

function listen(
  port: number,
  signal: AbortSignal,
  handler: (request: Request) => Promise<Response> | Response,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({ hostname: "127.0.0.1", port, signal, onListen() {} }, handler);
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) {
      throw new StartError(
        `Port ${port} is taken: another program, perhaps another Cinema, listens there.\n` +
          `Choose another one: deno task demo --port ${
            port + 1 > 65_535 ? 3535 : port + 1
          } (or --port 0 for any free one).`,
      );
    }
    if (error instanceof Deno.errors.PermissionDenied) {
      throw new StartError(`Port ${port} is not allowed here. Choose one above 1023: deno task demo --port 3535`);
    }
    throw error;
  }
}

const typeOf = (path: string): string => TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";

/** A page that is empty until its script has run. */
async function shell(script: string, links: readonly string[]): Promise<string> {
  const html = await Deno.readTextFile(new URL(script === "main" ? "index.html" : `${script}.html`, import.meta.url));
  return html.replace("</head>", `${links.join("")}</head>`);
}

/** What the browser is to load before it is asked to. */
function preloads({ preload }: Bundle, script: string): string[] {
  return preload(`/app/${script}.js`).map((path) => `<link rel="modulepreload" href="${path}">`);
}

/** The page of an address, with what it shows. What happens from here on comes by the stream of events. */
async function rendered(url: URL, bundled: Bundle, lastEvent: number): Promise<Response> {
  const [{ html, script, status }, empty] = await Promise.all([
    renderAt(url),
    shell("main", [...preloads(bundled, "main"), `<meta name="last-event-id" content="${lastEvent}">`]),
  ]);
  const text = empty.replace(`<div id="app"></div>`, () => `<div id="app">${html}</div>${script}`);
  return new Response(text, { status, headers: { ...HEADERS, "content-type": typeOf("index.html") } });
}

/** What is at a path that is not the API's. */
async function page(pathname: string, bundled: Bundle): Promise<Response> {
  const script = PAGE.test(pathname) ? "main" : pathname === "/visitor" ? "visitor" : undefined;
  if (script !== undefined) {
    return new Response(await shell(script, preloads(bundled, script)), {
      headers: { ...HEADERS, "content-type": typeOf("index.html") },
    });
  }
  const headers = { ...HEADERS, "content-type": typeOf(pathname) };
  if (STATIC.includes(pathname)) {
    return new Response(await Deno.readFile(new URL(pathname.slice(1), import.meta.url)), { headers });
  }
  const content = bundled.files.get(pathname);
  if (content === undefined) return plain(404, `There is nothing at ${pathname}`);
  // What is in such a file is in its name.
  const isNamed = /\/chunk-\w{8}\.js$/.test(pathname);
  return new Response(content, {
    headers: { ...headers, ...isNamed && { "cache-control": "max-age=31536000, immutable" } },
  });
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" } });
}

if (import.meta.main) {
  try {
    const { port = "3535", ...others } = Object.fromEntries(
      Deno.args.join("=").matchAll(/--(\w+)=(\w+)/g).map((one) => one.slice(1)),
    );
    if (!/^\d{1,5}$/.test(port) || Object.keys(others).length > 0) {
      throw new StartError("deno task demo [--port <number>]");
    }
    const { url, close } = await startServer({ port: Number(port) });
    console.log(`Cinema is at ${url}\nEnd it with Ctrl+C`);
    const end = () => void close().then(() => Deno.exit(0));
    Deno.addSignalListener("SIGINT", end);
    if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", end);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    Deno.exit(1);
  }
}
