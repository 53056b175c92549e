/** A record, as the server has it. */
export type Row = { readonly id: string } & { readonly [member: string]: unknown };

/** What a mutation is answered with: a status and a text, or JSON. */
export type Said = { readonly status?: number; readonly body?: string | null; readonly type?: string };

/** JSON as an answer. */
export const json = (value: unknown): Said => ({ body: JSON.stringify(value) });

/** Replies that name no record, and how each is sent. */
export const EMPTY: readonly (readonly [said: string, said: Said])[] = [
  ["204", { status: 204, body: null }],
  ["an empty body", { body: "" }],
  ['""', { body: '""' }],
  ["null", { body: "null" }],
  ["{}", { body: "{}" }],
  ["{success:true}", { body: '{"success":true}' }],
  ['"OK"', { body: '"OK"' }],
  ["OK as text", { body: "OK", type: "text/plain" }],
  ["1", { body: "1" }],
];

/** A small API over `/things` that applies mutations as they are sent, and answers them as it is told. */
export class ReplyServer implements AsyncDisposable {
  /** `METHOD path`, in order. */
  readonly requests: string[] = [];
  rows: Map<string, Row>;
  /** The next id. */
  next = 10;
  /** What a mutation is answered with; without it, the row. */
  reply: ((row: Row, method: string) => Said) | undefined;
  /** How rows are read: a server may leave nulls out. */
  show: (row: Row) => unknown = (row) => row;
  /** The same for lists. */
  list: (rows: readonly unknown[]) => unknown = (rows) => rows;
  /** Waited for before an answer is sent. */
  gate: ((line: string) => Promise<unknown> | undefined) | undefined;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(rows: readonly Row[]) {
    this.rows = new Map(rows.map((row) => [row.id, row]));
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => this.#answer(request));
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url);
    const { method } = request;
    const line = `${method} ${pathname}${search}`;
    this.requests.push(line);
    const text = await request.text();
    const id = decodeURIComponent(pathname.split("/")[2] ?? "") || undefined;
    if (method === "GET") {
      await this.gate?.(line);
      if (id !== undefined) {
        const row = this.rows.get(id);
        return row === undefined ? new Response("not found", { status: 404 }) : Response.json(this.show(row));
      }
      const isIn = (row: Row) => [...searchParams].every(([name, value]) => String(row[name]) === value);
      return Response.json(this.list([...this.rows.values()].filter(isIn).map(this.show)));
    }
    const sent = text === "" ? {} : JSON.parse(text);
    const rows = (Array.isArray(sent) ? sent : [sent]).map((each) => this.#apply(method, id, each));
    await this.gate?.(line);
    const row = rows[0]!;
    if (this.reply === undefined) return Response.json(Array.isArray(sent) ? rows.map(this.show) : this.show(row));
    const { status = 200, body = null, type = "application/json" } = this.reply(row, method);
    return new Response(body, { status, headers: body === null ? {} : { "content-type": type } });
  }

  #apply(method: string, id: string | undefined, sent: object): Row {
    const known = id ?? String((sent as Row).id ?? this.next++);
    const { password: _, ...kept } = sent as { readonly password?: string };
    const before = this.rows.get(known);
    const row = { ...method === "PATCH" ? before : undefined, ...kept, id: known };
    if (method === "DELETE") this.rows.delete(known);
    else this.rows.set(known, row);
    return method === "DELETE" ? before ?? row : row;
  }
}

/** A row without the members that are null, as some servers read it. */
export function withoutNulls(row: Row): unknown {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
