/**
 * The API of the lists in the guides, and what the page shows of them.
 *
 * @module
 */
import type { Handler, Site } from "./_site.ts";

interface Row {
  readonly id: string;
  readonly title: string;
  readonly text?: string;
  readonly done?: boolean;
}

/** A server with rows, below `/api/anything`. */
export class Rows {
  readonly rows: Map<string, Row>;
  /** A request of this method waits. */
  held: { readonly method: string; readonly until: Promise<void> } | undefined;
  /** What a request of this method is refused with, once. */
  refusal: { readonly method: string; readonly response: Response } | undefined;

  constructor(...titles: readonly string[]) {
    this.rows = new Map(titles.map((title, index) => [String(index + 1), { id: String(index + 1), title }]));
  }

  /** Keeps requests of a method waiting until what it gives is called. */
  hold(method: string): () => void {
    const { promise: until, resolve } = Promise.withResolvers<void>();
    this.held = { method, until };
    return () => {
      this.held = undefined;
      resolve();
    };
  }

  refuse(method: string, status: number, body: object): void {
    this.refusal = { method, response: Response.json(body, { status }) };
  }

  readonly answer: Handler = async (request) => {
    const { pathname } = new URL(request.url);
    const { method } = request;
    const text = await request.text();
    if (this.held?.method === method) await this.held.until;
    if (this.refusal?.method === method) {
      const { response } = this.refusal;
      this.refusal = undefined;
      return response;
    }
    const [, , , id] = pathname.split("/");
    const row = this.rows.get(id ?? "");
    if (id !== undefined && row === undefined) return new Response("none", { status: 404 });
    if (method === "GET") return Response.json(row ?? [...this.rows.values()]);
    if (method === "DELETE") return new Response(null, { status: this.rows.delete(id!) ? 204 : 404 });
    const next = { ...row, ...JSON.parse(text), id: id ?? String(this.rows.size + 1) };
    this.rows.set(next.id, next);
    return Response.json(next);
  };
}

/** Rows of a page whose order and number are those given. */
export async function hasRows(site: Site, ...texts: readonly string[]): Promise<void> {
  await site.page.waitForFunction(
    (texts) => [...document.querySelectorAll("li")].map((row) => row.innerText.trim()).join("|") === texts.join("|"),
    texts,
  ).catch(async (error) => {
    throw new Error(`${texts} are not there: ${await site.page.locator("li").allInnerTexts()}`, { cause: error });
  });
}
