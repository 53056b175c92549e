/**
 * A small API, and a program that uses the library with it, for the packaging tests. The program is plain text, because
 * it runs elsewhere: in Node from a tarball, or in Deno from a URL.
 *
 * @module
 */

/** An API with articles, which records its requests. */
export interface ArticleApi extends AsyncDisposable {
  readonly origin: string;
  readonly requests: readonly string[];
}

/** Serves `/articles` and `/articles/:id` on loopback, also for other origins. */
export function serveArticles(): ArticleApi {
  const author = { id: "7", username: "ada" };
  const articles = new Map(
    ["5", "6"].map((
      id,
    ) => [id, { id, title: `Title ${id}`, author, createdAt: "2024-05-01T00:00:00Z", tags: ["deno"] }]),
  );
  const requests: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    requests.push(`${request.method} ${pathname}${search}`);
    const id = /^\/articles\/(\w+)$/.exec(pathname)?.[1];
    if (id === undefined) return Response.json([...articles.values()]);
    const article = articles.get(id);
    if (article === undefined) return Response.json({ message: "no such article" }, { status: 404 });
    if (request.method === "PATCH") articles.set(id, { ...article, ...await request.json() });
    return Response.json(articles.get(id));
  });
  return { origin: `http://127.0.0.1:${server.addr.port}`, requests, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** A program in plain JavaScript that prints what it read as JSON. `load` is the code that imports the library. */
export function articleProgram(load: string, origin: string): string {
  return `
${load}

class User extends Entity {
  id = "";
  username = "";
  pk() { return this.id; }
  static key = "User";
}
class Article extends Entity {
  id = "";
  title = "";
  author = User.fromJS();
  createdAt = new Date(0);
  tags = [];
  static key = "Article";
  static schema = { author: User, createdAt: Date };
}
const ArticleResource = createResource({ urlPrefix: "${origin}", path: "/articles/:id", schema: Article });

async function main() {
  const controller = new Controller();
  const list = await controller.fetch(ArticleResource.getList, { tag: "deno" });
  const article = await controller.fetch(ArticleResource.get, { id: "5" });
  const cached = controller.getResponse(ArticleResource.get, { id: "5" }).data;
  const found = {
    titles: list.map((item) => item.title),
    isArticle: article instanceof Article,
    author: article.author.username,
    createdAt: article.createdAt.toISOString(),
    sameFromCache: cached === article,
    sameFromList: controller.getResponse(ArticleResource.getList, { tag: "deno" }).data[0] === article,
    sameBySchema: controller.get(Article, { id: "5" }) === article,
    oneAuthor: list[0].author === list[1].author,
  };
  const missing = await controller.fetch(ArticleResource.get, { id: "9" }).catch((error) => error);
  await controller.fetch(ArticleResource.partialUpdate, { id: "5" }, { title: "New" });
  const after = controller.getResponse(ArticleResource.getList, { tag: "deno" }).data;
  console.log(JSON.stringify({
    ...found,
    missing: [missing.name, missing.status],
    titlesAfter: after.map((item) => item.title),
    otherIsSame: after[1] === list[1],
  }));
  controller.cleanup();
}
main();
`;
}

/** The output of {@linkcode articleProgram}. */
export const ARTICLE_OUTPUT = {
  titles: ["Title 5", "Title 6"],
  isArticle: true,
  author: "ada",
  createdAt: "2024-05-01T00:00:00.000Z",
  sameFromCache: true,
  sameFromList: true,
  sameBySchema: true,
  oneAuthor: true,
  missing: ["NetworkError", 404],
  titlesAfter: ["New", "Title 6"],
  otherIsSame: true,
} as const;

/** The requests of {@linkcode articleProgram}, in order. */
export const ARTICLE_REQUESTS = [
  "GET /articles?tag=deno",
  "GET /articles/5",
  "GET /articles/9",
  "PATCH /articles/5",
] as const;
