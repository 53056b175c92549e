/**
 * The checks in examples of documents.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";

/** The address of the API in documents. */
const ORIGIN = "https://api.example.com";

/** The check for a comment `// → value`. */
export function $is(actual: unknown, expected: unknown): void {
  assertEquals(actual, expected);
}

/** The check for a comment `// throws Name: text`. */
export async function $throws(run: () => unknown, name: string, text: string): Promise<void> {
  const error = await Promise.try(run).then(() => undefined, (error: unknown) => error);
  assert(error instanceof Error, `no ${name} was thrown`);
  assertEquals(error.name, name);
  assertStringIncludes(error.message, text);
}

const { fetch, WebSocket } = globalThis;
/** The servers by origin. */
const servers = new Map<string, Deno.HttpServer<Deno.NetAddr>>();

/** Answers requests and sockets of an origin, and of paths without one, with a server on loopback. */
export function serve(handler: Deno.ServeHandler, origin = ORIGIN): void {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handler);
  servers.set(origin, server);
  const { port } = server.addr;
  globalThis.fetch = async (input, init) => {
    const asked = new URL(input instanceof Request ? input.url : input, ORIGIN);
    const url = `http://127.0.0.1:${servers.get(asked.origin)?.addr.port}${asked.pathname}${asked.search}`;
    const response = await fetch(input instanceof Request ? new Request(url, input) : url, init);
    return Object.defineProperty(response, "url", { value: response.url.replace(new URL(url).origin, asked.origin) });
  };
  globalThis.WebSocket = class extends WebSocket {
    constructor() {
      super(`ws://127.0.0.1:${port}`);
    }
  };
}

const ends: (() => Promise<void>)[] = [];

/** Registers a function that runs when the example is over. */
export function atEnd(end: () => Promise<void>): void {
  ends.push(end);
}

/** Ends everything that an example has started. */
export async function ended(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
  Object.assign(globalThis, { fetch, WebSocket });
  const stops = [...servers.values()].map((server) => server.shutdown());
  servers.clear();
  await Promise.all(stops);
}
