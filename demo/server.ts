/**
 * The demo's server: the API, the pages and their bundle, on one port of this machine.
 *
 * @module
 */
import { createApi } from "./api.ts";
import { bundle } from "./bundle.ts";
import { Database } from "./database.ts";
import { HELP, readOptions, type ServerOptions } from "./options.ts";

/** A server that runs. */
export interface RunningServer {
  /** Where the page is, with a slash at the end. */
  readonly url: string;
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
  "content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Paths of the one page that routes by itself. */
const PAGE = /^\/(?:films\/\d+|new)?$/;

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
    const api = createApi(database);
    handle = async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/api/")) {
        if (latency) await new Promise((resolve) => setTimeout(resolve, latency));
        return api(request);
      }
      if (request.method !== "GET" && request.method !== "HEAD") return plain(405, "Only GET");
      if (watch && pathname === "/changes") return listenForChanges(pages);
      if (watch && pathname === "/reload.js") {
        return new Response(RELOAD, { headers: { ...HEADERS, "content-type": typeOf(pathname) } });
      }
      if (PAGE.test(pathname)) return await page("index.html", watch);
      if (pathname === "/grid") return await page("grid.html", watch);
      if (pathname === "/cinema.css" || pathname === "/icon.svg") return await file(pathname.slice(1));
      const content = bundled.files().get(pathname);
      if (content) return new Response(content, { headers: { ...HEADERS, "content-type": typeOf(pathname) } });
      return plain(404, `There is nothing at ${pathname}`);
    };
    const opened = database;
    return {
      url: `http://127.0.0.1:${server.addr.port}/`,
      async close() {
        for (const page of pages) page.close();
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

async function page(name: string, watch: boolean): Promise<Response> {
  if (!watch) return await file(name);
  const html = await Deno.readTextFile(new URL(name, import.meta.url));
  const script = `<script type="module" src="/reload.js"></script></head>`;
  return new Response(html.replace("</head>", script), { headers: { ...HEADERS, "content-type": typeOf(name) } });
}

async function file(name: string): Promise<Response> {
  const content = await Deno.readFile(new URL(name, import.meta.url));
  return new Response(content, { headers: { ...HEADERS, "content-type": typeOf(name) } });
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
