/**
 * A naive server of films, over a `fetch` whose requests are applied and answered when a test says so, with a stream that
 * tells of each change late.
 *
 * @module
 */

/** A film, as the server keeps it. */
export interface ServerFilm {
  readonly id: string;
  title: string;
  genre: string;
}

/** One request that is on the wire. */
interface Open {
  readonly method: string;
  readonly url: URL;
  readonly body: Record<string, string>;
  /** What the server says, once it has done what it was asked for. */
  answer?: Response;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

/** A message of the stream. */
export interface FilmMessage {
  readonly type: "film" | "gone";
  readonly data: ServerFilm | { readonly id: string };
}

/** So many rows has a page. */
export const SIZE = 2;

/** Films in order of their ids, in pages of two, with cursors. */
export class LiveFilms {
  readonly films: ServerFilm[] = [];
  readonly open: Open[] = [];
  /** What the stream has not yet said. */
  readonly untold: FilmMessage[] = [];
  #lastId = 0;

  constructor() {
    for (const genre of ["a", "a", "b", "a"]) this.create({ title: "first", genre });
    this.untold.length = 0;
  }

  /** Of those that there ever were. */
  id(at: number): string {
    return String(at % this.#lastId + 1);
  }

  /** All ids that there ever were. */
  get ids(): string[] {
    return Array.from({ length: this.#lastId }, (_, at) => String(at + 1));
  }

  create(body: Partial<ServerFilm>): ServerFilm {
    const film = { title: "", genre: "a", ...body, id: String(++this.#lastId) };
    this.films.push(film);
    this.#tell({ type: "film", data: { ...film } });
    return { ...film };
  }

  edit(id: string, body: Partial<ServerFilm>): ServerFilm | undefined {
    const film = this.films.find((film) => film.id === id);
    if (film === undefined) return undefined;
    Object.assign(film, body);
    this.#tell({ type: "film", data: { ...film } });
    return { ...film };
  }

  delete(id: string): boolean {
    const at = this.films.findIndex((film) => film.id === id);
    if (at < 0) return false;
    this.films.splice(at, 1);
    this.#tell({ type: "gone", data: { id } });
    return true;
  }

  get(id: string): ServerFilm | undefined {
    const film = this.films.find((film) => film.id === id);
    return film && { ...film };
  }

  page(genre: string | null, cursor: string | null): { results: ServerFilm[]; next: string } {
    const rows = this.films.filter((film) =>
      (genre === null || film.genre === genre) && (cursor === null || Number(film.id) > Number(cursor))
    );
    const results = rows.slice(0, SIZE).map((film) => ({ ...film }));
    return { results, next: rows.length > SIZE ? results.at(-1)!.id : "" };
  }

  /** In the place of the platform's. */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const text = await request.text();
    const { signal } = init ?? request;
    return await new Promise((resolve, reject) => {
      const one: Open = {
        method: request.method,
        url: new URL(request.url),
        body: text === "" ? {} : JSON.parse(text),
        resolve,
        reject,
      };
      const drop = () => {
        const at = this.open.indexOf(one);
        if (at >= 0) this.open.splice(at, 1);
        reject(signal!.reason);
      };
      if (signal?.aborted) return drop();
      signal?.addEventListener("abort", drop);
      this.open.push(one);
    });
  };

  /** The server does what one request asks for. */
  apply(at: number): void {
    const one = this.open[at % Math.max(1, this.open.length)];
    if (one !== undefined) one.answer ??= this.#serve(one);
  }

  /** One request is answered: with what was applied, or is now. */
  reply(at: number): void {
    this.apply(at);
    const [one] = this.open.splice(at % Math.max(1, this.open.length), 1);
    one?.resolve(one.answer!);
  }

  /** One request fails: the network, before or after the server has done it; or the server is busy, or refuses. */
  fail(at: number, how: "lost" | "busy" | "refused"): void {
    const [one] = this.open.splice(at % Math.max(1, this.open.length), 1);
    if (one === undefined) return;
    if (how === "lost") one.reject(new TypeError("the network is down"));
    else if (how === "busy") one.resolve(new Response("busy", { status: 503 }));
    // What it has done it does not refuse; and it refuses no read.
    else if (one.method === "GET" || one.answer) one.resolve(one.answer ?? this.#serve(one));
    else one.resolve(new Response("no", { status: 422 }));
  }

  #serve({ method, url, body }: Open): Response {
    const [, , id] = url.pathname.split("/");
    if (method === "POST") return Response.json(this.create(body), { status: 201 });
    if (id === undefined) {
      return Response.json(this.page(url.searchParams.get("genre"), url.searchParams.get("cursor")));
    }
    if (method === "DELETE") return new Response(null, { status: this.delete(id) ? 204 : 404 });
    const film = method === "PATCH" ? this.edit(id, body) : this.get(id);
    return film === undefined ? new Response("none", { status: 404 }) : Response.json(film);
  }

  #tell(message: FilmMessage): void {
    this.untold.push(message);
  }
}
