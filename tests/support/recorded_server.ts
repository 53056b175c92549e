/**
 * A real HTTP server on loopback that answers as GitHub's API did when `@octokit/fixtures` recorded it.
 *
 * @module
 */
import { createRequire } from "node:module";
import type { Handler } from "../../src/testing/fault_fetch.ts";

/** One recorded exchange. */
export interface Recording {
  /** Its scenario. */
  readonly scenario: string;
  /** In capitals. */
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly path: string;
  /** The body of the request: parsed JSON, text, or `""` for none. */
  readonly body: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** The body of the response: parsed JSON, text, or bytes. */
  readonly response: unknown;
}

/** One request to a recorded API. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** The body, as {@linkcode Recording.body} has it. */
  readonly body: unknown;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The recorded response; `undefined` if no such request was recorded. */
  readonly recording: Recording | undefined;
}

/** Options of a {@linkcode RecordedApi}. */
export interface RecordedApiOptions {
  /**
   * Paths that mean the same, from the requested to the recorded one: `{ "/repos/octokit-fixture-org/paginate-issues":
   * "/repositories/1000" }`. They are tried if the path itself was not recorded.
   */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
}

/** A recorded API as a handler for a server or a `FaultFetch`. */
export interface RecordedApi {
  /**
   * Answers a request by method, path, query in any order, and body. Responses that were recorded for equal requests
   * come one after another, and the last one is repeated. GitHub's hosts are replaced by the origin of the request, in
   * headers and bodies. A request that was not recorded gets a 501 that lists the recorded ones.
   */
  readonly handler: Handler;
  /** All requests so far, in order. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Asserts that the client sent only requests that were recorded.
   *
   * @throws {Error} If it sent another one.
   */
  assertAllKnown(): void;
}

/** A {@linkcode RecordedApi} on a port. */
export interface RecordedServer extends RecordedApi, AsyncDisposable {
  /** `http://127.0.0.1:…` */
  readonly origin: string;
  /**
   * Stops the server.
   *
   * @throws {Error} If a request was not recorded, because the client under test may have swallowed the 501.
   */
  close(): Promise<void>;
}

/** A recorded exchange, as the package stores it. */
interface Fixture extends Omit<Recording, "scenario"> {
  readonly responseIsBinary?: boolean;
}

const HOSTS = /https:\/\/(?:api|uploads|codeload)\.github\.com(?::443)?/g;
/** Headers about the transferred bytes, which differ from those of the recording. */
const OF_THE_WIRE = new Set(["connection", "content-length", "content-encoding", "transfer-encoding"]);

/**
 * Reads scenarios of `@octokit/fixtures`.
 *
 * @param scenarios Names of its scenarios of api.github.com: `"paginate-issues"`.
 * @returns The recorded exchanges, in order.
 * @throws {Error} If there is no scenario of that name.
 */
export function readRecordings(...scenarios: readonly string[]): Recording[] {
  const require = createRequire(import.meta.url);
  return scenarios.flatMap((scenario) => {
    const fixtures = require(`@octokit/fixtures/scenarios/api.github.com/${scenario}/normalized-fixture.json`);
    return (fixtures as Fixture[]).map(({ method, path, body, status, headers, response, responseIsBinary }) => ({
      scenario,
      method: method.toUpperCase(),
      path,
      body,
      status,
      headers,
      response: responseIsBinary ? Uint8Array.fromHex(response as string) : response,
    }));
  });
}

/** Makes a handler that answers from recordings: those of {@linkcode readRecordings}, and those that a test adds. */
export function recordedApi(recordings: readonly Recording[], options: RecordedApiOptions = {}): RecordedApi {
  const requests: RecordedRequest[] = [];
  const left = new Map<string, Recording[]>();
  for (const recording of recordings) {
    const key = keyOf(recording);
    left.set(key, [...(left.get(key) ?? []), recording]);
  }

  const take = (method: string, path: string, body: unknown): Recording | undefined => {
    const alias = Object.entries(options.aliases ?? {}).find(([from]) => path.startsWith(from));
    for (const tried of alias ? [path, alias[1] + path.slice(alias[0].length)] : [path]) {
      const queue = left.get(keyOf({ method, path: tried, body }));
      if (queue) return queue.length > 1 ? queue.shift() : queue[0];
    }
    return undefined;
  };

  return {
    requests,
    async handler(request) {
      const { pathname, search, origin } = new URL(request.url);
      const { method } = request;
      const path = pathname + search;
      const body = parsed(await request.text(), request.headers.get("content-type"));
      const recording = take(method, path, body);
      requests.push({ method, path, body, headers: Object.fromEntries(request.headers), recording });
      return recording ? replay(recording, origin) : unknown(method, path, recordings);
    },
    assertAllKnown() {
      const strangers = requests.filter(({ recording }) => !recording).map(({ method, path }) => `${method} ${path}`);
      if (strangers.length > 0) throw new Error(`Not recorded: ${strangers.join(", ")}`);
    },
  };
}

/** Serves scenarios of `@octokit/fixtures`, by name, and recordings, on a free port of 127.0.0.1. */
export function startRecordedServer(
  scenarios: readonly (string | Recording)[],
  options: RecordedApiOptions = {},
): RecordedServer {
  const recordings = scenarios.flatMap((given) => typeof given === "string" ? readRecordings(given) : given);
  const api = recordedApi(recordings, options);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, api.handler);
  const close = async (): Promise<void> => {
    await server.shutdown();
    api.assertAllKnown();
  };
  return { ...api, origin: `http://127.0.0.1:${server.addr.port}`, close, [Symbol.asyncDispose]: close };
}

function replay({ status, headers, response }: Recording, origin: string): Response {
  const local = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (!OF_THE_WIRE.has(name)) local.set(name, String(value).replaceAll(HOSTS, origin));
  }
  return new Response(status === 204 || status === 205 || status === 304 ? null : bytes(response, origin), {
    status,
    headers: local,
  });
}

function bytes(response: unknown, origin: string): BodyInit {
  if (response instanceof Uint8Array) return response as Uint8Array<ArrayBuffer>;
  const text = typeof response === "string" ? response : JSON.stringify(response);
  // Sent as bytes, because a string would replace the recorded content type.
  return new TextEncoder().encode(text.replaceAll(HOSTS, origin));
}

function unknown(method: string, path: string, recordings: readonly Recording[]): Response {
  const recorded = recordings.map((recording) => `${recording.method} ${recording.path}`);
  return Response.json({ message: `Not recorded: ${method} ${path} with this body`, recorded }, { status: 501 });
}

/** A text that is equal for equivalent requests. The order of search parameters and of members does not matter. */
function keyOf({ method, path, body }: Pick<Recording, "method" | "path" | "body">): string {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  searchParams.sort();
  return JSON.stringify([method, pathname, String(searchParams), canonical(body)]);
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([name, member]) => [name, canonical(member)]);
}

function parsed(body: string, contentType: string | null): unknown {
  return body !== "" && contentType?.includes("json") ? JSON.parse(body) : body;
}
