/** The demo's server: the API, the page and its scripts, on one port of this machine. */
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { createBackend } from "./backend.ts";
import { type Bundle, bundle } from "./bundle.ts";
import { Database } from "./database.ts";
import { deliver } from "./deliver.ts";
import type { SourceFilm } from "./movies.ts";
import { renderAt } from "./render.tsx";

/** Options of the demo's server. */
export interface ServerOptions {
  /** Where to listen on 127.0.0.1; 0 takes any free port. */
  readonly port: number;
  /** A file, which is made when it is not there, or `":memory:"`. */
  readonly database: string;
  /** How long every answer of the API is held back, in ms, to see what a slow network shows. */
  readonly latency?: number;
  /** Other films than those of the file. */
  readonly films?: readonly SourceFilm[];
}

/** A server that runs. */
export interface RunningServer {
  /** Where the page is, with a slash at the end. */
  readonly url: string;
  /** Paths of the page's scripts. */
  readonly scripts: readonly string[];
  /** Ends it and closes the database. */
  close(): Promise<void>;
}

/** Nobody can be helped by a stack trace here: the message says all. */
class StartError extends Error {}

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  map: "application/json; charset=utf-8",
  svg: "image/svg+xml",
};

const HEADERS = {
  "cache-control": "no-cache",
  // A rendered poster has its colours in an attribute.
  "content-security-policy": "default-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' blob:; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Files that are served as they are. */
const STATIC = ["/cinema.css", "/stage.css", "/icon.svg"];

/** Paths of the one page that routes by itself. */
const PAGE = /^\/(?:films(?:\/\d+)?|new)?$/;

/**
 * Starts the server.
 *
 * @throws {StartError} If the port is taken, the database cannot be opened or a source has an error.
 */
export async function startServer({ port, database: path, latency = 0, films }: ServerOptions): Promise<RunningServer> {
  const stopping = new AbortController();
  let handle: (request: Request) => Promise<Response> | Response = () => new Response("Starting", { status: 503 });
  // The port comes first: a second start must not touch the database of the first.
  const server = listen(port, stopping.signal, (request) => handle(request));
  let database: Database | undefined;
  const close = async () => {
    stopping.abort();
    await server.finished;
    database?.close();
  };
  try {
    const opened = database = openDatabase(path, films);
    const bundled = await bundle().catch((error) => {
      throw new StartError(error.message);
    });
    const { events, answer } = createBackend(opened);
    handle = async (request) => {
      // A name that a stranger's page has pointed here is not ours.
      if (!/^(127\.0\.0\.1|localhost)(:|$)/.test(request.headers.get("host") ?? "")) return plain(403, "Not here");
      const url = new URL(request.url);
      if (url.pathname.startsWith("/api/")) {
        if (latency) await new Promise((resolve) => setTimeout(resolve, latency));
        return await deliver(request, await answer(request));
      }
      if (!PAGE.test(url.pathname)) return await deliver(request, await file(url.pathname, bundled), true);
      // A network that is slow is to be seen from the beginning.
      return await deliver(request, await page(bundled, latency ? undefined : url, events.last));
    };
    return {
      url: `http://127.0.0.1:${server.addr.port}/`,
      scripts: [...bundled.files.keys()].filter((path) => path.endsWith(".js")),
      close() {
        events.close();
        return close();
      },
    };
  } catch (error) {
    await close();
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
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    throw new StartError(
      `Port ${port} is taken: another program, perhaps another Cinema, listens there.\n` +
        `Choose another one: deno task demo --port ${port + 1} (or --port 0 for any free one).`,
    );
  }
}

function openDatabase(path: string, films?: readonly SourceFilm[]): Database {
  try {
    return new Database(path, films);
  } catch (error) {
    throw new StartError(
      `The database ${path} cannot be used: ${error instanceof Error ? error.message : error}.\n` +
        `Delete that file to have it made anew, or choose another one: deno task demo --database <file>`,
    );
  }
}

const typeOf = (path: string): string => TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";

/** The page of an address, with what it shows. What happens from here on comes by the stream of events. */
async function page({ preload }: Bundle, url: URL | undefined, lastEvent: number): Promise<Response> {
  const shell = await Deno.readTextFile(new URL("index.html", import.meta.url));
  const { html, script, status } = url ? await renderAt(url) : { html: "", script: "", status: 200 };
  const links = [
    ...preload.map((path) => `<link rel="modulepreload" href="${path}">`),
    ...url ? [`<meta name="last-event-id" content="${lastEvent}">`] : [],
  ];
  const text = shell.replace("</head>", `${links.join("")}</head>`)
    .replace(`<div id="app"></div>`, () => `<div id="app">${html}</div>${script}`);
  return new Response(text, { status, headers: { ...HEADERS, "content-type": TYPES.html! } });
}

async function file(pathname: string, { files }: Bundle): Promise<Response> {
  const content = STATIC.includes(pathname)
    ? await Deno.readFile(new URL(pathname.slice(1), import.meta.url))
    : files.get(pathname);
  if (content === undefined) return plain(404, `There is nothing at ${pathname}`);
  const headers = new Headers({ ...HEADERS, "content-type": typeOf(pathname) });
  if (pathname.endsWith(".js")) headers.set("sourcemap", `${pathname}.map`);
  // What is in such a file is in its name.
  if (/\/chunk-\w{8}\.js$/.test(pathname)) headers.set("cache-control", "max-age=31536000, immutable");
  return new Response(content, { headers });
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" } });
}

function readOptions(): ServerOptions {
  try {
    const { port = "3535", database } = parseArgs({
      args: Deno.args,
      options: { port: { type: "string" }, database: { type: "string" } },
    }).values;
    if (!/^\d{1,5}$/.test(port)) throw new Error(`"${port}" is no port`);
    return { port: Number(port), database: database ?? fileURLToPath(new URL("cinema.db", import.meta.url)) };
  } catch (error) {
    throw new StartError(
      `${error instanceof Error ? error.message : error}\n` +
        `deno task demo [--port <number>] [--database <file>]   (":memory:" keeps nothing)`,
    );
  }
}

if (import.meta.main) {
  try {
    const options = readOptions();
    const { url, close } = await startServer(options);
    console.log(`Cinema is at ${url}\nIts database is ${options.database}\nEnd it with Ctrl+C`);
    const end = () => void close().then(() => Deno.exit(0));
    Deno.addSignalListener("SIGINT", end);
    if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", end);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    Deno.exit(1);
  }
}
