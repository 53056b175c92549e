/** An API as Laravel serves it: all data in `data`, pages with `meta` and `links`, 422 with `message` and `errors`. */
import { assertEquals } from "@std/assert";
import { Controller, Entity, NormalizeError, resource, RestEndpoint, type RestGenerics } from "@rejoin/data";
import { type Asked, empty, serve } from "../support/api.ts";
import { live } from "./_scene.ts";

class Article extends Entity {
  id = 0;
  title = "";
  static key = "Article";
}
class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async parseResponse(response: Response) {
    const body = await super.parseResponse(response) as { data?: unknown } | null;
    return body?.data ?? body;
  }
}
/** Removes the envelope of single records, and keeps it for lists. */
class PagedEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async parseResponse(response: Response) {
    const body = await super.parseResponse(response) as { data?: unknown; meta?: unknown } | null;
    return body?.meta ? body : body?.data ?? body;
  }
}

function laravel() {
  let last = 5;
  const articles = new Map([1, 2, 3, 4, 5].map((id) => [id, { id, title: `Article ${id}` }]));
  const api = serve(({ method, path, search, body }: Asked) => {
    const id = Number(path.split("/")[2]), article = articles.get(id);
    if (id && !article) return Response.json({ message: "No query results for model [Article]." }, { status: 404 });
    if (method === "GET" && article) return { data: article };
    if (method === "GET") {
      const query = new URLSearchParams(search),
        size = Number(query.get("per_page") ?? 15),
        page = Number(query.get("page") ?? 1);
      const data = [...articles.values()].slice((page - 1) * size, page * size),
        last_page = Math.ceil(articles.size / size);
      const links = { next: page < last_page ? `${api.urlPrefix}/articles?page=${page + 1}` : null };
      return { data, links, meta: { current_page: page, last_page, per_page: size, total: articles.size } };
    }
    if (method === "DELETE") {
      articles.delete(id);
      return empty();
    }
    const sent = JSON.parse(body), errors = { title: ["This field may not be blank."] };
    if (sent.title === "") return Response.json({ message: "The given data was invalid.", errors }, { status: 422 });
    const saved = { ...article, ...sent, id: id || ++last };
    articles.set(saved.id, saved);
    return Response.json({ data: saved }, { status: article ? 200 : 201 });
  });
  const options = { urlPrefix: api.urlPrefix, path: "/articles/:id", schema: Article } as const;
  return { articles, api, options, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}
const shared = (articles: Map<number, { title: string }>) => ({
  onServer: (id: string) => articles.get(Number(id)),
  refused: { body: { title: "" }, status: 422, errorsOf: (body: any) => body.errors.title },
});

for (const optimistic of [false, true]) {
  const how = optimistic ? ", optimistic" : "";
  Deno.test(`Laravel: list, detail, create, edit, delete, error${how}`, async () => {
    await using server = laravel();
    const R = resource({ ...server.options, Endpoint: ApiEndpoint, optimistic });
    await live({ R, ...shared(server.articles) }, optimistic);
  });
  Deno.test(`Laravel: the same where the list keeps its envelope${how}`, async () => {
    await using server = laravel();
    const R = resource({
      ...server.options,
      Endpoint: PagedEndpoint,
      optimistic,
      list: (articles) => ({ data: articles, meta: undefined }),
    });
    await live({ R, rows: (list) => list.data, ...shared(server.articles) }, optimistic);
  });
}
Deno.test("Laravel: pages join the list until the last one, and meta is that of the last", async () => {
  await using server = laravel();
  const { getList } = resource({
    ...server.options,
    Endpoint: PagedEndpoint,
    paginationField: "page",
    list: (articles) => ({ data: articles, meta: { current_page: 0, last_page: 0, total: 0 } }),
  });
  using c = new Controller();
  const shown = () => c.getResponse(getList, { per_page: 2 }).data!;
  await c.fetch(getList, { per_page: 2 });
  while (shown().meta.current_page < shown().meta.last_page) {
    await c.fetch(getList.getPage, { per_page: 2, page: shown().meta.current_page + 1 });
  }
  assertEquals([shown().data.map(({ id }) => id), shown().meta.total, server.api.asked.length], [
    [1, 2, 3, 4, 5],
    5,
    3,
  ]);
});
Deno.test("Laravel: an envelope that was forgotten is an error that says what to write", async () => {
  await using server = laravel();
  const R = resource(server.options);
  using c = new Controller();
  for (const call of [() => c.fetch(R.getList), () => c.fetch(R.get, { id: 1 })]) {
    const error = await call().catch((error) => error);
    assertEquals([error instanceof NormalizeError, /schema: \{ data: \[?Article\]? \}/.test(error.message)], [
      true,
      true,
    ]);
  }
});
