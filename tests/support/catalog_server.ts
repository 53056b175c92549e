/** One film, as the server has it. */
export interface CatalogFilm {
  readonly id: string;
  readonly title: string;
  readonly genre: string;
  readonly year: number;
  readonly rating: number;
}

/** What is there, and what a list of it holds: slow, obvious, and without a line of the product. */
export class Catalog {
  films: CatalogFilm[];
  #next = 100;

  /** @param films What is there at the beginning. */
  constructor(films: readonly CatalogFilm[]) {
    this.films = films.map((film) => ({ ...film }));
  }

  /**
   * A list: `genre` and `year` are compared, `title` and `q` are looked for in the title, `since` is the first year; then
   * `sort` (`-rating`), then `limit` and `page`.
   */
  list(search: URLSearchParams): CatalogFilm[] {
    const { genre, year, title, q, since, sort, limit, page = "1" }: Record<string, string> = Object.fromEntries(
      search,
    );
    const isIn = (film: CatalogFilm) =>
      (genre === undefined || film.genre === genre) && (year === undefined || String(film.year) === year) &&
      (title === undefined || film.title.toLowerCase().includes(title.toLowerCase())) &&
      (q === undefined || film.title.toLowerCase().includes(q.toLowerCase())) &&
      (since === undefined || film.year >= Number(since));
    const found = this.films.filter(isIn);
    if (sort !== undefined) {
      const name = sort.replace("-", "") as keyof CatalogFilm;
      const sign = sort.startsWith("-") ? -1 : 1;
      found.sort((a, b) => sign * (a[name] < b[name] ? -1 : a[name] > b[name] ? 1 : 0));
    }
    const size = limit === undefined ? Infinity : Number(limit);
    const from = limit === undefined ? 0 : (Number(page) - 1) * size;
    return found.slice(from, from + size).map((film) => ({ ...film }));
  }

  /** `undefined`: there is none. */
  create(body: Partial<CatalogFilm>): CatalogFilm {
    const film = { title: "", genre: "", year: 2000, rating: 0, ...body, id: String(this.#next++) };
    this.films.push(film);
    return { ...film };
  }

  /** `undefined`: there is none. */
  update(id: string, body: Partial<CatalogFilm>): CatalogFilm | undefined {
    this.films = this.films.map((film) => film.id === id ? { ...film, ...body, id } : film);
    const film = this.films.find((film) => film.id === id);
    return film && { ...film };
  }

  /** `undefined`: there is none. */
  delete(id: string): CatalogFilm | undefined {
    const film = this.films.find((film) => film.id === id);
    this.films = this.films.filter((other) => other !== film);
    return film;
  }
}

/** The catalog as an API, `/films` and `/films/:id`, that keeps what it was asked. */
export class CatalogServer extends Catalog implements AsyncDisposable {
  /** `METHOD path`, in order. */
  requests: string[] = [];
  /** Lists come as `{ results, total }`. */
  hasTotal = false;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  /** @param films What is there at the beginning. */
  constructor(films: readonly CatalogFilm[]) {
    super(films);
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => this.#answer(request));
  }

  /** Where it is. */
  get origin(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url);
    this.requests.push(`${request.method} ${pathname}${search}`);
    const text = await request.text();
    const body = text === "" ? {} : JSON.parse(text);
    const id = pathname.split("/")[2];
    const said = id === undefined
      ? request.method === "POST" ? this.create(body) : this.#listed(searchParams)
      : request.method === "GET"
      ? this.films.find((film) => film.id === id)
      : request.method === "DELETE"
      ? this.delete(id)
      : this.update(id, body);
    return said === undefined ? new Response("not found", { status: 404 }) : Response.json(said);
  }

  #listed(search: URLSearchParams): unknown {
    const results = this.list(search);
    if (!this.hasTotal) return results;
    const whole = new URLSearchParams(search);
    whole.delete("limit");
    return { results, total: this.list(whole).length };
  }
}
