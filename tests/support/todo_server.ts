/** One todo, as the server has it. */
export interface TodoRow {
  readonly id: string;
  readonly userId: string;
  readonly title: string;
  readonly done: boolean;
}

/** What a mutation is answered with in place of the row. */
export interface TodoReply {
  readonly status?: number | undefined;
  readonly body?: string | null | undefined;
}

/** A small API over todos that keeps what it was asked: `/todos`, `/todos/:id`, `/users/:userId/todos`. */
export class TodoServer implements AsyncDisposable {
  /** `METHOD path`, in order. */
  readonly requests: string[] = [];
  /** Ids are counted from here. */
  next = 10;
  /** Answers mutations in place of the server. */
  reply: TodoReply | undefined;
  /** Waited for before a mutation is applied. */
  gate: ((request: string) => Promise<void> | undefined) | undefined;
  readonly rows: Map<string, TodoRow>;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  /** @param rows What is there at the beginning. */
  constructor(rows: readonly Partial<TodoRow>[]) {
    this.rows = new Map(rows.map((row) => [row.id!, { ...BLANK, ...row }]));
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
    const line = `${request.method} ${pathname}${search}`;
    this.requests.push(line);
    const text = await request.text();
    // A name that only the page knows must never get here.
    if (/~[0-9a-f]{16}-/.test(line) || /~[0-9a-f]{16}-/.test(text)) {
      return new Response(`temporary: ${line} ${text}`, { status: 418 });
    }
    const sent = text === "" ? {} : JSON.parse(text);
    if (request.method === "GET") return this.#read(pathname, searchParams);
    await this.gate?.(`${line} ${text}`);
    const id = pathname.startsWith("/todos/") ? pathname.slice("/todos/".length) : undefined;
    if (this.reply?.status !== undefined && this.reply.status >= 400) return new Response("no", this.reply as object);
    const owner = pathname.startsWith("/users/") ? { userId: pathname.split("/")[2] } : {};
    const row = this.#apply(request.method, id, { ...owner, ...sent });
    if (row === undefined) return new Response("not found", { status: 404 });
    if (this.reply === undefined) return Response.json(row);
    const { body = null, status = 200 } = this.reply;
    const headers: Record<string, string> = body === null ? {} : { "content-type": "application/json" };
    return new Response(body?.replace("$id", row.id) ?? null, { status, headers });
  }

  #read(pathname: string, search: URLSearchParams): Response {
    const [, first, second] = pathname.split("/");
    if (first === "todos" && second !== undefined) {
      const row = this.rows.get(second);
      return row === undefined ? new Response("not found", { status: 404 }) : Response.json(row);
    }
    const userId = first === "users" ? second : search.get("userId");
    const done = search.get("done");
    const isIn = (row: TodoRow) =>
      (userId === null || row.userId === userId) && (done === null || String(row.done) === done);
    return Response.json([...this.rows.values()].filter(isIn));
  }

  #apply(method: string, id: string | undefined, sent: Partial<TodoRow>): TodoRow | undefined {
    const known = id ?? sent.id;
    const before = known === undefined ? undefined : this.rows.get(known);
    if (method === "POST") {
      const made = { ...BLANK, ...sent, id: String(this.next++) };
      this.rows.set(made.id, made);
      return made;
    }
    if (before === undefined) return undefined;
    if (method === "DELETE") this.rows.delete(before.id);
    else this.rows.set(before.id, { ...before, ...sent });
    return this.rows.get(before.id) ?? before;
  }
}

const BLANK: TodoRow = { id: "", userId: "", title: "", done: false };
