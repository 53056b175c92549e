/** An issue tracker's API in the style of Rails, with SQLite, and a server for the built app. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

/** The number of issues on a page of the list. */
export const PER_PAGE = 8;
/** The number of events in one response of the feed. */
const PER_FEED = 10;

const TYPES: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript", css: "text/css" };

const TABLES = `
  PRAGMA foreign_keys = ON;
  CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
  CREATE TABLE issues (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    body TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'open',
    assignee_id INTEGER REFERENCES users (id)
  ) STRICT;
  CREATE TABLE comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    author_id INTEGER NOT NULL REFERENCES users (id),
    body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    issue_id INTEGER NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users (id)
  ) STRICT;
  INSERT INTO users VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cem');
`;
const SORTS: Readonly<Record<string, string>> = {
  "-created_at": "id DESC",
  created_at: "id",
  title: "title COLLATE NOCASE",
};
const SUMMARY =
  `id, title, state, assignee_id, (SELECT count(*) FROM comments WHERE issue_id = i.id) AS comments_count`;

type Row = Record<string, SQLInputValue>;
type Json = Record<string, unknown>;
/** The body of the form of an issue, and the values that a test writes as another user. */
export type IssueInput = Partial<Record<"title" | "body" | "state", string>> & { assignee_id?: number | null };

/** Each test has its own server. `await using` stops it. */
export class TrackerServer implements AsyncDisposable {
  /** The requests as `PATCH /api/issues/5 {"issue":{…}}`, in order. */
  readonly requests: string[] = [];
  /** The server awaits this before it handles a request. */
  gate: ((request: string) => Promise<void> | undefined) | undefined;
  /** User ids by token. Clearing it ends all sessions. */
  readonly sessions = new Map<string, number>();
  readonly #database = new DatabaseSync(":memory:");
  readonly #stopping = new AbortController();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  /** @param site The folder of the built app. */
  constructor(site: string) {
    this.#database.exec(TABLES);
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, signal: this.#stopping.signal, onListen() {} },
      async (request) => {
        const { pathname } = new URL(request.url);
        return pathname.startsWith("/api/") ? await this.#answer(request) : await serveFile(site, pathname);
      },
    );
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  add({ title = "", body = "", assignee_id = null }: IssueInput, user = 1): number {
    const id = this.#run("INSERT INTO issues (title, body, assignee_id) VALUES (?, ?, ?)", title, body, assignee_id);
    this.#run("INSERT INTO events (kind, issue_id, user_id) VALUES ('opened', ?, ?)", id, user);
    return id;
  }

  comment(issue: number, body: string, user = 1): number {
    const id = this.#run("INSERT INTO comments (issue_id, author_id, body) VALUES (?, ?, ?)", issue, user, body);
    this.#run("INSERT INTO events (kind, issue_id, user_id) VALUES ('commented', ?, ?)", issue, user);
    return id;
  }

  edit(id: number, changes: IssueInput, user = 1): void {
    const before = this.#one("SELECT * FROM issues WHERE id = ?", id)!;
    const { title, body, state, assignee_id } = { ...before, ...changes } as Row;
    const columns = "title = ?, body = ?, state = ?, assignee_id = ?";
    this.#run(`UPDATE issues SET ${columns} WHERE id = ?`, title!, body!, state!, assignee_id!, id);
    const kind = state === before.state ? "edited" : state === "open" ? "reopened" : "closed";
    this.#run("INSERT INTO events (kind, issue_id, user_id) VALUES (?, ?, ?)", kind, id, user);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#server.finished;
    this.#database.close();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url);
    const { method } = request;
    const text = await request.text();
    const line = `${method} ${pathname}${search}${text && ` ${text}`}`;
    this.requests.push(line);
    await this.gate?.(line);
    const body = text === "" ? {} : JSON.parse(text);
    const [, , place, id, part] = pathname.split("/");
    const number = Number(id);
    if (place === "session") return this.#signIn(body);
    const user = this.sessions.get(request.headers.get("authorization")?.replace("Bearer ", "") ?? "");
    if (user === undefined) return Response.json({ error: "Your session has expired." }, { status: 401 });
    if (place === "users") return Response.json({ users: this.#all("SELECT * FROM users ORDER BY name") });
    if (place === "activity") return this.#activity(searchParams);
    if (id === undefined && method === "GET") return this.#list(searchParams);
    if (id === undefined) {
      const errors = problems({ title: "", ...body.issue });
      return errors ?? Response.json({ issue: this.#issue(this.add(body.issue, user)) }, { status: 201 });
    }
    if (id === "close") {
      for (const one of body.ids) this.edit(one, { state: "closed" }, user);
      return Response.json({ issues: body.ids.map((one: number) => this.#issue(one, SUMMARY)) });
    }
    const issue = this.#issue(number);
    if (issue === undefined) return Response.json({ error: "Not found" }, { status: 404 });
    if (part === "comments") {
      const ids = this.#all("SELECT id FROM comments WHERE issue_id = ? ORDER BY id", number);
      if (method === "GET") return Response.json({ comments: ids.map((row) => this.#comment(row.id as number)) });
      if (!body.comment.body.trim()) return Response.json({ errors: { body: ["can't be blank"] } }, { status: 422 });
      return Response.json({ comment: this.#comment(this.comment(number, body.comment.body, user)) }, { status: 201 });
    }
    if (method === "GET") return Response.json({ issue });
    if (method === "DELETE") {
      this.#run("DELETE FROM issues WHERE id = ?", number);
      return new Response(null, { status: 204 });
    }
    const errors = problems(body.issue);
    if (errors === undefined) this.edit(number, body.issue, user);
    return errors ?? Response.json({ issue: this.#issue(number) });
  }

  #signIn({ name, password }: Record<string, string>): Response {
    const user = this.#one("SELECT * FROM users WHERE name = ?", name ?? "");
    if (!user || password !== "secret") return Response.json({ error: "Wrong name or password." }, { status: 401 });
    const token = crypto.randomUUID();
    this.sessions.set(token, user.id as number);
    return Response.json({ token, user }, { status: 201 });
  }

  #list(search: URLSearchParams): Response {
    const where = `(:state IS NULL OR state = :state) AND title LIKE :q
      AND (:assignee IS NULL OR assignee_id IS nullif(:assignee, ''))`;
    const [state, assignee, q] = ["state", "assignee_id", "q"].map((name) => search.get(name));
    const named = { ":state": state!, ":assignee": assignee!, ":q": `%${q ?? ""}%` };
    const total = Number(this.#database.prepare(`SELECT count(*) AS n FROM issues WHERE ${where}`).get(named)!.n);
    const page = Number(search.get("page") ?? 1);
    const rows = this.#database.prepare(
      `SELECT ${SUMMARY} FROM issues AS i WHERE ${where} ORDER BY ${SORTS[search.get("sort") ?? "-created_at"]}
       LIMIT ${PER_PAGE} OFFSET ${(page - 1) * PER_PAGE}`,
    ).all(named) as Row[];
    const pages = Math.max(1, Math.ceil(total / PER_PAGE));
    return Response.json({ issues: rows.map((row) => this.#joined(row)), meta: { page, pages, total } });
  }

  #activity(search: URLSearchParams): Response {
    const before = Number(search.get("before") ?? Number.MAX_SAFE_INTEGER);
    const rows = this.#all(`SELECT * FROM events WHERE id < ? ORDER BY id DESC LIMIT ${PER_FEED + 1}`, before);
    const events = rows.slice(0, PER_FEED).map(({ issue_id, user_id, ...event }) => ({
      ...event,
      user: this.#user(user_id),
      issue: this.#one("SELECT id, title FROM issues WHERE id = ?", issue_id!),
    }));
    return Response.json({ events, meta: { next: rows.length > PER_FEED ? rows[PER_FEED - 1]!.id : null } });
  }

  #issue(id: number, columns = `${SUMMARY}, body`): Json | undefined {
    const row = this.#one(`SELECT ${columns} FROM issues AS i WHERE id = ?`, id);
    return row && this.#joined(row);
  }

  /** The rows store no time of creation, so each is one hour after the row before. */
  #joined({ assignee_id, ...row }: Row): Json {
    const created_at = new Date(Date.UTC(2026, 0, 1, Number(row.id))).toISOString();
    return { ...row, created_at, assignee: this.#user(assignee_id) };
  }

  #comment(id: number): Json {
    const { author_id, ...row } = this.#one("SELECT * FROM comments WHERE id = ?", id)!;
    return { ...row, author: this.#user(author_id) };
  }

  #user(id: SQLInputValue | undefined): Row | null {
    return this.#one("SELECT * FROM users WHERE id = ?", id ?? null) ?? null;
  }

  #one(sql: string, value: SQLInputValue): Row | undefined {
    return this.#all(sql, value)[0];
  }

  #all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#database.prepare(sql).all(...values) as Row[];
  }

  #run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#database.prepare(sql).run(...values).lastInsertRowid);
  }
}

function problems({ title, body }: IssueInput): Response | undefined {
  const errors: Record<string, string[]> = {};
  if (title !== undefined && !title.trim()) errors.title = ["can't be blank"];
  if (title && title.length > 60) errors.title = ["is too long (maximum is 60 characters)"];
  if (body && body.length > 500) errors.body = ["is too long (maximum is 500 characters)"];
  return Object.keys(errors).length > 0 ? Response.json({ errors }, { status: 422 }) : undefined;
}

/** Serves a file of a built app. */
async function serveFile(folder: string, pathname: string): Promise<Response> {
  const path = pathname === "/" ? "/index.html" : pathname;
  const file = await Deno.readFile(folder + path).catch(() => undefined);
  if (file === undefined) return new Response("nothing there", { status: 404 });
  const type = TYPES[path.split(".").at(-1)!] ?? "application/octet-stream";
  return new Response(file, { headers: { "content-type": `${type}; charset=utf-8` } });
}
