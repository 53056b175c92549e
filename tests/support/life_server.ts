/**
 * A server as servers are: it applies a request at one moment between its start and its answer, answers in as many words
 * as it likes, loses answers, and tells listeners of what it did, in the order in which it did it.
 *
 * @module
 */

/** A row, as the server keeps it; ids are the keys of the table. */
export interface Row {
  readonly id: string;
  title: string;
  note: string | null;
  owner: string;
}

/** In how many words a mutation is answered. */
export const VOICES = ["full", "nothing", "empty", "null", "id", "partial", "noNulls", "ok"] as const;

/** One of {@linkcode VOICES}. */
export type Voice = (typeof VOICES)[number];

/** What is said on the stream. */
export type Message = { readonly type: "row"; readonly row: Row } | { readonly type: "gone"; readonly id: string };

/** How many rows a page has. */
export const PAGE = 2;

/** Rows, one request after the other. */
export class LifeServer {
  readonly rows: Map<string, Row> = new Map();
  /** Somebody else has deleted a row. */
  hasDropped = false;
  readonly #listeners: Message[][] = [];
  #lastId = 0;
  #lastText = 0;

  /** @param count How many rows there are at first. */
  constructor(count: number) {
    for (let at = 0; at < count; at++) this.#create({ title: this.text("a"), note: null, owner: String(at % 2 + 1) });
  }

  /** Somebody listens from now on: what was not told yet. */
  listen(): Message[] {
    const messages: Message[] = [];
    this.#listeners.push(messages);
    return messages;
  }

  /** A text that was never there. */
  text(letter: string): string {
    return `${letter}${++this.#lastText}`;
  }

  /** Somebody else changes a row. */
  meddle(id: string): void {
    const row = this.rows.get(id);
    if (row !== undefined) this.#change({ ...row, note: this.text("m") });
  }

  /** Somebody else deletes a row. */
  drop(id: string): void {
    this.hasDropped = true;
    if (this.rows.delete(id)) this.#say({ type: "gone", id });
  }

  /** The rows of a list, in order; pages count from 1. */
  list(search: URLSearchParams): Row[] {
    const owner = search.get("owner");
    const text = search.get("q");
    const page = search.get("page");
    const sort = search.get("sort") as "title" | null;
    const rows = [...this.rows.values()].filter((row) =>
      (owner === null || row.owner === owner) && (text === null || row.title.startsWith(text))
    );
    // One way only: by code units, as a server's index has it.
    if (sort !== null) rows.sort((a, b) => a[sort] < b[sort] ? -1 : a[sort] > b[sort] ? 1 : 0);
    if (search.has("limit")) return rows.slice(0, Number(search.get("limit")));
    // The newest first, so that what is created moves all pages.
    if (search.has("newest")) rows.reverse();
    const isPaged = search.has("newest") || search.has("view");
    return isPaged ? rows.slice((Number(page ?? 1) - 1) * PAGE, Number(page ?? 1) * PAGE) : rows;
  }

  /**
   * Does what is asked, now.
   *
   * @returns Status and body, in so many words.
   */
  apply(method: string, url: URL, body: Partial<Row> | undefined, voice: Voice): { status: number; text: string } {
    const id = url.pathname.split("/")[2];
    const row = id === undefined ? undefined : this.rows.get(id);
    if (id !== undefined && row === undefined) return { status: 404, text: "{}" };
    if (method === "GET") return { status: 200, text: JSON.stringify(row ?? this.list(url.searchParams)) };
    if (method === "DELETE") {
      this.rows.delete(id!);
      this.#say({ type: "gone", id: id! });
      return say(voice, row!, {});
    }
    const sent = { title: "", note: null, owner: "1", ...body };
    if (method === "POST") return say(voice, this.#create(sent), body ?? {});
    return say(voice, this.#change(method === "PUT" ? { ...sent, id: id! } : { ...row!, ...body }), body ?? {});
  }

  #create(members: Omit<Row, "id">): Row {
    return this.#change({ ...members, id: String(++this.#lastId) });
  }

  #change(row: Row): Row {
    this.rows.set(row.id, row);
    this.#say({ type: "row", row });
    return row;
  }

  #say(message: Message): void {
    for (const messages of this.#listeners) messages.push(message);
  }
}

/** An answer to a mutation that made `row` of it. */
function say(voice: Voice, row: Row, body: Partial<Row>): { status: number; text: string } {
  switch (voice) {
    case "full":
      return { status: 200, text: JSON.stringify(row) };
    case "nothing":
      return { status: 204, text: "" };
    case "empty":
      return { status: 200, text: "" };
    case "null":
      return { status: 200, text: "null" };
    case "ok":
      return { status: 200, text: `{"success":true}` };
    case "id":
      return { status: 200, text: JSON.stringify({ id: row.id }) };
    case "noNulls":
      return {
        status: 200,
        text: JSON.stringify(Object.fromEntries(Object.entries(row).filter(([, v]) => v !== null))),
      };
    case "partial": {
      const [first] = Object.keys(body) as (keyof Row)[];
      return {
        status: 200,
        text: JSON.stringify({ id: row.id, ...first === undefined ? {} : { [first]: row[first] } }),
      };
    }
  }
}
