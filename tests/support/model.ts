/**
 * A server and a client as one would explain them on a napkin: slow, obvious, and without a line of the product.
 *
 * @module
 */

/** Members of one record. */
export type Members = { readonly [name: string]: unknown };

/** One record that is written; without members it is deleted. */
export interface Write {
  readonly table: string;
  readonly pk: string;
  readonly members?: Members;
}

/** Records by table and pk. */
export type Tables = Map<string, Map<string, Members>>;

/** One thing that writes, at its place: the place is where it stands in {@linkcode Model.order}. */
export interface Item {
  readonly isMutation: boolean;
  /** In doubt: nobody knows whether the server has done it, and what it shows stays for a while. */
  state: "flying" | "done" | "in doubt" | "gone";
  /** What it wrote. */
  writes: readonly Write[];
  /** What else it does, given what is there before it: an item joins the lists that are there. */
  effect?: ((below: Tables) => readonly Write[]) | undefined;
  /** What it shows while it is flying, given what is there before it. */
  readonly layer?: ((below: Tables) => readonly Write[]) | undefined;
  /** What was asked for, if it is a read. */
  readonly key?: string | undefined;
  /** What the answer named: pks, or one pk. */
  result?: string | readonly string[];
  /** When it started. */
  readonly startedAt: number;
  /** It was written by hand. */
  readonly byHand?: boolean;
}

/** A client that remembers everything it was ever told, and computes what it shows from the beginning each time. */
export class Model {
  order: Item[] = [];
  readonly #merges: { readonly [table: string]: (a: Members, b: Members) => Members };
  #known = new Set<string>();
  #arrived = new Map<string, string[]>();
  #invalidatedAt = new Map<string, number>();
  /** The server's pks of what had a temporary name. */
  #names = new Map<string, string>();
  #now = 0;
  /** What the present order amounts to, once it was computed: without layers, and with them. */
  #computed: { base?: Tables | undefined; seen?: Tables | undefined; shown: readonly Write[] } = { shown: [] };

  /** @param merges How records of a table merge, where it is not simply the later members over the earlier ones. */
  constructor(merges: { readonly [table: string]: (a: Members, b: Members) => Members } = {}) {
    this.#merges = merges;
  }

  /** A request starts. A read that starts while mutations fly stands before the first of them. */
  start(request: Pick<Item, "isMutation" | "layer" | "key">): Item {
    const item: Item = { ...request, state: "flying", writes: [], startedAt: ++this.#now };
    const first = this.order.findIndex((other) => other.isMutation && other.state === "flying");
    if (item.isMutation || first < 0) this.order.push(item);
    else this.order.splice(first, 0, item);
    this.#look([]);
    return item;
  }

  /** A request has its answer. */
  answer(
    item: Item,
    writes: readonly Write[],
    result?: string | readonly string[],
    effect?: (below: Tables) => readonly Write[],
  ): void {
    item.state = "done";
    item.writes = writes;
    item.effect = effect;
    if (result !== undefined) item.result = result;
    this.#look([...writes, ...effect?.(this.tables(false)) ?? []]);
  }

  /** A request will never have one. */
  drop(item: Item, isInDoubt = false): void {
    item.state = isInDoubt && item.layer !== undefined ? "in doubt" : "gone";
    this.#look([]);
  }

  /** What mutations in doubt show goes, but for those that the product still shows: when, it says itself. */
  forgetDoubts(isShown: (item: Item) => boolean): void {
    for (const item of this.order) if (item.state === "in doubt" && !isShown(item)) this.drop(item);
  }

  /** Something is written by hand: later than all that was asked for. */
  write(writes: readonly Write[], key?: string, result?: readonly string[], effect?: Item["effect"]): void {
    const item: Item = { isMutation: false, state: "done", writes, key, startedAt: ++this.#now, byHand: true, effect };
    if (result !== undefined) item.result = result;
    this.order.push(item);
    this.#look(writes);
  }

  /** What a mutation shows has become known, or is another thing. */
  notice(): void {
    this.#look([]);
  }

  /** The server has named what was shown under a temporary name: it has the turn that this had. */
  name(id: string, pk: string): void {
    this.#names.set(id, pk);
    for (const [table, pks] of this.#arrived) {
      if (pks.includes(id)) {
        this.#arrived.set(
          table,
          pks.filter((one) => one !== pk).map((one) => one === id ? pk : one),
        );
      }
    }
  }

  /** A record is not there any more: what it was called before the server named it says nothing. */
  unname(id: string): void {
    this.#names.delete(id);
  }

  /** What the server calls a record, as far as anybody knows. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }

  /** Nobody used a record, and it was let go: as if it had never come, but for what was written since the oldest of what flies. */
  forget(table: string, pk: string): void {
    const item: Item = { isMutation: false, state: "done", writes: [{ table, pk }], startedAt: ++this.#now };
    const first = this.order.findIndex(({ state }) => state === "flying");
    this.order.splice(first < 0 ? this.order.length : first, 0, item);
    this.#look([]);
  }

  /** Every key that was answered or invalidated. */
  get keys(): ReadonlySet<string> {
    return new Set([...this.#invalidatedAt.keys(), ...this.order.flatMap(({ key }) => key ?? [])]);
  }

  /** Nobody used an answer, and it was let go; that it must not be shown stays said where nothing came since. */
  forgetKey(key: string): void {
    if (!this.isInvalid(key)) this.#invalidatedAt.delete(key);
    for (const item of this.order) if (item.key === key && item.state === "done") delete item.result;
  }

  /** What would be shown in place of an answer was let go, and with it the mark that nothing must be. */
  forgetMark(key: string): void {
    this.#invalidatedAt.delete(key);
  }

  /** Nobody asks for all of a table any more, and nothing is in it. */
  unknow(table: string): void {
    this.#known.delete(table);
  }

  /** An answer must not be shown any more. */
  invalidate(key: string): void {
    this.#invalidatedAt.set(key, ++this.#now);
  }

  /** Everything is forgotten; nothing that flies will be written. */
  reset(): void {
    for (const item of this.order) if (item.state !== "done") item.state = "gone";
    this.order = [];
    this.#known = new Set();
    this.#arrived = new Map();
    this.#invalidatedAt = new Map();
    this.#names = new Map();
    this.#computed = { shown: [] };
  }

  /** What flies. */
  get flying(): readonly Item[] {
    return this.order.filter((item) => item.state === "flying");
  }

  /** The records: everything that was written, in order of place; with layers also what is expected of what flies. */
  tables(withLayers: boolean): Tables {
    const computed = this.#computed;
    if (!withLayers) return computed.base ??= this.#replay(false, []);
    if (computed.seen === undefined) {
      const shown: Write[] = [];
      computed.seen = this.#replay(true, shown);
      computed.shown = shown;
    }
    return computed.seen;
  }

  /** @param shown Takes what the layers write. */
  #replay(withLayers: boolean, shown: Write[]): Tables {
    const tables: Tables = new Map();
    for (const item of this.order) {
      let { writes } = item;
      if (withLayers && (item.state === "flying" || item.state === "in doubt") && item.layer !== undefined) {
        writes = item.layer(tables);
        shown.push(...writes);
      }
      for (const write of writes) this.#apply(tables, write);
      for (const write of item.effect?.(tables) ?? []) this.#apply(tables, write);
    }
    return tables;
  }

  /** Every pk of a table in order of arrival; `undefined` while the table is not known. */
  all(table: string): string[] | undefined {
    const records = this.tables(true).get(table);
    const isKnown = this.#known.has(table) || (records !== undefined && records.size > 0);
    return isKnown ? (this.#arrived.get(table) ?? []).filter((pk) => records?.has(pk)) : undefined;
  }

  /** What the last answer to a key named; `undefined` when there is none that may be shown. */
  resultOf(key: string): string | readonly string[] | undefined {
    const since = this.#invalidatedAt.get(key) ?? 0;
    return this.order.findLast((item) => item.key === key && item.state === "done" && item.startedAt > since)?.result;
  }

  /** Whether a key waits for a new answer. */
  isInvalid(key: string): boolean {
    return this.#invalidatedAt.has(key) && this.resultOf(key) === undefined;
  }

  #apply(tables: Tables, { table, pk, members }: Write): void {
    let records = tables.get(table);
    if (records === undefined) tables.set(table, records = new Map());
    const before = records.get(pk);
    if (members === undefined) records.delete(pk);
    else if (before === undefined) records.set(pk, members);
    else records.set(pk, this.#merges[table]?.(before, members) ?? { ...before, ...members });
  }

  /** Who is new is behind who was there; who is nowhere any more has lost its turn. */
  #look(writes: readonly Write[]): void {
    this.#computed = { shown: [] };
    const base = this.tables(false);
    const seen = this.tables(true);
    const { shown } = this.#computed;
    for (const [table, records] of base) if (records.size > 0) this.#known.add(table);
    const isThere = (table: string, pk: string) => base.get(table)?.has(pk) || seen.get(table)?.has(pk);
    for (const [table, pks] of this.#arrived) this.#arrived.set(table, pks.filter((pk) => isThere(table, pk)));
    for (const { table, pk } of [...writes, ...shown]) {
      const pks = this.#arrived.get(table) ?? [];
      if (isThere(table, pk) && !pks.includes(pk)) this.#arrived.set(table, [...pks, pk]);
    }
  }
}

/** An article, as the server keeps it. */
export interface ServerArticle {
  readonly id: string;
  title: string;
  note: string;
  votes: number;
  author: string;
}

/** What a request asks of the server. */
export type Demand =
  | { readonly type: "get"; readonly id: string }
  | { readonly type: "list" }
  | { readonly type: "create"; readonly body: Members }
  | { readonly type: "update"; readonly id: string; readonly body: Members }
  | { readonly type: "remove"; readonly id: string }
  | { readonly type: "rename"; readonly id: string; readonly name: string };

/** A server with a table of articles and one of users. Values that are written remember when. */
export class Server {
  readonly articles: Map<string, ServerArticle> = new Map();
  readonly users: Map<string, string> = new Map();
  /** When each value was written: texts are never written twice. */
  readonly writtenAt: Map<unknown, number> = new Map();
  #now = 0;
  #lastId = 0;
  #lastAnswer = 0;

  constructor() {
    this.users.set("1", "ann").set("2", "bo");
    for (const author of ["1", "2", "1"]) {
      const id = String(++this.#lastId);
      const article = { id, title: `first title ${id}`, note: `first note ${id}`, votes: 0, author };
      this.articles.set(id, article);
      this.writtenAt.set(article.title, 0).set(article.note, 0);
    }
  }

  /** All articles that there ever were. */
  get ids(): string[] {
    return Array.from({ length: this.#lastId }, (_, index) => String(index + 1));
  }

  /** Does what is asked, now. `undefined`: 404. */
  apply(demand: Demand): unknown {
    switch (demand.type) {
      case "list":
        return [...this.articles.values()].map((article) => this.#show(article));
      case "create": {
        const id = String(++this.#lastId);
        const article = { id, title: "", note: "", votes: 0, author: "1" };
        this.articles.set(id, article);
        return this.#show(this.#change(article, demand.body));
      }
      case "rename":
        this.users.set(demand.id, demand.name);
        return this.#showUser(demand.id);
      default: {
        const article = this.articles.get(demand.id);
        if (article === undefined) return undefined;
        if (demand.type === "remove") {
          this.articles.delete(demand.id);
          return { id: demand.id };
        }
        return this.#show(demand.type === "update" ? this.#change(article, demand.body) : article);
      }
    }
  }

  #change(article: ServerArticle, members: Members): ServerArticle {
    this.#now++;
    for (const value of Object.values(members)) this.writtenAt.set(value, this.#now);
    return Object.assign(article, members);
  }

  #show(article: ServerArticle): Members {
    return { ...article, author: this.#showUser(article.author) };
  }

  /** Each sight of a user has a mark of its own: a client that keeps the marks tells in which order it merged. */
  #showUser(id: string): Members {
    return { id, name: this.users.get(id), seen: [`#${++this.#lastAnswer}`] };
  }
}

/** What a client must write for a reply: parents before what they nest, earlier items before later ones. */
export function writesOf(reply: unknown): Write[] {
  if (Array.isArray(reply)) return reply.flatMap(writesOf);
  const { author, ...members } = reply as { readonly id: string; readonly author?: { readonly id: string } };
  if (author === undefined) return [{ table: "User", pk: members.id, members }];
  const article = { table: "Article", pk: members.id, members: { ...members, author: author.id } };
  return [article, ...writesOf(author)];
}
