/** A server on loopback that sends raw bytes, also such as no HTTP library would send. */

/** What the server sends on a connection after the request, and how it ends. */
export type Raw =
  | { readonly text: string; readonly end?: "close" | "hang" }
  | { readonly chunks: readonly string[]; readonly every: number; readonly end?: "close" | "hang" };

/** The head of a successful response. */
export const head = (length: number, type = "application/json", status = "200 OK", more = ""): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n${more}connection: close\r\n\r\n`;

/** Answers each connection with the result of a function, which gets the number of connections so far. */
export function serveRaw(
  answer: (count: number, request: string) => Raw,
): AsyncDisposable & { urlPrefix: string; count(): number } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 }), open = new Set<Deno.Conn>();
  let count = 0;
  const serve = async (connection: Deno.Conn) => {
    open.add(connection);
    const bytes = new Uint8Array(65_536), encoder = new TextEncoder(), decoder = new TextDecoder();
    try {
      let text = "";
      while (!text.includes("\r\n\r\n")) {
        const read = await connection.read(bytes);
        if (read === null) break;
        text += decoder.decode(bytes.subarray(0, read));
      }
      const raw = answer(++count, text);
      const chunks = "text" in raw ? [raw.text] : raw.chunks, every = "text" in raw ? 0 : raw.every;
      for (const chunk of chunks) {
        if (chunk) await connection.write(encoder.encode(chunk));
        if (every) await new Promise((go) => setTimeout(go, every));
      }
      if (raw.end === "hang") return;
    } catch {
      // The client has closed the connection.
    }
    if (open.delete(connection)) connection.close();
  };
  (async () => {
    try {
      for await (const connection of listener) serve(connection);
    } catch {
      // The listener was closed.
    }
  })();
  return {
    urlPrefix: `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`,
    count: () => count,
    [Symbol.asyncDispose]: async () => {
      listener.close();
      for (const connection of open) connection.close();
      open.clear();
      await new Promise((go) => setTimeout(go, 0));
    },
  };
}
