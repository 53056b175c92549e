/** The API of the tasks app, with SQLite behind it, and the built app beside it: one origin, as on a real site. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

/** How many tasks a page of a list has. */
export const PAGE_SIZE = 10;

const TABLES = `
  CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
  CREATE TABLE tasks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    notes TEXT NOT NULL DEFAULT '',
    done INTEGER NOT NULL DEFAULT 0,
    person INTEGER REFERENCES people (id)
  ) STRICT;
  INSERT INTO people VALUES (1, 'Ann'), (2, 'Bob');
`;

const TYPES: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript", css: "text/css" };

type Row = Record<string, SQLInputValue>;

/** A server of its own for each test; `await using` stops it. */
export class TasksServer implements AsyncDisposable {
  /** `GET /api/tasks?done=false`, in order. */
  readonly requests: string[] = [];
  /** Waited for before a request is looked at; a response is given in place of the server's own. */
  gate: ((request: string) => Promise<Response | void> | undefined) | undefined;
  /** Whom the server knows. Empty: everybody has to log in again. */
  readonly tokens = new Set<string>();
  readonly #database = new DatabaseSync(":memory:");
  // Aborted and not shut down: a test that failed may leave requests at a gate.
  readonly #stopping = new AbortController();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #site: string;

  /** @param site Where the built app is: a folder. Left out, there is the API alone. */
  constructor(site = "") {
    this.#site = site;
    this.#database.exec(TABLES);
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, signal: this.#stopping.signal, onListen() {} },
      (request) => this.#answer(request),
    );
  }

  /** Where it is. */
  get origin(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Puts a task into the database, as somebody else would. */
  add(
    task: { readonly title: string; readonly done?: boolean; readonly person?: number; readonly notes?: string },
  ): void {
    const { title, notes = "", done = false, person = null } = task;
    this.#run("INSERT INTO tasks (title, notes, done, person) VALUES (?, ?, ?, ?)", title, notes, Number(done), person);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#server.finished;
    this.#database.close();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url);
    if (!pathname.startsWith("/api/")) return await serveFile(this.#site, pathname);
    const line = `${request.method} ${pathname}${search}`;
    this.requests.push(line);
    const text = await request.text();
    const reply = await this.gate?.(line);
    if (reply instanceof Response) return reply;
    const body: Row = text === "" ? {} : JSON.parse(text);
    const [, , place = "", id] = pathname.split("/");
    if (place === "session") return this.#login(String(body.name));
    const token = /^Bearer (.*)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
    if (!this.tokens.has(token)) return Response.json({ message: "Who are you?" }, { status: 401 });
    if (place === "people") {
      const people = this.#all(`SELECT CAST(id AS TEXT) AS id, name FROM people WHERE id = ifnull(?, id)`, id ?? null);
      return id === undefined ? Response.json(people) : found(people[0]);
    }
    if (request.method === "GET") return id === undefined ? this.#list(searchParams) : found(this.#task(id));
    if (request.method === "DELETE") {
      const { changes } = this.#run("DELETE FROM tasks WHERE id = ?", id!);
      return changes === 0 ? found(undefined) : new Response(null, { status: 204 });
    }
    const title = body.title === undefined ? undefined : String(body.title).trim();
    if (title === "" || request.method === "POST" && title === undefined) {
      return Response.json({ message: "A task needs a title." }, { status: 422 });
    }
    if (request.method === "POST") {
      const { lastInsertRowid } = this.#run(
        "INSERT INTO tasks (title, person) VALUES (?, ?)",
        title!,
        body.person ?? null,
      );
      return Response.json(this.#task(String(lastInsertRowid)), { status: 201 });
    }
    const before = this.#task(id!);
    if (before === undefined) return found(undefined);
    const { notes = before.notes!, done = before.done! } = body;
    this.#run(
      "UPDATE tasks SET title = ?, notes = ?, done = ? WHERE id = ?",
      title ?? before.title!,
      notes,
      Number(done),
      id!,
    );
    return found(this.#task(id!));
  }

  #login(name: string): Response {
    if (name === "Eve") return Response.json({ message: "Eve may not come in." }, { status: 403 });
    const token = crypto.randomUUID();
    this.tokens.add(token);
    return Response.json({ token });
  }

  /** The newest first, those behind the cursor. */
  #list(search: URLSearchParams): Response {
    const where = `(:done IS NULL OR done = :done) AND (:person IS NULL OR person = :person) AND title LIKE :q`;
    const named = {
      ":done": search.has("done") ? Number(search.get("done") === "true") : null,
      ":person": search.get("person"),
      ":q": `%${search.get("q") ?? ""}%`,
    };
    const total = this.#database.prepare(`SELECT count(*) AS n FROM tasks WHERE ${where}`).get(named)!.n;
    const ids = this.#database
      .prepare(`SELECT id FROM tasks WHERE ${where} AND id < :cursor ORDER BY id DESC LIMIT ${PAGE_SIZE + 1}`)
      .all({ ...named, ":cursor": Number(search.get("cursor") ?? Number.MAX_SAFE_INTEGER) });
    const items = ids.slice(0, PAGE_SIZE).map(({ id }) => this.#task(String(id)));
    return Response.json({ items, next: ids.length > PAGE_SIZE ? items.at(-1)!.id : null, total });
  }

  #task(id: string): Row | undefined {
    const [row] = this.#all("SELECT CAST(id AS TEXT) AS id, title, notes, done, person FROM tasks WHERE id = ?", id);
    if (row === undefined) return undefined;
    const [person = null] = this.#all("SELECT CAST(id AS TEXT) AS id, name FROM people WHERE id = ?", row.person!);
    return { ...row, done: row.done === 1 as unknown, person } as unknown as Row;
  }

  #all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#database.prepare(sql).all(...values) as Row[];
  }

  #run(sql: string, ...values: SQLInputValue[]) {
    return this.#database.prepare(sql).run(...values);
  }
}

/** A file of a built app. */
export async function serveFile(folder: string, pathname: string): Promise<Response> {
  const path = pathname === "/" ? "/index.html" : pathname;
  const file = await Deno.readFile(folder + path).catch(() => undefined);
  if (file === undefined) return new Response("nothing there", { status: 404 });
  const type = TYPES[path.split(".").at(-1)!] ?? "application/octet-stream";
  return new Response(file, { headers: { "content-type": `${type}; charset=utf-8` } });
}

function found(row: Row | undefined): Response {
  return row === undefined ? Response.json({ message: "There is no such task." }, { status: 404 }) : Response.json(row);
}
