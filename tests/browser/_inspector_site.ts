/**
 * Films for the page of inspector_test.ts, under a strict policy; what is slow is held back until the test lets it go.
 *
 * @module
 */

/** A title that becomes something else where it is parsed. */
export const HOSTILE = `<img src=x onerror="globalThis.harmed = true"></style><b>‮evil`;

const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";

/** The server. */
export class FilmSite implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #held: ((response: Response) => void)[] = [];

  /** @param script What the page loads. */
  constructor(script: string) {
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/page.js") return new Response(script, { headers: { "content-type": "text/javascript" } });
      if (pathname === "/films") return Response.json([1, 2, 3].map(film));
      if (request.method === "PATCH" || pathname.startsWith("/slow")) {
        const { promise, resolve } = Promise.withResolvers<Response>();
        this.#held.push(resolve);
        const answer = await promise;
        if (!answer.ok || request.method !== "PATCH") return answer;
        return Response.json({ ...film(Number(pathname.split("/").at(-1))), ...await request.json() });
      }
      if (pathname.startsWith("/films/")) return Response.json(film(Number(pathname.split("/").at(-1))));
      return new Response(
        '<!DOCTYPE html><html lang="en"><meta name="viewport" content="width=device-width"><title>Films</title>' +
          '<meta name="color-scheme" content="light dark"><body><script type="module" src="/page.js"></script>',
        { headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": POLICY } },
      );
    });
  }

  /** Where it is. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  /** How many requests are held back. */
  get held(): number {
    return this.#held.length;
  }

  /** Answers what is held back. */
  answer(status = 200): void {
    for (const answer of this.#held.splice(0)) answer(Response.json({}, { status }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.answer(500);
    await this.#server.shutdown();
  }
}

function film(id: number) {
  const title = id === 3 ? HOSTILE : `Film number ${id}`;
  return { id: String(id), title, rating: id, genre: { id: "drama", name: "Drama" } };
}
