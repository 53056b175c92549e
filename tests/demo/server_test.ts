import { assert, assertEquals, assertMatch } from "@std/assert";
import { request } from "node:http";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { PAGE_HEADER } from "../../demo/handle.ts";
import { startServer } from "../../demo/server.ts";

/** The most bytes of brotli for the first list, if the server does not render it, and for the whole page. */
const FIRST_LIST = 36_000;
const ALL = 45_000;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** A request by hand, because `fetch` decompresses by itself and sets `Host`. */
function ask(url: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      const chunks: Uint8Array[] = [];
      response.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      response.on("end", () => {
        const body = new Uint8Array(chunks.flatMap((chunk) => [...chunk]));
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    }).on("error", reject).end();
  });
}

/** Reads a stream of events until its text satisfies a condition. */
async function listen(url: string, headers: Record<string, string>, until: (text: string) => boolean): Promise<string> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  let text = "";
  try {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (until(text)) break;
    }
  } finally {
    abort.abort();
  }
  return text;
}

Deno.test("the demo's server", async (t) => {
  const server = await startServer({ port: 0, database: ":memory:" });
  const at = (path: string) => new URL(path, server.url).href;
  const write = async (path: string, method: string, body: object, page?: string) => {
    const headers = { "content-type": "application/json", ...page && { [PAGE_HEADER]: page } };
    const response = await fetch(at(path), { method, body: JSON.stringify(body), headers });
    const text = await response.text();
    return { status: response.status, body: text && JSON.parse(text) };
  };
  try {
    await t.step("a name that a stranger's page has pointed here is refused", async () => {
      assertEquals((await ask(at("/api/genres"), { host: "evil.example" })).status, 403);
      assertEquals((await ask(at("/"), { host: "127.0.0.1.evil.example" })).status, 403);
      assertEquals((await ask(at("/api/genres"), { host: "localhost" })).status, 200);
    });

    await t.step("what a browser has is not sent again, what it lacks is packed", async () => {
      for (const path of ["/cinema.css", "/api/films", "/api/posters"]) {
        const { status, headers, body } = await ask(at(path), { "accept-encoding": "gzip, br" });
        assertEquals([path, status, headers["content-encoding"]], [path, 200, "br"]);
        assert(brotliDecompressSync(body).length > body.length, path);
        assertEquals((await ask(at(path), { "if-none-match": String(headers.etag) })).status, 304);
        const plain = await ask(at(path), {});
        assertEquals([plain.headers["content-encoding"], plain.body.length > body.length], [undefined, true]);
      }
      const before = await ask(at("/api/films/1"), {});
      await write("/api/films/1", "PATCH", { rating: 3 });
      assertEquals((await ask(at("/api/films/1"), { "if-none-match": String(before.headers.etag) })).status, 200);
    });

    await t.step("scripts: named in the page, kept for good, and no more than was decided", async () => {
      const html = new TextDecoder().decode((await ask(at("/"), {})).body);
      const chunks = [...html.matchAll(/rel="modulepreload" href="([^"]+)"/g)].map(([, path]) => path ?? "");
      const first = ["/app/main.js", ...chunks];
      const sum = { first: 0, all: 0 };
      for (const path of server.scripts) {
        const { headers, body } = await ask(at(path), {});
        // The inspector is loaded only when a user asks for it.
        if (new TextDecoder().decode(body).includes("rejoin-inspector")) continue;
        // As a host compresses files that it serves for years. The demo's server compresses less, to save time.
        const bytes = brotliCompressSync(body).length;
        sum.all += bytes;
        if (first.includes(path)) sum.first += bytes;
        if (path.includes("/chunk-")) assertMatch(String(headers["cache-control"]), /immutable/);
      }
      console.log(`Scripts, in bytes of brotli: ${JSON.stringify(sum)}`);
      assert(sum.first <= FIRST_LIST && sum.all <= ALL, JSON.stringify(sum));
    });

    await t.step("events: from where one was, without one's own; what is not remembered is said", async () => {
      const first = await listen(at("/api/events"), {}, (text) => text.includes("event: since"));
      const id = /id: (\d+)/.exec(first)?.[1] ?? "";
      await write("/api/films/2", "PATCH", { rating: 2 }, "me");
      await write("/api/films/3", "PATCH", { rating: 3 });
      await write("/api/genres/western", "PATCH", { name: "Western!" });
      await write("/api/films/4", "DELETE", {});
      const events = (text: string) =>
        [...text.matchAll(/event: (?!since)(\w+)\ndata: \{"id":"?([\w-]+)/g)].map(([, type, id]) => [type, id]);
      const stranger = await listen(at("/api/events"), { "last-event-id": id }, (text) => text.includes("event: gone"));
      assertEquals(events(stranger), [["film", "2"], ["film", "3"], ["genre", "western"], ["gone", "4"]]);
      const headers = { "last-event-id": id, [PAGE_HEADER]: "me" };
      const own = await listen(at("/api/events"), headers, (text) => text.includes("event: gone"));
      assertEquals(events(own), [["film", "3"], ["genre", "western"], ["gone", "4"]]);
      const old = await listen(at("/api/events"), { "last-event-id": "7" }, (text) => text.includes("event: "));
      assertMatch(old, /event: missed\nid: \d+\ndata: \{\}/);
    });
  } finally {
    await server.close();
  }
});
