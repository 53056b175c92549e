/**
 * The demo's server: the API, the pages and their bundle, on one port of this machine.
 *
 * @module
 */
import { Backend } from "./backend.ts";
import { type Bundle, bundle } from "./bundle.ts";
import { Database } from "./database.ts";
import { deliver, isMeantForUs } from "./deliver.ts";
import { HELP, readOptions, type ServerOptions } from "./options.ts";
import { renderAt } from "./render.tsx";

/** A server that runs. */
export interface RunningServer {
  /** Where the page is, with a slash at the end. */
  readonly url: string;
  /** Paths of what never changes while it runs: scripts, styles, pictures. */
  readonly files: readonly string[];
  /** Whose code a script of the page is. */
  readonly shares: Bundle["shares"];
  /** Ends it and closes the database. */
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

/** Files that are served as they are. */
const STATIC = ["/cinema.css", "/stage.css", "/icon.svg"];

/** Paths of the one page that routes by itself. */
const PAGE = /^\/(?:films(?:\/\d+)?|new)?$/;

/**
 * Starts the server.
 *
 * @param log Told, in a sentence, what takes time.
 * @throws {StartError} If the port is taken, the database cannot be opened or a source has an error.
 */
export async function startServer(
  { port, database: path, latency, watch }: ServerOptions,
  log: (sentence: string) => void = () => {},
): Promise<RunningServer> {
  const stopping = new AbortController();
  let handle: (request: Request) => Promise<Response> | Response = () => new Response("Starting", { status: 503 });
  // The port comes first: a second start must not touch the database of the first.
  const server = listen(port, stopping.signal, (request) => handle(request));
  let database: Database | undefined;
  try {
    database = openDatabase(path, log);
    log("Bundling the page …");
    const pages = new Set<ReadableStreamDefaultController<Uint8Array>>();
    const bundled = await bundle(watch ? () => reload(pages) : undefined).catch((error) => {
      throw new StartError(error instanceof Error ? error.message : String(error));
    });
    const backend = new Backend(database);
    const answer = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/api/")) {
        if (latency) await new Promise((resolve) => setTimeout(resolve, latency));
        return await deliver(request, await backend.answer(request));
      }
      if (request.method !== "GET" && request.method !== "HEAD") return plain(405, "Only GET");
      if (watch && pathname === "/changes") return listenForChanges(pages);
      if (watch && pathname === "/reload.js") {
        return new Response(RELOAD, { headers: { ...HEADERS, "content-type": typeOf(pathname) } });
      }
      // A network that is slow, and sources that change, are to be seen from the beginning.
      if (PAGE.test(pathname) && !watch && latency === 0) {
        return await deliver(request, await rendered(new URL(request.url), bundled, backend.events.last));
      }
      return await deliver(request, await page(pathname, bundled, watch), true);
    };
    handle = (request) => isMeantForUs(request) ? answer(request) : plain(403, "This server answers to 127.0.0.1 only");
    const opened = database;
    return {
      url: `http://127.0.0.1:${server.addr.port}/`,
      shares: bundled.shares,
      files: [...STATIC, ...bundled.files().keys()],
      async close() {
        for (const page of pages) page.close();
        backend.events.close();
        stopping.abort();
        await server.finished;
        await bundled.stop();
        opened.close();
      },
    };
  } catch (error) {
    stopping.abort();
    await server.finished;
    database?.close();
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

function openDatabase(path: string, log: (sentence: string) => void): Database {
  try {
    return new Database(path, log);
  } catch (error) {
    throw new StartError(
      `The database ${path} cannot be used: ${error instanceof Error ? error.message : error}.\n` +
        `Delete that file to have it made anew, or choose another one: deno task demo --database <file>`,
    );
  }
}

const typeOf = (path: string): string => TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";

const RELOAD = `new EventSource("/changes").onmessage = () => location.reload();`;

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
async function page(pathname: string, bundled: Bundle, watch: boolean): Promise<Response> {
  const script = PAGE.test(pathname) ? "main" : /^\/(grid|visitor)$/.exec(pathname)?.[1];
  if (script !== undefined) {
    const links = preloads(bundled, script);
    if (watch) links.push(`<script type="module" src="/reload.js"></script>`);
    return new Response(await shell(script, links), {
      headers: { ...HEADERS, "content-type": typeOf("index.html") },
    });
  }
  const headers = { ...HEADERS, "content-type": typeOf(pathname) };
  if (STATIC.includes(pathname)) {
    return new Response(await Deno.readFile(new URL(pathname.slice(1), import.meta.url)), { headers });
  }
  const content = bundled.files().get(pathname);
  if (content === undefined) return plain(404, `There is nothing at ${pathname}`);
  // What is in such a file is in its name.
  const isNamed = /\/chunk-\w{8}\.js$/.test(pathname) && !watch;
  return new Response(content, {
    headers: { ...headers, ...isNamed && { "cache-control": "max-age=31536000, immutable" } },
  });
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" } });
}

function listenForChanges(pages: Set<ReadableStreamDefaultController<Uint8Array>>): Response {
  let page: ReadableStreamDefaultController<Uint8Array>;
  const events = new ReadableStream<Uint8Array>({
    start(controller) {
      pages.add(page = controller);
    },
    cancel() {
      pages.delete(page);
    },
  });
  return new Response(events, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}

function reload(pages: Set<ReadableStreamDefaultController<Uint8Array>>): void {
  for (const page of pages) page.enqueue(new TextEncoder().encode("data: reload\n\n"));
}

if (import.meta.main) {
  try {
    const options = readOptions(Deno.args, Deno.env.toObject());
    if (options === "help") {
      console.log(HELP);
    } else {
      const { url, close } = await startServer(options, (sentence) => console.log(sentence));
      console.log(`\nCinema is at ${url}\nThe page that counts renders is at ${url}grid\nEnd it with Ctrl+C`);
      const end = () => void close().then(() => Deno.exit(0));
      Deno.addSignalListener("SIGINT", end);
      if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", end);
    }
  } catch (error) {
    if (!(error instanceof StartError) && !(error instanceof RangeError)) throw error;
    console.error(error.message);
    Deno.exit(1);
  }
}
