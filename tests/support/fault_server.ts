/**
 * A real HTTP server on loopback, at two origins, that does to its clients what servers and networks do.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Handler } from "./fault_fetch.ts";

/** One request that a server got. */
export interface Logged {
  /** The method. */
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Which of the two origins it came to. */
  readonly origin: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; empty if there is none. */
  readonly body: string;
}

/** Settings of {@linkcode startFaultServer}. */
export interface FaultServerOptions {
  /** Answers what no route is for; 500 if it throws. Defaults to a 404 with an HTML body. */
  readonly fallback?: Handler | undefined;
}

/**
 * A running fault server.
 *
 * | route | answers |
 * |---|---|
 * | `/echo` | the request as JSON: a {@linkcode Logged} |
 * | `/json` | `{"ok":true}` |
 * | `/delay?ms=20` | `{"ok":true}`, after so many ms |
 * | `/hang` | nothing |
 * | `/hang-body` | headers and `{"ok":`, then nothing |
 * | `/cut` | headers and `{"ok":`, then breaks the connection |
 * | `/wrong-length` | 11 bytes, and a header that says 100, then ends the connection |
 * | `/reset` | breaks the connection before the headers |
 * | `/drip?ms=20&chunks=5` | an array, in so many chunks, one in so many ms |
 * | `/204`, `/205` | no body |
 * | `/empty` | 200, declared as JSON, an empty body |
 * | `/html` | an HTML page |
 * | `/html-as-json` | an HTML page, declared as JSON |
 * | `/bom` | `{"ok":true}` after a byte order mark |
 * | `/no-type` | `{"ok":true}` without a content type |
 * | `/text` | plain text |
 * | `/json-as-text` | `{"ok":true}`, declared as plain text |
 * | `/problem` | 422 with `application/problem+json` |
 * | `/truncated` | `{"ok":tr`, declared as JSON and complete for HTTP |
 * | `/binary` | four bytes that are not UTF-8 |
 * | `/bad-gzip` | declared as gzip, and is not |
 * | `/500` | 500 with `{"error":"broken"}` |
 * | `/500-hang` | 500, then a body that does not end |
 * | `/404` | 404 with an HTML page |
 * | `/status/418` | that status, with `{"status":418}` |
 * | `/flaky?times=2&status=503&retry-after=1` | that status (and header) so many times, then `{"ok":true}` |
 * | `/flaky?times=2&fault=reset` | the same with a broken connection: `reset` before the headers, `cut` in the body |
 * | `/redirect?status=302&to=other&path=/echo` | a redirect to a path, at the `same` or the `other` origin |
 * | `/redirect?count=3` | so many redirects, one after the other, and then `/echo` |
 * | `/redirect?location=ftp:x` | a redirect with that text as `Location`; without it where the text is empty |
 */
export interface FaultServer extends AsyncDisposable {
  /** `http://127.0.0.1:…` */
  readonly origin: string;
  /** The same server at a second origin. */
  readonly otherOrigin: string;
  /** All requests so far, in order of arrival. */
  readonly requests: readonly Logged[];
  /** Answers that are not complete and whose client is still there. */
  readonly open: number;
  /** Resolves when every answer is complete, or its client gone. */
  settled(): Promise<void>;
  /** Forgets the requests so far. */
  clear(): void;
  /** Breaks all connections, and stops. */
  close(): Promise<void>;
}

const JSON_TYPE = { "content-type": "application/json" };
const HTML_TYPE = { "content-type": "text/html; charset=utf-8" };
const PAGE = "<!DOCTYPE html>\n<title>Sign in</title>\n<h1>Sign in to the hotel's network</h1>\n";
const OK = '{"ok":true}';
const HALF = '{"ok":';

/** An answer, written to the wire piece by piece. It may leave the connection as it is. */
type Route = (context: {
  readonly response: ServerResponse;
  readonly logged: Logged;
  readonly search: URLSearchParams;
  /** The other one of the two origins. */
  readonly other: string;
  /** How often this path and query were asked for, this time included. */
  readonly times: number;
}) => void | Promise<void>;

const send = (status: number, headers: Record<string, string>, body?: string | Uint8Array): Route => ({ response }) =>
  void response.writeHead(status, headers).end(body);

const ROUTES: Readonly<Record<string, Route>> = {
  "/echo": ({ response, logged }) => void response.writeHead(200, JSON_TYPE).end(JSON.stringify(logged)),
  "/json": send(200, JSON_TYPE, OK),
  "/delay": async ({ response, search }) => {
    await pause(Number(search.get("ms") ?? 20));
    response.writeHead(200, JSON_TYPE).end(OK);
  },
  "/hang": () => {},
  "/hang-body": ({ response }) => void response.writeHead(200, JSON_TYPE).write(HALF),
  "/500-hang": ({ response }) => void response.writeHead(500, JSON_TYPE).write(HALF),
  "/cut": async ({ response }) => {
    response.writeHead(200, JSON_TYPE).write(HALF);
    await pause(20);
    response.destroy();
  },
  "/wrong-length": async ({ response }) => {
    response.writeHead(200, { ...JSON_TYPE, "content-length": "100" }).write(OK);
    await pause(20);
    response.destroy();
  },
  "/reset": ({ response }) => void response.destroy(),
  "/drip": async ({ response, search }) => {
    const chunks = Number(search.get("chunks") ?? 5);
    response.writeHead(200, JSON_TYPE);
    for (let chunk = 1; chunk <= chunks && !response.destroyed; chunk++) {
      await pause(Number(search.get("ms") ?? 20));
      response.write(`${chunk === 1 ? "[" : ","}${chunk}${chunk === chunks ? "]" : ""}`);
    }
    response.end();
  },
  "/204": send(204, {}),
  "/205": send(205, {}),
  "/empty": send(200, JSON_TYPE, ""),
  "/html": send(200, HTML_TYPE, PAGE),
  "/html-as-json": send(200, JSON_TYPE, PAGE),
  "/bom": send(200, JSON_TYPE, `\ufeff${OK}`),
  "/no-type": send(200, {}, OK),
  "/text": send(200, { "content-type": "text/plain" }, "just text"),
  "/json-as-text": send(200, { "content-type": "text/plain" }, OK),
  "/problem": send(
    422,
    { "content-type": "application/problem+json" },
    '{"title":"Invalid","detail":"title is empty"}',
  ),
  "/truncated": send(200, JSON_TYPE, '{"ok":tr'),
  "/binary": send(200, { "content-type": "image/png" }, new Uint8Array([0xff, 0xfe, 0x00, 0x80])),
  "/bad-gzip": send(200, { ...JSON_TYPE, "content-encoding": "gzip" }, "not gzip"),
  "/500": send(500, JSON_TYPE, '{"error":"broken"}'),
  "/404": send(404, HTML_TYPE, PAGE),
  "/flaky": async (context) => {
    const { response, search, times } = context;
    if (times > Number(search.get("times") ?? 1)) return send(200, JSON_TYPE, OK)(context);
    const fault = search.get("fault");
    if (fault !== null) return await ROUTES[`/${fault}`]!(context);
    const after = search.get("retry-after");
    const status = Number(search.get("status") ?? 503);
    response.writeHead(status, { ...JSON_TYPE, ...after === null ? {} : { "retry-after": after } }).end('{"times":0}');
  },
  "/redirect": ({ response, logged, search, other }) => {
    const to = search.get("to") === "other" ? other : logged.origin;
    const count = Number(search.get("count") ?? 1);
    const path = count > 1 ? `/redirect?count=${count - 1}` : search.get("path") ?? "/echo";
    const location = search.get("location") ?? to + path;
    const headers = { ...HTML_TYPE, ...location === "" ? {} : { location } };
    response.writeHead(Number(search.get("status") ?? 302), headers).end(PAGE);
  },
};

/**
 * Starts a fault server on free ports of 127.0.0.1.
 *
 * @param options Its settings.
 * @returns The server, to be closed or disposed of.
 *
 * @example
 * ```ts ignore
 * await using server = await startFaultServer();
 * await assertRejects(() => fetch(`${server.origin}/cut`).then((response) => response.json()));
 * ```
 */
export async function startFaultServer(options: FaultServerOptions = {}): Promise<FaultServer> {
  const requests: Logged[] = [];
  const open = new Set<ServerResponse>();
  const waiting: (() => void)[] = [];
  const fallback: Route = options.fallback ? relay(options.fallback) : send(404, HTML_TYPE, PAGE);

  const listener = (at: number) => async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    open.add(response);
    response.on("close", () => {
      open.delete(response);
      if (open.size === 0) waiting.splice(0).forEach((resolve) => resolve());
    });
    const logged = await log(request, origins[at]!);
    requests.push(logged);
    const { pathname, searchParams: search } = new URL(logged.path, logged.origin);
    const status = /^\/status\/(\d{3})$/.exec(pathname)?.[1];
    const route = status
      ? send(Number(status), JSON_TYPE, `{"status":${status}}`)
      : Object.hasOwn(ROUTES, pathname)
      ? ROUTES[pathname]!
      : fallback;
    const times = requests.filter(({ path, origin }) => path === logged.path && origin === logged.origin).length;
    await route({ response, logged, search, other: origins[1 - at]!, times });
  };

  const servers = [createServer(listener(0)), createServer(listener(1))];
  const origins = await Promise.all(servers.map(listen));
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      })
    ));
  };
  return {
    origin: origins[0]!,
    otherOrigin: origins[1]!,
    requests,
    get open() {
      return open.size;
    },
    settled: () => open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
    clear: () => void (requests.length = 0),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

async function log(request: IncomingMessage, origin: string): Promise<Logged> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value);
  const body = await new Blob(chunks as Uint8Array<ArrayBuffer>[]).text();
  return { method: request.method ?? "GET", path: request.url ?? "/", origin, headers, body };
}

/** A handler of standard requests as a route. */
function relay(handler: Handler): Route {
  return async ({ response, logged }) => {
    const { method, headers, body } = logged;
    const init = { method, headers, body: method === "GET" || method === "HEAD" ? null : body };
    let answer: Response;
    try {
      answer = await handler(new Request(new URL(logged.path, logged.origin), init));
    } catch (error) {
      answer = new Response(`the fallback threw ${error}`, { status: 500 });
    }
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(new Uint8Array(await answer.arrayBuffer()));
  };
}
