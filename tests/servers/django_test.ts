/** An API as Django REST framework serves it: trailing slashes, links to pages, 400 with errors of fields. */
import { assertEquals } from "@std/assert";
import { Controller, Entity, resource } from "@rejoin/data";
import { type Asked, empty, serve } from "../support/api.ts";
import { live } from "./_scene.ts";

class Film extends Entity {
  id = 0;
  title = "";
  year = 0;
  static key = "Film";
}
const SIZE = 3;

/** A viewset of films with PageNumberPagination. */
function django() {
  let last = 4;
  const films = new Map([1, 2, 3, 4].map((id) => [id, { id, title: `Film ${id}`, year: 2000 }]));
  const answer = ({ method, path, search, body, headers }: Asked): unknown => {
    // APPEND_SLASH redirects a request without body, and refuses one with a body.
    if (!path.endsWith("/")) {
      return method === "GET"
        ? Response.redirect(`${api.urlPrefix}${path}/${search}`, 301)
        : new Response("RuntimeError", { status: 500 });
    }
    const id = Number(path.split("/")[2]), film = films.get(id);
    if (id && !film) return Response.json({ detail: "No Film matches the given query." }, { status: 404 });
    if (method === "GET" && film) return film;
    if (method === "GET") {
      const query = new URLSearchParams(search), page = Number(query.get("page") ?? 1), all = [...films.values()];
      const year = query.get("year"), found = year ? all.filter((film) => film.year === Number(year)) : all;
      if (page > Math.max(1, Math.ceil(found.length / SIZE))) {
        return Response.json({ detail: "Invalid page." }, { status: 404 });
      }
      const to = (page: number) => {
        query.set("page", `${page}`);
        return page < 1 || (page - 1) * SIZE >= found.length ? null : `${api.urlPrefix}/films/?${query}`;
      };
      return {
        count: found.length,
        next: to(page + 1),
        previous: to(page - 1),
        results: found.slice((page - 1) * SIZE, page * SIZE),
      };
    }
    if (method === "DELETE") {
      films.delete(id);
      return empty();
    }
    if (!headers.get("content-type")?.startsWith("application/json")) {
      return Response.json({ detail: "Unsupported media type." }, { status: 415 });
    }
    const sent = JSON.parse(body);
    if (sent.title === "") return Response.json({ title: ["This field may not be blank."] }, { status: 400 });
    const saved = { year: 2026, ...film, ...sent, id: id || ++last };
    films.set(saved.id, saved);
    return Response.json(saved, { status: film ? 200 : 201 });
  };
  const api = serve(answer);
  const resourceOf = (optimistic: boolean) =>
    resource({
      urlPrefix: api.urlPrefix,
      path: "/films/:id/",
      schema: Film,
      paginationField: "page",
      list: (films) => ({ count: 0, next: "", previous: "", results: films }),
      optimistic,
    });
  return { films, api, resourceOf, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

for (const optimistic of [false, true]) {
  Deno.test(`Django: list, detail, create, edit, delete, error${optimistic ? ", optimistic" : ""}`, async () => {
    await using server = django();
    for (const id of [3, 4]) server.films.delete(id);
    await live({
      R: server.resourceOf(optimistic),
      rows: (list) => list.results,
      onServer: (id) => server.films.get(Number(id)),
      refused: { body: { title: "" }, status: 400, errorsOf: (body) => body.title },
    }, optimistic);
    assertEquals(server.api.asked.filter(({ path }) => !path.endsWith("/")), []);
  });
}
Deno.test("Django: the page after the next is found by its address, and joins the list", async () => {
  await using server = django();
  const { getList } = server.resourceOf(false);
  using c = new Controller();
  const shown = () => c.getResponse(getList, { year: 2000 }).data;
  let { next } = await c.fetch(getList, { year: 2000 });
  while (next) {
    await c.fetch(getList.getPage, { year: 2000, page: new URL(next).searchParams.get("page")! });
    next = shown()!.next;
  }
  assertEquals([shown()?.results.map(({ id }) => id), shown()?.count, shown()?.next], [[1, 2, 3, 4], 4, null as never]);
  assertEquals(server.api.lines(), ["GET /films/?year=2000", "GET /films/?page=2&year=2000"]);
});
Deno.test("Django: a record that another list has shown whole is no request; one beyond the last page is a 404", async () => {
  await using server = django();
  const { get, getList } = server.resourceOf(false);
  using c = new Controller();
  await c.fetch(getList);
  assertEquals((await c.fetchIfStale(get, { id: 2 })).title, "Film 2");
  assertEquals(server.api.asked.length, 1);
  const error = await c.fetch(getList.getPage, { page: 9 }).catch((error) => error);
  assertEquals([error.status, error.body], [404, { detail: "Invalid page." }]);
  assertEquals(c.getResponse(getList).data?.results.length, 3);
});
