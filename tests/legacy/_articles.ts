/**
 * A small API over articles, and classes of the 5.0 form that ask it.
 *
 * @module
 */
import { Resource } from "@rejoin/data/legacy";
import { type FaultServer, startFaultServer } from "../support/fault_server.ts";

/** How the server answers mutations; `undefined`: with the record, as a good server does. */
export interface Reply {
  readonly status?: number;
  readonly body?: string | null;
  readonly type?: string;
}

/** A running API. */
export interface Articles extends FaultServer {
  /** Method and path of the requests so far. */
  readonly lines: string[];
  /** What mutations are answered with from now on. */
  reply: Reply | undefined;
}

/** Starts an API with the articles 5 and 6, which Ann wrote. */
export async function serveArticles(): Promise<Articles> {
  const ann = { id: "1", name: "Ann" };
  const rows = new Map<string, Record<string, unknown>>([
    ["5", { id: 5, title: "old", author: ann }],
    ["6", { id: 6, title: "other", author: ann }],
  ]);
  const server = await startFaultServer({
    fallback: async (request) => {
      const { pathname } = new URL(request.url);
      const id = decodeURIComponent(pathname.split("/")[2] ?? "");
      const text = await request.text();
      if (request.method === "GET") {
        if (id === "") return Response.json([...rows.values()]);
        return rows.has(id) ? Response.json(rows.get(id)) : Response.json({ error: "gone" }, { status: 404 });
      }
      const sent = text.startsWith("{") ? JSON.parse(text) : {};
      const key = request.method === "POST" && id === "" ? "7" : id;
      if (request.method === "DELETE") rows.delete(key);
      else rows.set(key, { ...request.method !== "PUT" && rows.get(key), id: Number(key), ...sent });
      if (articles.reply === undefined) return Response.json(rows.get(key) ?? {});
      const { status = 200, body = null, type = "application/json" } = articles.reply;
      return new Response(body, { status, headers: body === null ? {} : { "content-type": type } });
    },
  });
  const articles: Articles = Object.assign(Object.create(server), { reply: undefined });
  return Object.defineProperty(articles, "lines", {
    get: () => server.requests.map(({ method, path }) => `${method} ${path}`),
  });
}

/** The classes of an app, whose API is at an origin. */
export function classesAt(origin: string) {
  class User extends Resource {
    id = "";
    name = "";
    pk() {
      return this.id;
    }
    static urlRoot = `${origin}/users`;
  }
  class Article extends Resource {
    id: number | undefined = undefined;
    title = "";
    author: User | undefined = undefined;
    pk() {
      return this.id?.toString();
    }
    static urlRoot = `${origin}/articles/`;
    static schema = { author: User };
  }
  return { User, Article };
}
