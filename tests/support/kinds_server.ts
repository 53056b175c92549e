/**
 * A server of many kinds of things and of answers: summaries and details, rows of several classes that may become each
 * other's, records that are made inside others, calls for many, pks that change.
 *
 * @module
 */

/** A row, as the server keeps it; ids are the keys of the tables. */
export type Row = Record<string, string>;
/** What is read of one, with what is in it. */
export type Json = Readonly<Record<string, unknown>>;

/** In how many words an edit is answered. */
export const VOICES = ["detail", "summary", "nothing", "id"] as const;

/** One of {@linkcode VOICES}. */
export type Voice = (typeof VOICES)[number];

/** What a body has beside texts. */
interface Many {
  readonly ids?: readonly string[];
  readonly comments?: readonly Row[];
  readonly author?: Row;
}

/** A request on the wire. */
export interface Sent {
  readonly request: Request;
  readonly body: Row;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
  /** What the server has answered, when it has. */
  answer?: Response;
}

/** Posts, notes, comments, tasks of projects and settings, one request after the other. */
export class KindsServer {
  readonly tables: Record<"people" | "posts" | "notes" | "comments" | "tasks" | "settings", Map<string, Row>> = {
    people: new Map(),
    posts: new Map(),
    notes: new Map(),
    comments: new Map(),
    tasks: new Map(),
    settings: new Map([["x", { id: "x", value: "old" }]]),
  };
  readonly sent: Sent[] = [];
  lastId = 0;

  constructor(readonly voice: Voice) {
    for (const name of ["ann", "bob"]) this.make("people", { name });
    for (const at of ["0", "1", "2"]) this.make("posts", { slug: `s${at}`, status: "ab"[Number(at) % 2]! });
    this.make("notes", { text: "old", status: "a" });
    this.make("comments", { text: "old", postId: "3" });
    for (const number of ["1", "2"]) this.tables.tasks.set(`1/${number}`, { project: "1", number, label: "old" });
  }

  make(name: "people" | "posts" | "notes" | "comments", members: Row): Row {
    const id = String(++this.lastId);
    const post = { type: "post", slug: `z${id}`, title: "", status: "a", authorId: "1", body: "x" };
    const row = { ...name === "posts" && post, ...name === "notes" && { type: "note", text: "" }, ...members, id };
    this.tables[name].set(id, row);
    return row;
  }

  card({ body: _, ...row }: Row): Json {
    return { ...row, author: this.tables.people.get(row.authorId!) };
  }
  post(row: Row): Json {
    return { ...this.card(row), body: row.body, comments: this.rows("comments", { postId: row.id! }) };
  }
  item(row: Row): Json {
    return row.type === "post" ? this.card(row) : row;
  }
  rows(name: keyof KindsServer["tables"], args: Row): Row[] {
    const rows = [...this.tables[name].values()];
    return rows.filter((row) => Object.entries(args).every(([member, value]) => row[member] === value));
  }
  feed(args: Row): Json[] {
    return [...this.rows("posts", args), ...this.rows("notes", args)].map((row) => this.item(row));
  }
  bySlug(slug: string): Json | undefined {
    const [row] = this.rows("posts", { slug });
    return row && this.post(row);
  }

  send(input: string, init: RequestInit | undefined): Promise<Response> {
    return new Promise((resolve, reject) => {
      const body = typeof init?.body === "string" ? JSON.parse(init.body) : {};
      this.sent.push({ request: new Request(input, init), body, resolve, reject });
    });
  }

  /** Does what is asked, now. */
  apply(sent: Sent): void {
    const said = this.#do(sent);
    const text = JSON.stringify(said);
    const etag = JSON.stringify(text?.replaceAll('"', "'"));
    const { headers, method } = sent.request;
    const isSame = method === "GET" && headers.get("if-none-match") === etag;
    sent.answer = said === undefined
      ? new Response("{}", { status: 404 })
      : isSame || said === null
      ? new Response(null, { status: isSame ? 304 : 204, headers: { etag } })
      : Response.json(said, { headers: { etag } });
  }

  /** What it answers; `undefined`: 404, `null`: nothing. */
  #do({ request: { method, url }, body }: Sent): unknown {
    const { pathname, searchParams } = new URL(url);
    const args = Object.fromEntries(searchParams);
    const [, name, id, , number] = pathname.split("/") as ["", string, string?, string?, string?];
    const { posts, notes, tasks, settings } = this.tables;
    if (name === "slugs") return this.bySlug(id!);
    if (name === "boxes") return posts.has(id!) ? { data: this.post(posts.get(id!)!) } : undefined;
    if (name === "settings") {
      if (method === "POST") { for (const [key, value] of Object.entries(body)) settings.set(key, value as never); }
      return method === "POST" ? body : Object.fromEntries(settings);
    }
    if (name === "projects") {
      const pk = `${id}/${number}`;
      if (number === undefined) return this.rows("tasks", { project: id! });
      const row = tasks.get(pk);
      if (row === undefined || method === "GET") return row;
      tasks.delete(pk);
      if (method === "DELETE") return null;
      const next = { ...row, ...body as Row };
      tasks.set(`${next.project}/${next.number}`, next);
      return next;
    }
    const { author: _a, comments: _c, ids: _i, ...members } = body;
    const { author, comments = [], ids = [] } = body as unknown as Many;
    if (id === "edit" || id === "drop") {
      const rows = ids.flatMap((one): readonly Row[] => posts.has(one) ? [posts.get(one)!] : []);
      for (const row of rows) id === "edit" ? row.title = body.title! : posts.delete(row.id!);
      return rows.map((row) => id === "edit" ? this.card(row) : { id: row.id });
    }
    if (id === "join") {
      const [kept, gone] = ids.map((one) => posts.get(one));
      if (!kept || !gone || kept === gone) return undefined;
      posts.delete(gone.id!);
      kept.title = body.title!;
      return { kept: this.card(kept), gone: { id: gone.id } };
    }
    const table = name === "feed" ? (notes.has(id!) ? "notes" : "posts") : name as "posts" | "notes" | "comments";
    const isPost = table === "posts";
    const show = (row: Row) =>
      isPost ? method === "GET" || this.voice !== "summary" ? this.post(row) : this.card(row) : row;
    if (method === "POST") {
      const authorId = author && this.make("people", author).id!;
      const row = this.make(table, { ...members, ...authorId && { authorId } });
      for (const comment of comments) this.make("comments", { ...comment, postId: row.id! });
      return show(row);
    }
    if (id === undefined) {
      return name === "feed" ? this.feed(args) : this.rows(table, args).map((row) => isPost ? this.card(row) : row);
    }
    const row = this.tables[table].get(id);
    if (row === undefined) return undefined;
    if (method === "GET") return name === "feed" ? this.item(row) : show(row);
    const becomes = name === "feed" && members.type !== undefined && members.type !== row.type;
    if (method === "DELETE" || becomes) this.tables[table].delete(id);
    if (method === "DELETE") return null;
    if (becomes) {
      const other = isPost ? "notes" : "posts";
      const next = { ...this.make(other, { status: row.status! }), id };
      this.tables[other].delete(String(this.lastId));
      this.tables[other].set(id, next);
      return this.item(next);
    }
    Object.assign(row, members);
    for (const { id: known, ...comment } of comments) if (!known) this.make("comments", { ...comment, postId: id });
    return this.voice === "nothing"
      ? null
      : this.voice === "id"
      ? { id }
      : name === "feed"
      ? this.item(row)
      : show(row);
  }

  /** Answers a request, or loses the answer, unless it is to a call for many. */
  answer(at: number, isLost = false): void {
    const [sent] = this.sent.splice(at % Math.max(1, this.sent.length), 1);
    if (sent !== undefined && !sent.answer) this.apply(sent);
    if (isLost && !sent?.body.ids) sent?.reject(new TypeError("The connection was cut"));
    else sent?.resolve(sent.answer!);
  }
}
