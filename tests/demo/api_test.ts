import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApi } from "../../demo/api.ts";
import { Database } from "../../demo/database.ts";
import { cleanDate, cleanTitle } from "../../demo/movies.ts";
import type { FilmJson } from "./cinema.ts";

interface Film extends FilmJson {
  releaseDate: string | null;
  poster: number | null;
}

/** The API on its own database. */
function open(store = new Database(":memory:")) {
  const api = createApi(store, () => {});
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await api(
      new Request(`http://127.0.0.1/api/${path}`, {
        method,
        headers,
        ...body !== undefined && { body: body instanceof Uint8Array ? body as BodyInit : JSON.stringify(body) },
      }),
    );
    const text = await response.text();
    // deno-lint-ignore no-explicit-any -- each test knows what it has asked for
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) as any : undefined };
  };
  const film = async (id: number): Promise<Film> => (await send("GET", `films/${id}`)).body;
  const list = async (query = ""): Promise<{ results: Film[]; total: number; page: number; pages: number }> =>
    (await send("GET", `films${query}`)).body;
  return { store, send, film, list };
}

Deno.test("the database repairs what is untidy, and nothing else", () => {
  assertEquals(cleanTitle(1776), "1776");
  assertEquals(cleanTitle("Charge of the Light Brigade, The"), "The Charge of the Light Brigade");
  assertEquals(cleanTitle("The Helix...  Loaded"), "The Helix... Loaded");
  assertEquals([cleanTitle("LÈon"), cleanTitle("Alien³"), cleanTitle(null)], ["Léon", "Alien³", null]);
  assertEquals(cleanDate("Dec 15 2039"), "1939-12-15");
  assertEquals(cleanDate("Jun 12 1998"), "1998-06-12");
  assertEquals(cleanDate("TBD"), null);
  const store = new Database(":memory:");
  const { results, total } = store.films({ sort: "releaseDate", descending: true });
  assertEquals([total, results[0]!.releaseDate, store.all("genre").length], [3201, "2011-12-23", 12]);
  const directors = store.all("director").map(({ name }) => name);
  assertEquals([directors.length, new Set(directors).size], [550, 550]);
});

Deno.test("the database is a file: made once, and what was written is there again", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cinema-" });
  const path = `${folder}/cinema.db`;
  try {
    const first = open(new Database(path));
    await first.send("PATCH", "films/12", { title: "Ünder", rating: 5, director: { name: "New One" } });
    await first.send("DELETE", "films/3201");
    const film = await first.film(12);
    first.store.close();
    const again = open(new Database(path));
    assertEquals(await again.film(12), film);
    assertEquals((await again.list("?search=under")).results.some(({ id }) => id === 12), true);
    assertEquals((await again.list()).total, 3200);
    // The number of a deleted film is not given to another.
    assertEquals((await again.send("POST", "films", { title: "Next" })).body.id, 3202);
    again.store.close();
    await Deno.writeTextFile(`${folder}/other.db`, "no database at all, whatever its name says");
    let said = "";
    try {
      new Database(`${folder}/other.db`);
    } catch (error) {
      said = String(error);
    }
    assertMatch(said, /not a database/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("GET /api/films: pages, filters, orders", async () => {
  const { list, send } = open();
  const { results, total, page, pages } = await list();
  assertEquals([results.length, total, page, pages], [24, 3201, 1, 134]);
  assertEquals(await list("?page=135"), { results: [], total: 3201, page: 135, pages: 134 });
  assertEquals((await list("?sort=title&page=134")).results.at(-1)?.title, null);
  assertEquals((await list("?sort=-title&page=134")).results.at(-1)?.title, null);
  const spielberg = (await list("?search=raiders+of+the+lost")).results[0]?.director;
  assertEquals(spielberg?.name, "Steven Spielberg");
  const both = await list(`?director=${spielberg?.id}&genre=adventure&sort=releaseDate&perPage=100`);
  const days = both.results.map(({ releaseDate }) => releaseDate ?? "");
  assertEquals([both.total, days], [both.results.length, days.toSorted()]);
  assert(both.results.every(({ genre, director }) => genre?.id === "adventure" && director?.id === spielberg?.id));
  assert((await list("?search=LEON")).results.some(({ title }) => title === "Léon"));
  for (const query of ["page=0", "page=x", "perPage=101", "director=1%20OR%201=1", "sort=id;DROP TABLE films"]) {
    assertEquals((await send("GET", `films?${query}`)).status, 400, query);
  }
});

Deno.test("what SQL means is only text", async () => {
  const { list, send } = open();
  for (const text of ["'; DROP TABLE films; --", '" OR 1=1 --', "%", "' UNION SELECT * FROM genres --"]) {
    const query = encodeURIComponent(text);
    for (const { title } of (await list(`?search=${query}`)).results) assert(title?.includes(text));
    assertEquals((await list(`?genre=${query}`)).total, 0);
    assertEquals((await send("GET", `films/${query}`)).status, 404);
  }
  const title = `Robert'); DROP TABLE films; -- <script>alert(1)</script> 100%_\\ 🎬`;
  const { body } = await send("POST", "films", { title, director: { name: "O'Hara; --" } });
  assertEquals([body.title, body.director.name, (await list()).total], [title, "O'Hara; --", 3202]);
});

Deno.test("POST, GET, PATCH, PUT, DELETE of one film", async () => {
  const { list, send, film } = open();
  const made = await send("POST", "films", {
    title: "  Metropolis ",
    releaseDate: "1927-01-10",
    genre: "drama",
    director: { name: "Fritz Lang" },
    distributor: { name: "warner bros." },
  });
  const { id } = made.body;
  assertEquals([made.status, made.headers.get("location"), made.body.title], [201, `/api/films/${id}`, "Metropolis"]);
  assertEquals([made.body.genre.name, made.body.distributor.name], ["Drama", "Warner Bros."]);
  assertEquals((await list("?sort=-id")).results[0], made.body);
  const changed = await send("PATCH", `films/${id}`, { title: "Métropolis", rating: 4 });
  assertEquals(changed.body, { ...made.body, title: "Métropolis", rating: 4 });
  // PUT leaves a film that is sent unchanged as it is. Members that are left out become null.
  assertEquals((await send("PUT", `films/${id}`, changed.body)).body, changed.body);
  assertEquals((await send("PUT", `films/${id}`, { title: "x" })).body.director, null);
  assertEquals((await send("DELETE", `films/${id}`)).status, 204);
  for (const method of ["GET", "DELETE"]) assertEquals((await send(method, `films/${id}`)).status, 404);
  // The visitor who deleted a film may create it again under its number; nobody else may.
  assertEquals((await send("PUT", `films/${id}`, { title: "y" })).body.id, id);
  assertEquals((await film(id)).title, "y");
  assertEquals((await send("PUT", `films/${id + 1}`, { title: "x" })).status, 404);
});

Deno.test("a body that makes no sense is refused, member by member, and nothing is written", async () => {
  const { send, film, store } = open();
  const before = await film(1);
  const refusals: [body: object, fields: string[]][] = [
    [{ title: "   " }, ["title"]],
    [{ title: null }, ["title"]],
    [{ title: "x".repeat(201) }, ["title"]],
    [{ rating: 6 }, ["rating"]],
    [{ rating: "5" }, ["rating"]],
    [{ releaseDate: "2001-02-30" }, ["releaseDate"]],
    [{ genre: "no such" }, ["genre"]],
    [{ director: 999_999 }, ["director"]],
    [{ director: { name: "Nobody Yet" }, rating: 9, budget: -1 }, ["budget", "rating"]],
  ];
  for (const [sent, fields] of refusals) {
    const { status, body } = await send("PATCH", "films/1", sent);
    assertEquals([status, Object.keys(body.fields)], [422, fields], JSON.stringify(sent));
  }
  assertEquals((await send("PATCH", "films/1", { rating: 0 })).body, {
    message: `"rating" must be a whole number from 1 to 5`,
    fields: { rating: "must be a whole number from 1 to 5" },
  });
  assertEquals([await film(1), store.byName("director", "Nobody Yet")], [before, undefined]);
  for (const path of ["", "actors", "films/x", "films/99999999", "constructor/1", "films/1/poster", "genres/nope"]) {
    assertMatch((await send("GET", path)).body.message, /^There is no/);
  }
  assertEquals((await send("DELETE", "films")).status, 404);
});

Deno.test("genres are renamed, never two of one name", async () => {
  const { send, list } = open();
  assertEquals((await send("PATCH", "genres/western", { name: "Cowboys" })).body, { id: "western", name: "Cowboys" });
  assert((await list("?genre=western")).results.every(({ genre }) => JSON.stringify(genre).includes("Cowboys")));
  assertEquals((await send("PATCH", "genres/western", { name: "drama" })).status, 409);
});

Deno.test("a poster: for who has signed in, a picture, and not a large one", async () => {
  const { send, film } = open();
  const put = (type: string, size: number, token = "made up") =>
    send("PUT", "films/7/poster", new Uint8Array(size), { "content-type": type, authorization: `Bearer ${token}` });
  assertEquals((await put("image/png", 9)).status, 401);
  const { token } = (await send("POST", "session", { name: "Ann" })).body;
  assertEquals((await put("image/svg+xml", 9, token)).status, 415);
  assertEquals((await put("image/png", 1024 * 1024 + 1, token)).status, 413);
  assertEquals((await put("image/png", 9, token)).body.poster, 1);
  assertEquals((await put("image/png", 9, token)).body.poster, 2);
  assertEquals((await film(7)).poster, 2);
});
