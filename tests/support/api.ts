/** A real server on loopback that records its requests. */

/** One request. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly headers: Headers;
  readonly body: string;
}
/** A server with its address. `await using` stops it. */
export interface Api extends AsyncDisposable {
  readonly urlPrefix: string;
  readonly asked: Asked[];
  /** The method, path and query of all requests. */
  lines(): string[];
}

/** Answers each request with the result of a function: a Response as it is, any other value as JSON. */
export function serve(answer: (asked: Asked, request: Request) => unknown): Api {
  const asked: Asked[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname: path, search } = new URL(request.url), { method, headers } = request;
    const one: Asked = { method, path, search, headers, body: method === "GET" ? "" : await request.clone().text() };
    asked.push(one);
    const reply = await answer(one, request);
    return reply instanceof Response ? reply : Response.json(reply);
  });
  return {
    urlPrefix: `http://127.0.0.1:${server.addr.port}`,
    asked,
    lines: () => asked.map(({ method, path, search }) => `${method} ${path}${search}`),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
/** A response without body. */
export const empty = (status = 204): Response => new Response(null, { status });
