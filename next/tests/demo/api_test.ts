import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApi } from "../../demo/api.ts";
import { cleanDate, cleanTitle } from "../../demo/movies.ts";
import { FilmStore, type Written } from "../../demo/store.ts";
import movies from "../../demo/data/movies.json" with { type: "json" };

interface FilmJson {
  id: number;
  title: string | null;
  releaseDate: string | null;
  rating: number | null;
  imdbVotes: number | null;
  genre: { id: string; name: string } | null;
  director: { id: number; name: string } | null;
  distributor: { id: number; name: string } | null;
  [member: string]: unknown;
}

interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

interface PageJson {
  results: FilmJson[];
  total: number;
  page: number;
  pages: number;
}

interface Refused {
  message: string;
  fields?: Record<string, string>;
}

function testApi(name: string, run: (open: () => Served, t: Deno.TestContext) => Promise<void>): void {
  Deno.test(name, (t) => run(() => new Served(new FilmStore(movies)), t));
}

/** The API over real HTTP, on a store of its own. */
class Served implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly url: string;

  constructor(readonly store: FilmStore) {
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, createApi(store));
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async send<T = Refused>(method: string, path: string, body?: unknown, init: RequestInit = {}): Promise<Answer<T>> {
    const response = await fetch(this.url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      ...init,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
  }

  async film(id: number): Promise<FilmJson> {
    return (await this.send<FilmJson>("GET", `/api/films/${id}`)).body;
  }

  async list(query = ""): Promise<PageJson> {
    return (await this.send<PageJson>("GET", `/api/films${query}`)).body;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

Deno.test("the database repairs what is untidy, and nothing else", async (t) => {
  await t.step("titles", () => {
    assertEquals(cleanTitle(1776), "1776");
    assertEquals(cleanTitle("Charge of the Light Brigade, The"), "The Charge of the Light Brigade");
    assertEquals(cleanTitle("The Helix...  Loaded"), "The Helix... Loaded");
    assertEquals(cleanTitle("LÈon"), "Léon");
    assertEquals(cleanTitle("Alien³"), "Alien³");
    assertEquals(cleanTitle(null), null);
    assertEquals(cleanTitle("Me, Myself & Irene"), "Me, Myself & Irene");
  });
  await t.step("centuries", () => {
    assertEquals(cleanDate("Dec 15 2039"), "1939-12-15");
    assertEquals(cleanDate("Feb 08 2015"), "1915-02-08");
    assertEquals(cleanDate("Dec 23 2011"), "2011-12-23");
    assertEquals(cleanDate("Jun 12 1998"), "1998-06-12");
    assertEquals(cleanDate("TBD"), null);
    assertEquals(cleanDate(null), null);
  });
  await t.step("all films, each name once", () => {
    const store = new FilmStore(movies);
    const { results, total } = store.films({ sort: "releaseDate", descending: true });
    assertEquals(total, 3201);
    assertEquals(results.filter(({ title }) => title === null).length, 1);
    assertEquals(results.filter(({ title }) => title === "The Alamo").length, 2);
    assertEquals(results[0]!.releaseDate, "2011-12-23");
    const directors = store.all("director").map(({ name }) => name);
    assertEquals(new Set(directors).size, directors.length);
    assertEquals(store.all("genre").length, 12);
  });
});

testApi("GET /api/films: pages, filters, orders", async (open, t) => {
  await using api = open();

  await t.step("the first page, with nested objects", async () => {
    const { results, total, page, pages } = await api.list();
    assertEquals([results.length, total, page, pages], [24, 3201, 1, 134]);
    const votes = results.map(({ imdbVotes }) => imdbVotes ?? 0);
    assertEquals(votes, votes.toSorted((a, b) => b - a));
    const film = results.find(({ director }) => director !== null);
    assertEquals(typeof film?.director?.id, "number");
    assertEquals(typeof film?.director?.name, "string");
  });

  await t.step("a page behind the last is empty, however far", async () => {
    for (const page of [135, 90_071_992_547_409]) {
      assertEquals(await api.list(`?page=${page}`), { results: [], total: 3201, page, pages: 134 });
    }
    assertEquals(await api.list("?genre=nothing-of-that-name"), { results: [], total: 0, page: 1, pages: 1 });
  });

  await t.step("filters work together", async () => {
    const spielberg = (await api.list("?search=raiders+of+the+lost")).results[0]?.director;
    assertEquals(spielberg?.name, "Steven Spielberg");
    const { results, total } = await api.list(`?director=${spielberg?.id}&genre=adventure&sort=released&perPage=100`);
    assertEquals(total, results.length);
    assert(
      total > 0 && results.every(({ genre, director }) => genre?.id === "adventure" && director?.id === spielberg?.id),
    );
    const days = results.map(({ releaseDate }) => releaseDate ?? "");
    assertEquals(days, days.toSorted());
  });

  await t.step("search knows neither case nor accents", async () => {
    for (const search of ["léon", "LEON", "leon"]) {
      assert((await api.list(`?search=${encodeURIComponent(search)}`)).results.some(({ title }) => title === "Léon"));
    }
  });

  await t.step("what is null comes last, both ways", async () => {
    for (const sort of ["title", "-title"]) {
      assertEquals((await api.list(`?sort=${sort}&page=134`)).results.at(-1)?.title, null);
    }
  });
});

testApi("GET /api/films: what makes no sense is refused with a sentence", async (open) => {
  await using api = open();
  const refusals: [query: string, message: RegExp][] = [
    ["page=0", /"page" must be a whole number from 1/],
    ["page=-1", /"page"/],
    ["page=1.5", /"page"/],
    ["page=1e3", /"page"/],
    ["page=99999999999999999999", /"page"/],
    ["page=NaN", /"page"/],
    ["perPage=101", /"perPage" must be a whole number from 1 to 100, not "101"/],
    ["director=abc", /"director"/],
    ["director=1%20OR%201=1", /"director"/],
    ["sort=nothing", /"sort" must be one of imdbVotes, votes/],
    ["sort=constructor", /"sort"/],
    ["sort=id;DROP TABLE films", /"sort"/],
    ["gnere=drama", /There is no parameter "gnere"; there are page, /],
    [`search=${"x".repeat(201)}`, /longer than 200/],
  ];
  for (const [query, message] of refusals) {
    const { status, body } = await api.send("GET", `/api/films?${query}`);
    assertEquals(status, 400, query);
    assertMatch(body.message, message);
  }
});

testApi("what SQL means is only text", async (open) => {
  await using api = open();
  const hostile = [
    "'; DROP TABLE films; --",
    '" OR 1=1 --',
    "%",
    "_",
    "\\",
    "%%%",
    "\0",
    "' UNION SELECT * FROM genres --",
  ];
  for (const text of hostile) {
    const query = encodeURIComponent(text);
    const found = await api.list(`?search=${query}`);
    assert(found.total < 60, `"${text}" found ${found.total}`);
    for (const { title } of found.results) assert(title?.includes(text), `"${text}" found ${title}`);
    assertEquals((await api.list(`?genre=${query}`)).total, 0);
    assertEquals((await api.send("GET", `/api/films/${query}`)).status, 404);
    assertEquals((await api.send("GET", `/api/genres/${query}`)).status, 404);
    assertEquals((await api.send("GET", `/api/directors/${query}`)).status, 404);
  }

  const title = `Robert'); DROP TABLE films; -- <script>alert(1)</script> 100%_\\ 🎬`;
  const { body: film } = await api.send<FilmJson>("POST", "/api/films", { title, director: { name: "O'Hara; --" } });
  assertEquals(film.title, title);
  assertEquals(film.director?.name, "O'Hara; --");
  assertEquals((await api.list(`?search=${encodeURIComponent("100%_\\ 🎬")}`)).results.map(({ id }) => id), [film.id]);
  assertEquals((await api.list()).total, 3202);
});

testApi("POST, GET, PATCH, PUT, DELETE of one film", async (open, t) => {
  await using api = open();
  let id = 0;

  await t.step("POST gives what was stored, and where", async () => {
    const { status, headers, body } = await api.send<FilmJson>("POST", "/api/films", {
      title: "  Metropolis ",
      releaseDate: "1927-01-10",
      runningTime: 153,
      genre: "drama",
      director: { name: "Fritz Lang" },
      distributor: { name: "warner bros." },
    });
    id = body.id;
    assertEquals(status, 201);
    assertEquals(headers.get("location"), `/api/films/${id}`);
    assertEquals([body.title, body.releaseDate, body.genre?.name], ["Metropolis", "1927-01-10", "Drama"]);
    assertEquals([body.director?.name, body.distributor?.name, body.rating], ["Fritz Lang", "Warner Bros.", null]);
    assertEquals(await api.film(id), body);
    assertEquals((await api.list("?sort=-added")).results[0], body);
    assertEquals((await api.list(`?director=${body.director?.id}`)).total, 1);
    const director = await api.send<unknown>("GET", `/api/directors/${body.director?.id}`);
    assertEquals(director.body, { id: body.director?.id, name: "Fritz Lang" });
  });

  await t.step("PATCH changes what it names", async () => {
    const before = await api.film(id);
    const { status, body } = await api.send<FilmJson>("PATCH", `/api/films/${id}`, { title: "Métropolis", rating: 4 });
    assertEquals(status, 200);
    assertEquals(body, { ...before, title: "Métropolis", rating: 4 });
    assertEquals((await api.list("?search=metropolis")).results[0]?.id, id);
    assertEquals((await api.send<FilmJson>("PATCH", `/api/films/${id}`, { rating: null })).body.rating, null);
    assertEquals((await api.send<FilmJson>("PATCH", `/api/films/${id}`, {})).body.title, "Métropolis");
  });

  await t.step("PUT replaces: a film as it was read stays as it is, what is left out becomes null", async () => {
    const before = await api.film(id);
    assertEquals((await api.send<FilmJson>("PUT", `/api/films/${id}`, before)).body, before);
    const { status, body } = await api.send<FilmJson>("PUT", `/api/films/${id}`, { title: "Metropolis" });
    assertEquals(status, 200);
    assertEquals([body.title, body.releaseDate, body.genre, body.director], ["Metropolis", null, null, null]);
  });

  await t.step("DELETE, once; its id is never given again", async () => {
    const { status, body } = await api.send("DELETE", `/api/films/${id}`);
    assertEquals([status, body], [204, undefined]);
    for (const method of ["GET", "DELETE"]) {
      const gone = await api.send(method, `/api/films/${id}`);
      assertEquals([gone.status, gone.body.message], [404, `There is no film ${id}`]);
    }
    assertEquals((await api.send("PATCH", `/api/films/${id}`, { title: "x" })).status, 404);
    // Whoever deleted it may put it back; nobody else gets its number.
    const back = await api.send<FilmJson>("PUT", `/api/films/${id}`, { title: "x", rating: 3 });
    assertEquals([back.status, back.body.id, back.body.title, back.body.rating], [200, id, "x", 3]);
    assertEquals((await api.film(id)).title, "x");
    assertEquals((await api.send("DELETE", `/api/films/${id}`)).status, 204);
    assertEquals((await api.send("PUT", `/api/films/${id + 1}`, { title: "x" })).status, 404);
    const next = await api.send<FilmJson>("POST", "/api/films", { title: "Next" });
    assertEquals(next.body.id, id + 1);
  });
});

testApi("a body that makes no sense is refused, member by member, and nothing is written", async (open) => {
  await using api = open();
  const before = await api.film(1);
  const refusals: [body: unknown, fields: Record<string, RegExp>][] = [
    [{ title: "" }, { title: /must not be empty/ }],
    [{ title: "   " }, { title: /must not be empty/ }],
    [{ title: null }, { title: /must not be empty/ }],
    [{ title: 7 }, { title: /must be a text/ }],
    [{ title: "x".repeat(201) }, { title: /at most 200 characters/ }],
    [{ title: "two\nlines" }, { title: /one line/ }],
    [{ title: "half \ud800 a pair" }, { title: /one line/ }],
    [{ rating: 0 }, { rating: /whole number from 1 to 5/ }],
    [{ rating: 6 }, { rating: /whole number from 1 to 5/ }],
    [{ rating: 4.5 }, { rating: /whole number from 1 to 5/ }],
    [{ rating: "5" }, { rating: /whole number from 1 to 5/ }],
    [{ rating: { $gt: 0 } }, { rating: /whole number/ }],
    [{ releaseDate: "2001-02-30" }, { releaseDate: /must be a day/ }],
    [{ releaseDate: "yesterday" }, { releaseDate: /must be a day/ }],
    [{ genre: "no such" }, { genre: /must be the id of a genre/ }],
    [{ genre: 3 }, { genre: /must be the id of a genre/ }],
    [{ director: 999_999 }, { director: /must be one of the directors/ }],
    [{ director: { name: "" } }, { director: /must not be empty/ }],
    [{ director: { nom: "x" } }, { director: /an id or an object with a name/ }],
    [{ director: [] }, { director: /an id or an object with a name/ }],
    [{ id: 2 }, { id: /must be 1/ }],
    [{ tilte: "x" }, { tilte: /is not a member/ }],
    [{ title: "Good", rating: 9, budget: -1 }, { budget: /whole number from 0/, rating: /1 to 5/ }],
    [{ title: "Good", director: { name: "Nobody Yet" }, rating: 9 }, { rating: /1 to 5/ }],
  ];
  for (const [sent, expected] of refusals) {
    const { status, body } = await api.send("PATCH", "/api/films/1", sent);
    assertEquals(status, 422, JSON.stringify(sent));
    assertEquals(Object.keys(body.fields ?? {}), Object.keys(expected));
    for (const [field, pattern] of Object.entries(expected)) {
      assertMatch(body.fields?.[field] ?? "", pattern);
      assertMatch(body.message, new RegExp(`"${field}" `));
    }
  }
  assertEquals(await api.film(1), before);
  assertEquals(api.store.byName("director", "Nobody Yet"), undefined);

  const raw: [body: BodyInit, type: string, status: number, message: RegExp][] = [
    ["{", "application/json", 400, /The body is not JSON/],
    ["", "application/json", 400, /The body is not JSON/],
    ["[]", "application/json", 422, /must be a JSON object/],
    ["null", "application/json", 422, /must be a JSON object/],
    ['{"__proto__":{"title":"x"}}', "application/json", 422, /"__proto__" is not a member/],
    ['{"constructor":1}', "application/json", 422, /"constructor" is not a member/],
    ["title=x", "application/x-www-form-urlencoded", 415, /must be application\/json/],
    [`{"title":"${"x".repeat(70_000)}"}`, "application/json", 413, /longer than 65536 bytes/],
  ];
  for (const [body, type, status, message] of raw) {
    const answer = await api.send("POST", "/api/films", undefined, { body, headers: { "content-type": type } });
    assertEquals(answer.status, status, String(body).slice(0, 60));
    assertMatch(answer.body.message, message);
  }
  assertEquals((await api.send("POST", "/api/films", { id: 5, title: "x" })).body.fields, {
    id: "is given by the server",
  });
  assertEquals((await api.list()).total, 3201);
});

testApi("paths and methods that are not there", async (open) => {
  await using api = open();
  for (
    const path of [
      "/api/",
      "/api/actors",
      "/api/films/1/cast",
      "/api/films/0",
      "/api/films/01",
      "/api/films/x",
      "/api/films/1e3",
      "/api/films/99999999",
      "/api/films/99999999999999999999",
      "/api/constructor/1",
      "/api/directors/0",
      "/api/films/1/poster",
      "/api/films/1/poster/2",
      "/api/genres/nope",
    ]
  ) {
    const { status, headers, body } = await api.send("GET", path);
    assertEquals(status, 404, path);
    assertMatch(headers.get("content-type") ?? "", /^application\/json/);
    assertMatch(body.message, /^There is no/);
  }
  assertEquals((await api.send("GET", "/api/films/%E0%A4%A")).status, 400);
  const refused = await api.send("DELETE", "/api/films");
  assertEquals([refused.status, refused.headers.get("allow")], [405, "GET, POST"]);
  assertEquals((await api.send("PATCH", "/api/directors/1", {})).headers.get("allow"), "GET");
  const head = await api.send("HEAD", "/api/films/1");
  assertEquals([head.status, head.body], [200, undefined]);
});

testApi("genres: sorted, renamed, never two of one name", async (open) => {
  await using api = open();
  const { body } = await api.send<{ id: string; name: string }[]>("GET", "/api/genres");
  assertEquals(body.length, 12);
  assertEquals(body.map(({ name }) => name), body.map(({ name }) => name).toSorted());
  assertEquals((await api.send<unknown>("GET", "/api/genres/western")).body, { id: "western", name: "Western" });
  assertEquals((await api.send<unknown>("PATCH", "/api/genres/western", { name: "Cowboys" })).body, {
    id: "western",
    name: "Cowboys",
  });
  assert((await api.list("?genre=western")).results.every(({ genre }) => genre?.name === "Cowboys"));
  assertEquals((await api.send("PATCH", "/api/genres/western", { name: "drama" })).status, 409);
  assertEquals((await api.send("PATCH", "/api/genres/western", {})).body.fields, { name: "must not be empty" });
});

testApi("directors: a bare list, whose next page the header names", async (open) => {
  await using api = open();
  const seen: string[] = [];
  let path: string | undefined = "/api/directors";
  for (let pages = 0; path !== undefined && pages < 20; pages++) {
    const { headers, body }: Answer<{ id: number; name: string }[]> = await api.send("GET", path);
    seen.push(...body.map(({ name }) => name));
    const next: string | undefined = /<(.*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    path = next && new URL(next, `${api.url}/api/directors`).href.slice(api.url.length);
  }
  assertEquals([seen.length, new Set(seen).size], [550, 550]);
  assertEquals((await api.send("GET", "/api/directors?page=99")).body, [] as unknown);
  assertEquals((await api.send("GET", "/api/directors?page=x")).status, 400);
});

testApi("a poster: for who has signed in, a picture, and not a large one", async (open) => {
  await using api = open();
  const put = (type: string, size: number, token?: string) =>
    api.send<FilmJson>("PUT", "/api/films/7/poster", undefined, {
      body: new Uint8Array(size).fill(7),
      headers: { "content-type": type, ...token && { authorization: `Bearer ${token}` } },
    });
  assertEquals((await api.film(7)).poster, null);
  const refused = await put("image/png", 9);
  assertEquals([refused.status, refused.headers.get("www-authenticate")], [401, "Bearer"]);
  assertEquals((await put("image/png", 9, "made up")).status, 401);
  const { status, body: { token } } = await api.send<{ token: string }>("POST", "/api/session", { name: "Ann" });
  assertEquals(status, 201);
  assertEquals((await put("image/svg+xml", 9, token)).status, 415);
  assertEquals((await put("image/png", 0, token)).status, 422);
  assertEquals((await put("image/png", 1024 * 1024 + 1, token)).status, 413);
  assertEquals((await put("image/png", 9, token)).body.poster, 1);
  assertEquals((await put("image/webp", 9, token)).body.poster, 2);
  const picture = await fetch(`${api.url}/api/films/7/poster?2`);
  assertEquals([picture.headers.get("content-type"), (await picture.bytes()).length], ["image/webp", 9]);
  // A film that was read is sent back as it is; the picture is not part of it.
  const film = await api.film(7);
  assertEquals((await api.send("PUT", "/api/films/7", film)).body, film as unknown);
  assertEquals(
    (await api.send("DELETE", "/api/session", undefined, { headers: { authorization: `Bearer ${token}` } })).status,
    204,
  );
  assertEquals((await put("image/png", 9, token)).status, 401);
  await api.send("DELETE", "/api/films/7");
  assertEquals(await fetch(`${api.url}/api/films/7/poster`).then((gone) => gone.text().then(() => gone.status)), 404);
});

Deno.test("what is kept is the same again", async () => {
  const kept = new Map<string, Written>();
  const keep = (written: readonly Written[]) => {
    for (const one of written) kept.set(`${one[0]} ${one[1]}`, one);
  };
  await using json = new Served(new FilmStore(movies, [], keep));
  const ask = async (served: Served, method: string, path: string, body?: unknown) => {
    const answer = await served.send<unknown>(method, path, body);
    return [path, answer.status, answer.body];
  };
  const writes: [method: string, path: string, body?: unknown][] = [
    ["POST", "/api/films", { title: "🎬 Æon", director: { name: "New One" }, genre: "drama" }],
    ["POST", "/api/films", { title: "ﬁn", director: { name: "new one" }, rating: 4 }],
    ["PATCH", "/api/films/12", { title: "Second to none", rating: 9, director: { name: "Nobody" } }],
    ["PATCH", "/api/films/12", { title: "Ünder", rating: 5 }],
    ["PATCH", "/api/genres/drama", { name: "theatre" }],
    ["DELETE", "/api/films/3203"],
    ["DELETE", "/api/films/13"],
    ["PUT", "/api/films/13", { title: "Back" }],
  ];
  for (const [method, path, body] of writes) {
    await ask(json, method, path, body);
  }
  await using again = new Served(new FilmStore(movies, kept.values()));
  const sorts = ["votes", "imdb", "released", "title", "gross", "rating", "added"];
  const paths = [
    ...sorts.flatMap((sort) =>
      [1, 2, 67, 134].flatMap((page) => [sort, `-${sort}`].map((by) => `?sort=${by}&page=${page}`))
    ),
    "?search=the&genre=drama&sort=title&perPage=100",
    "?distributor=3&sort=-title",
  ].map((query) => `/api/films${query}`);
  for (const path of [...paths, "/api/genres", "/api/directors?page=14", "/api/posters", "/api/films/12"]) {
    assertEquals(await ask(again, "GET", path), await ask(json, "GET", path));
  }
  // A number that was given is given to nobody else, also after all is read anew.
  const next = { title: "Next" };
  assertEquals(await ask(again, "POST", "/api/films", next), await ask(json, "POST", "/api/films", next));
});
