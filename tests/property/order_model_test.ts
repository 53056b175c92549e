/**
 * A server and a client in random interleavings: what starts, what the server does and what it answers come in any
 * order, and after each step the product is compared with the naive model of tests/support/model.ts.
 *
 * @module
 */
import { assert, assertEquals, assertStrictEquals, equal, fail } from "@std/assert";
import * as fc from "fast-check";
import {
  type AnyEndpoint,
  Controller,
  Endpoint,
  Entity,
  NetworkError,
  OvertakenError,
  Query,
  schema,
  type Snapshot,
  stateOf,
  StreamManager,
} from "@rejoin/data";
import type { Flight, StreamListener } from "@rejoin/data/extend";
import { watch } from "../../src/store/watch.ts";
import { FakeClock, flush } from "../support/clock.ts";
import {
  type Demand,
  type Item,
  type Members,
  Model,
  Server,
  type Tables,
  type Write,
  writesOf,
} from "../support/model.ts";
import { check, runs } from "../support/property.ts";

class User extends Entity {
  id = "";
  name = "";
  seen: string[] = [];
  pk() {
    return this.id;
  }
  static key = "User";
  // Tells the order, and the number, of the merges.
  static merge(existing: { seen: string[] }, incoming: { seen: string[] }) {
    return { ...existing, ...incoming, seen: [...existing.seen, ...incoming.seen] };
  }
}

class Article extends Entity {
  id = "";
  title = "";
  note = "";
  votes = 0;
  author: User | undefined = undefined;
  pk() {
    return this.id;
  }
  static key = "Article";
  static schema = { author: User };
}

const allArticles = new schema.All(Article);
const titles = new Query(allArticles, (all) => all.map(({ title }) => title).toSorted());
const removal = new schema.Invalidate(Article);

const OPS = [
  ["get", 3],
  ["list", 3],
  ["update", 5],
  ["terse", 3],
  ["create", 1],
  ["remove", 2],
  ["rename", 2],
  ["set", 2],
  ["setBy", 1],
  ["setResponse", 1],
  ["elsewhere", 1],
  ["told", 2],
  ["say", 4],
  ["invalidate", 1],
  ["expire", 1],
  ["reset", 1],
  ["abort", 1],
  ["lease", 1],
  ["release", 1],
  ["jump", 1],
  ["tick", 1],
  ["apply", 6],
  ["answer", 10],
  ["fail", 2],
] as const;

type Op = readonly [name: (typeof OPS)[number][0], a: number, b: number, c: number];

function opOf(ops: readonly (readonly [Op[0], number])[]): fc.Arbitrary<Op> {
  const names = fc.oneof(...ops.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) })));
  return fc.tuple(names, fc.nat(11), fc.nat(7), fc.nat(4));
}

/** After these the client may rightly take something for fresh that the server does not have. */
const UNTRUE: readonly string[] = ["set", "setBy", "setResponse", "elsewhere", "reset", "jump"];

/** A request on the wire. */
interface Sent {
  readonly demand: Demand;
  readonly item: Item;
  readonly abort: AbortController | undefined;
  /** Of a mutation. */
  readonly endpoint: unknown;
  /** The server does not say what it has made of it: what was sent is taken for that. */
  readonly isTerse: boolean;
  readonly resolve: (reply: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** What the server answered, when it has. */
  answer?: { readonly reply: unknown };
  isOver: boolean;
  /** From which step to which it flew. */
  readonly from: number;
  to: number;
}

/** What a mutation shows, for the product and for the model. */
interface Shown {
  readonly layer?: (snapshot: Snapshot) => unknown;
  readonly item?: Item["layer"];
}

/** What a reader of everything is given. */
interface Seen {
  readonly articles: ReadonlyMap<string, Article>;
  readonly users: ReadonlyMap<string, User>;
  readonly list: readonly Article[] | undefined;
  readonly all: readonly Article[] | undefined;
  readonly titles: readonly string[] | undefined;
  readonly records: Tables;
}

class Session {
  readonly server = new Server();
  readonly model = new Model({
    User: (a, b) => ({ ...a, ...b, seen: [...a.seen as string[], ...b.seen as string[]] }),
  });
  /** What is fresh has to be the server's truth, once nothing is on its way. */
  readonly isTrue: boolean;
  /** What the server has done and the stream has not said yet. */
  readonly events: (readonly [type: "article" | "user" | "removed", data: { readonly id: string }])[] = [];
  readonly heard = new Set<Item>();
  #listener: StreamListener | undefined;
  readonly controller = new Controller({
    managers: [
      new StreamManager({
        // However often it was closed, it is opened anew within a second.
        maxDelay: 1_000,
        source: (listener) => {
          this.#listener = listener;
          listener.open();
          return { close() {} };
        },
        messages: { article: Article, user: User, removed: removal },
      }),
    ],
  });
  readonly clock = new FakeClock();
  readonly sent: Sent[] = [];
  readonly unsettled = new Set<Promise<unknown>>();
  readonly leases: (() => void)[] = [];
  /** Mutations of articles that the client knows to be applied, since the last reset. */
  confirmed: Sent[] = [];
  /** What went wrong in what nobody awaits. */
  readonly failures: unknown[] = [];
  /** Pks that only a client has used. */
  readonly ownPks: string[] = [];
  step = 0;
  #texts = 0;
  #seen: Seen;
  readonly #watched: { readonly name: string; readonly value: () => unknown; last: unknown; told: number }[] = [];

  readonly get = new Endpoint((id: string) => this.send({ type: "get", id }, `get ${id}`), {
    name: "get",
    schema: Article,
  });
  readonly list = new Endpoint(() => this.send({ type: "list" }, "list"), { name: "list", schema: [Article] });

  /** There is no stream: what it would say, nobody knows. */
  readonly isSilent: boolean;

  constructor(isTrue = false, isSilent = false) {
    this.isTrue = isTrue;
    this.isSilent = isSilent;
    const { controller, controller: { store } } = this;
    for (const id of this.server.ids) this.#watch(`get ${id}`, store.response(this.get, [id], this.get.key(id)));
    this.#watch("list", store.response(this.list, [], this.list.key()));
    this.#watch("all", store.graph.query(allArticles, []));
    this.#watch("titles", store.graph.query(titles, []));
    this.#watch("user 1", store.graph.query(User, ["1"]));
    this.#seen = this.look();
    assertEquals(controller.get(allArticles), undefined);
  }

  #watch(name: string, view: Parameters<typeof watch>[1]): void {
    const { store } = this.controller;
    const value = () => view.read(store.graph);
    const watched = { name, value, last: value(), told: 0 };
    this.#watched.push(watched);
    watch(store, view, () => watched.told++);
  }

  /** Texts are never used twice. */
  text(what: string): string {
    return `${what} ${++this.#texts}`;
  }

  /** Called by the product in the moment it calls the endpoint. */
  send(
    demand: Demand,
    key?: string,
    abort?: AbortController,
    layer?: Item["layer"],
    endpoint?: unknown,
    isTerse = false,
  ): Promise<unknown> {
    // A read that starts anew: the product has left the attempt before.
    const before = key === undefined
      ? undefined
      : this.sent.find(({ item }) => item.key === key && this.isFlying(item));
    if (before !== undefined) this.drop(before);
    const item = this.model.start({ isMutation: key === undefined, key, layer });
    return new Promise((resolve, reject) =>
      this.sent.push({
        demand,
        item,
        abort,
        endpoint,
        isTerse,
        resolve,
        reject,
        isOver: false,
        from: this.step,
        to: Infinity,
      })
    );
  }

  isFlying(item: Item): boolean {
    return item.state === "flying";
  }

  drop(sent: Sent, isInDoubt = false): void {
    sent.to = this.step;
    this.model.drop(sent.item, isInDoubt);
  }

  /** The layers of mutations in doubt go when the product says so, and at rest there is none. */
  forgetDoubts(): void {
    const { layers } = this.controller.store;
    this.model.forgetDoubts((item) =>
      this.sent.some((sent) => sent.item === item && layers.some(({ endpoint }) => endpoint === sent.endpoint))
    );
  }

  /** Starts a mutation. */
  mutate(demand: Demand, { layer, item }: Shown = {}, isTerse = false): void {
    const abort = new AbortController();
    const send = (_args: object) => this.send(demand, undefined, abort, item, endpoint, isTerse);
    const endpoint: AnyEndpoint = new Endpoint(send, {
      name: demand.type,
      readReply: isTerse ? () => ({ value: sentBy(demand), stale: true }) : undefined,
      schema: demand.type === "remove" ? removal : demand.type === "rename" ? User : Article,
      sideEffect: true,
      getOptimisticResponse: layer,
      signal: abort.signal,
    });
    this.follow(this.controller.fetch(endpoint, "id" in demand ? { id: demand.id } : {}));
  }

  /** At the end, every promise must have settled, and none with an error that nobody caused. */
  follow(promise: Promise<unknown>, then?: (value: unknown) => void): void {
    this.unsettled.add(promise);
    promise.then((value) => then?.(value)).catch((error: Error) => {
      const isExpected = error instanceof OvertakenError || error.name === "AbortError" ||
        error.message === "404" || error instanceof NetworkError;
      if (!isExpected) this.failures.push(error);
    }).finally(() => this.unsettled.delete(promise));
  }

  pk(a: number): string {
    const { ids } = this.server;
    return ids[a % ids.length]!;
  }

  members(b: number): Members {
    return {
      ...(b & 1 && { title: this.text("title") }),
      ...(b & 2 && { note: this.text("note") }),
      ...(b & 4 && { author: b & 1 ? "1" : "2" }),
    };
  }

  /** Does one thing; what it means depends on what there is. */
  do([name, a, b, c]: Op): void {
    const { controller, model, server } = this;
    const pk = this.pk(a);
    const shows = c % 2 === 1;
    switch (name) {
      case "get":
        this.follow(
          controller.fetch(this.get, pk),
          (article) => {
            this.forgetDoubts();
            const isHidden = model.tables(false).get("Article")?.has(pk) && !model.tables(true).get("Article")?.has(pk);
            // What a pending delete hides from readers, its caller is told all the same.
            if (isHidden) assertEquals((article as Article).id, pk);
            else assertStrictEquals(article, controller.get(Article, pk));
          },
        );
        break;
      case "list":
        this.follow(controller.fetch(this.list), (list) => {
          for (const article of list as Article[]) assertStrictEquals(article, controller.get(Article, article.id));
        });
        break;
      case "update":
      case "terse":
        this.update(pk, this.members(b), c, name === "terse");
        break;
      case "create": {
        const body = { ...this.members(b), title: this.text("title") };
        const members = { ...body, id: this.text("own") };
        this.ownPks.push(members.id);
        const write = { table: "Article", pk: members.id, members };
        this.mutate({ type: "create", body }, shows ? { layer: () => members, item: () => [write] } : {});
        break;
      }
      case "remove":
        this.mutate(
          { type: "remove", id: pk },
          shows ? { layer: () => ({ id: pk }), item: () => [{ table: "Article", pk }] } : {},
        );
        break;
      case "rename": {
        const id = b % 2 === 0 ? "1" : "2";
        const members = { id, name: this.text("name"), seen: [this.text("layer")] };
        const write = { table: "User", pk: id, members };
        this.mutate(
          { type: "rename", id, name: members.name },
          shows ? { layer: () => members, item: () => [write] } : {},
        );
        break;
      }
      case "set": {
        const members = this.members(b);
        controller.set(Article, { id: pk }, members);
        model.write([{ table: "Article", pk, members: { id: pk, ...members } }]);
        break;
      }
      case "setBy": {
        const title = this.text("title");
        const isThere = model.tables(true).get("Article")?.has(pk);
        controller.set(Article, { id: pk }, (article) => article && { ...article, title });
        model.write(isThere ? [{ table: "Article", pk, members: { id: pk, title } }] : []);
        break;
      }
      case "setResponse": {
        const reply = server.apply({ type: "list" }) as { id: string }[];
        controller.setResponse(this.list, structuredClone(reply));
        model.write(writesOf(reply), "list", reply.map(({ id }) => id));
        break;
      }
      case "told":
        if (this.isSilent) break;
        // By another client, of whom the stream tells.
        if (b === 0) this.#tell({ type: "remove", id: pk });
        else if (b === 7) this.#tell({ type: "rename", id: c % 2 === 0 ? "1" : "2", name: this.text("name") });
        else this.#tell({ type: "update", id: pk, body: this.members(b) });
        break;
      case "say":
        this.say();
        break;
      case "elsewhere":
        server.apply({ type: "update", id: pk, body: { title: this.text("title") } });
        break;
      case "invalidate":
        // First the model: the product starts what flies anew at once.
        model.invalidate(b % 2 === 0 ? "list" : `get ${pk}`);
        if (b % 2 === 0) controller.invalidate(this.list);
        else controller.invalidate(this.get, pk);
        break;
      case "expire":
        controller.expireAll({ testKey: () => true });
        break;
      case "reset":
        if (c > 0) break;
        for (const sent of this.sent) if (this.isFlying(sent.item)) this.drop(sent);
        model.reset();
        this.confirmed = [];
        controller.resetEntireStore();
        this.clock.tick(1_000);
        break;
      case "abort": {
        const mutations = this.sent.filter(({ abort, item }) => abort !== undefined && this.isFlying(item));
        const sent = mutations[a % Math.max(1, mutations.length)];
        if (sent === undefined) break;
        // The server has done it by then, or never will: later than that, nobody could know.
        if (this.isTrue && sent.answer === undefined && b % 2 === 0) this.apply(sent);
        if (this.isTrue) sent.isOver = true;
        this.drop(sent, true);
        sent.abort!.abort();
        break;
      }
      case "lease":
        this.leases.push(this.lease(b % 2 === 0 ? undefined : pk));
        break;
      case "release":
        this.leases.shift()?.();
        break;
      case "jump":
        this.clock.jump((b - 3) * 86_400_000);
        break;
      case "tick":
        this.clock.tick(100);
        break;
      case "apply": {
        const waiting = this.sent.filter(({ answer, isOver }) => answer === undefined && !(this.isTrue && isOver));
        if (waiting.length > 0) this.apply(waiting[a % waiting.length]!);
        break;
      }
      case "answer":
      case "fail": {
        const open = this.sent.filter(({ isOver }) => !isOver);
        const sent = open[a % Math.max(1, open.length)];
        if (sent !== undefined) this.answer(sent, name === "fail", b % 2 === 0);
      }
    }
  }

  update(pk: string, members: Members, kind: number, isTerse: boolean): void {
    const value = { id: pk, ...members };
    const plain: Shown = { layer: () => value, item: () => [{ table: "Article", pk, members: value }] };
    // Adds to what is below it, and shows nothing where there is nothing.
    const adding: Shown = {
      layer: (snapshot) => {
        const below = snapshot.get(Article, pk) as Article | undefined;
        if (below === undefined) throw snapshot.abort;
        return { ...value, votes: below.votes + 1 };
      },
      item: (tables) => {
        const below = tables.get("Article")?.get(pk);
        const votes = (below?.votes as number | undefined ?? 0) + 1;
        return below === undefined ? [] : [{ table: "Article", pk, members: { ...value, votes } }];
      },
    };
    this.mutate({ type: "update", id: pk, body: members }, [{}, plain, plain, adding, adding][kind]!, isTerse);
  }

  /** Holds a read as a component does that shows what it brings; starts it if nobody has. */
  lease(pk: string | undefined): () => void {
    const { controller } = this;
    const endpoint = pk === undefined ? this.list : this.get;
    const args = pk === undefined ? [] : [pk];
    const key = pk === undefined ? this.list.key() : this.get.key(pk);
    const flight: Flight = controller.findRead(endpoint, key) ?? controller.startRead(endpoint, args, key)!;
    this.follow(flight.promise);
    const release = controller.hold(flight);
    return () => {
      release();
      if (controller.findRead(endpoint, key) !== undefined) return;
      const left = this.sent.find(({ item }) =>
        item.key === `${endpoint.name}${pk === undefined ? "" : ` ${pk}`}` &&
        this.isFlying(item)
      );
      if (left !== undefined) this.drop(left);
    };
  }

  apply(sent: Sent): void {
    sent.answer = { reply: this.#tell(sent.demand) };
  }

  /** The server does what is asked, and the stream will tell of it. */
  #tell(demand: Demand): unknown {
    const reply = this.server.apply(demand);
    if (reply === undefined || demand.type === "get" || demand.type === "list" || this.isSilent) return reply;
    if (demand.type === "remove") this.events.push(["removed", { id: demand.id }]);
    else if (demand.type === "rename") this.events.push(["user", this.server.apply(demand) as { id: string }]);
    else {
      const { id } = reply as { id: string };
      this.events.push(["article", this.server.apply({ type: "get", id }) as { id: string }]);
    }
    return reply;
  }

  /** The stream says what the server has done, in the order in which it has. */
  say(): void {
    const [type, data] = this.events.shift() ?? [];
    if (type === undefined) return;
    const writes: Write[] = type === "removed" ? [{ table: "Article", pk: data!.id }] : writesOf(data);
    // What only the stream knows keeps the order of arrival.
    const { byKey } = this.controller.store.tables;
    const isAsked = writes.some(({ table }) => byKey.get(table)?.isAsked);
    const item = isAsked ? this.model.start({ isMutation: false }) : this.model.start({ isMutation: true });
    this.heard.add(item);
    this.model.answer(item, writes);
    this.#listener!.message({ type: type!, data: structuredClone(data) });
  }

  answer(sent: Sent, isLost: boolean, isApplied: boolean): void {
    const { demand, item, resolve, reject } = sent;
    if (sent.answer === undefined && (!isLost || isApplied)) this.apply(sent);
    sent.isOver = true;
    const reply = sent.answer?.reply;
    if (isLost) reject(new NetworkError({ method: "POST", url: "https://api.test", cause: new Error("lost") }));
    else if (reply === undefined) reject(new Error("404"));
    else resolve(structuredClone(reply));
    if (!this.isFlying(item)) return;
    if (isLost || reply === undefined) return this.drop(sent, isLost && sent.abort !== undefined);
    sent.to = this.step;
    const writes: Write[] = demand.type === "remove"
      ? [{ table: "Article", pk: demand.id }]
      : sent.isTerse
      ? [{ table: "Article", pk: sentBy(demand).id, members: sentBy(demand) }]
      : writesOf(reply);
    const result = demand.type === "list" ? (reply as { id: string }[]).map(({ id }) => id) : undefined;
    this.model.answer(item, writes, demand.type === "get" ? demand.id : result);
    if (demand.type === "update" || demand.type === "remove") this.confirmed.push(sent);
  }

  /** What readers are given now. */
  look(): Seen {
    const { controller } = this;
    const articles = new Map<string, Article>();
    for (const pk of [...this.server.ids, ...this.ownPks]) {
      const article = controller.get(Article, pk);
      if (article !== undefined) articles.set(pk, article);
    }
    const users = new Map<string, User>();
    for (const pk of ["1", "2"]) {
      const user = controller.get(User, pk);
      if (user !== undefined) users.set(pk, user);
    }
    return {
      articles,
      users,
      list: controller.getResponse(this.list).data,
      all: controller.get(allArticles),
      titles: controller.get(titles),
      records: this.model.tables(true),
    };
  }

  /** Compares everything with the model. */
  verify(): void {
    if (this.failures.length > 0) throw this.failures[0];
    this.forgetDoubts();
    const { model, controller } = this;
    const before = this.#seen;
    const now = this.#seen = this.look();
    this.#verifyBase();
    this.#verifyViews(now);
    this.#verifyIdentity(before, now);
    this.#verifyConfirmed(now);
    if (this.isTrue) this.#verifyTruth();
    for (const watched of this.#watched) {
      const value = watched.value();
      assertEquals(
        watched.told > 0,
        value !== watched.last,
        `who watches ${watched.name} is told when it is another one`,
      );
      watched.last = value;
      watched.told = 0;
    }
    assertEquals([...controller.flights].length, model.flying.length, "in flight");
    if (model.flying.length > 0) return;
    const { logs, layers, covered, behind, overlaps, marks } = controller.store;
    assertEquals([behind.size, overlaps.size], [0, 0], "at rest");
    // What mutations in doubt show stays until somebody has asked.
    if (this.clock.pending > 0) return;
    assertEquals([logs.size, marks.size, layers.length, covered.size], [0, 0, 0, 0], "at rest");
  }

  #verifyBase(): void {
    const { entities } = stateOf(this.controller);
    const base = this.model.tables(false);
    for (const table of ["Article", "User"]) {
      assertEquals({ ...entities[table] }, Object.fromEntries(base.get(table) ?? []), `the base of ${table}`);
    }
  }

  #verifyViews(now: Seen): void {
    const { model, controller } = this;
    const records = now.records.get("Article") ?? new Map<string, Members>();
    const users = now.records.get("User") ?? new Map<string, Members>();
    assertEquals([...now.articles.keys()].sort(), [...records.keys()].sort(), "the articles that are seen");
    for (const [pk, { id, title, note, votes, author }] of now.articles) {
      const record = records.get(pk)!;
      const expected = { title: "", note: "", votes: 0, ...record, author: record.author };
      const user = users.has(String(record.author)) ? record.author : undefined;
      assertEquals({ id, title, note, votes, author: author?.id as unknown }, { ...expected, id: pk, author: user });
    }
    for (const [pk, { id, name, seen }] of now.users) assertEquals({ id, name, seen } as unknown, users.get(pk));
    assertEquals(now.all?.map(({ id }) => id), model.all("Article"), "All, in order of arrival");
    assertEquals(now.titles, now.all?.map(({ title }) => title).toSorted());
    const listed = model.resultOf("list") as readonly string[] | undefined;
    assertEquals(now.list?.map(({ id }) => id), listed?.filter((pk) => records.has(pk)), "the list");
    for (const pk of this.server.ids) {
      const { data } = controller.getResponse(this.get, pk);
      const hasFailed = controller.store.entries.get(this.get.key(pk), this.get)?.error !== undefined;
      // A record that came after it has failed is shown (tests/controller/late_errors_test.ts).
      const isHidden = model.isInvalid(`get ${pk}`) && !(hasFailed && data !== undefined);
      assertStrictEquals(data, isHidden ? undefined : now.articles.get(pk), `get ${pk}`);
    }
  }

  /** An object is another one exactly when something that it was made of has changed. */
  #verifyIdentity(before: Seen, now: Seen): void {
    const isSame = (table: string, pk: unknown) =>
      equal(before.records.get(table)?.get(String(pk)), now.records.get(table)?.get(String(pk)));
    for (const [pk, user] of now.users) {
      if (before.users.has(pk)) assertEquals(user === before.users.get(pk), isSame("User", pk), `user ${pk}`);
    }
    for (const [pk, article] of now.articles) {
      if (!before.articles.has(pk)) continue;
      const author = now.records.get("Article")!.get(pk)!.author;
      const same = isSame("Article", pk) && (author === undefined || isSame("User", author));
      assertEquals(article === before.articles.get(pk), same, `article ${pk}`);
    }
    for (const name of ["list", "all"] as const) {
      const [was, is] = [before[name], now[name]];
      if (was === undefined || is === undefined) continue;
      const same = was.length === is.length && was.every((article, index) => article === is[index]);
      assertEquals(was === is, same, name);
    }
  }

  /** When nothing is on its way, and all has been said, what is fresh is what the server has. */
  #verifyTruth(): void {
    const { controller, clock, server, model, events } = this;
    if (model.flying.length + events.length + clock.pending > 0) return;
    const { entries } = controller.store;
    const plain = (article: Article, hasAuthor: boolean) => {
      const { id, title, note, author } = article;
      return { id, title, note, author: hasAuthor ? author?.name : undefined };
    };
    const truthOf = (pk: string, hasAuthor: boolean) => {
      const { id, title, note, author } = server.articles.get(pk) ?? fail(`${pk} is shown, fresh, and was deleted`);
      return { id, title, note, author: hasAuthor ? server.users.get(author) : undefined };
    };
    for (const id of server.ids) {
      const { data, expiresAt, error } = controller.getResponseMeta(this.get, id);
      // Where there is an error, that is what is fresh.
      if (data === undefined || error !== undefined || expiresAt <= clock.now()) continue;
      // What is read from a record has the freshness of that, and not of its author.
      const isOwn = entries.get(this.get.key(id), this.get)?.hasResult ?? false;
      assertEquals(plain(data, isOwn), truthOf(id, isOwn), `a fresh ${id}`);
    }
    const { data = [], expiresAt, error } = controller.getResponseMeta(this.list);
    if (error !== undefined || expiresAt <= clock.now()) return;
    for (const article of data) assertEquals(plain(article, true), truthOf(article.id, true), "in a fresh list");
  }

  /** What a mutation has confirmed is never followed by something older. */
  #verifyConfirmed(now: Seen): void {
    const { server, model } = this;
    for (const sent of this.confirmed) {
      const { demand, item, from, to } = sent;
      const { id: pk } = demand as { id: string };
      // Of mutations that overlapped nobody but the server knows which was first.
      const overlapped = this.sent.some((other) =>
        other !== sent && other.abort !== undefined && (other.demand as { id?: string }).id === pk &&
        other.demand.type !== "rename" && other.from <= to && other.to >= from
      );
      const byHand = model.order.some((other) =>
        other.byHand && other.startedAt > item.startedAt && other.writes.some((write) => write.pk === pk)
      );
      // What a stream says late, when nothing is in flight, counts as the latest until it says more.
      const since = model.order.slice(model.order.indexOf(item) + 1);
      if (since.some((other) => this.heard.has(other) && other.writes.some((write) => write.pk === pk))) continue;
      if (overlapped || byHand) continue;
      const article = now.articles.get(pk);
      const isPending = this.sent.some(({ abort, item: { state } }) =>
        abort !== undefined && (state === "flying" || state === "in doubt")
      );
      if (demand.type === "remove") {
        assert(article === undefined || isPending, `the confirmed delete of ${pk} came back`);
        continue;
      }
      for (const [name, value] of Object.entries((demand as { body: Members }).body)) {
        if (name === "author" || article === undefined) continue;
        const shown = server.writtenAt.get(article[name as "title"]) ?? Infinity;
        assert(shown >= server.writtenAt.get(value)!, `the confirmed ${name} of ${pk} was followed by an older one`);
      }
    }
  }

  /** Everything comes to an end, and once more everything is read. */
  async finish(): Promise<void> {
    for (const release of this.leases.splice(0)) release();
    // What mutations in doubt showed may go with the reads that nobody holds any more.
    await flush();
    this.verify();
    await this.#answerAll();
    while (this.events.length > 0) {
      this.say();
      this.verify();
    }
    // Who shows something does not ask again here.
    this.clock.tick(100);
    this.verify();
    for (const pk of this.server.articles.keys()) this.follow(this.controller.fetch(this.get, pk));
    this.follow(this.controller.fetch(this.list));
    await this.#answerAll();
    assertEquals(this.unsettled.size, 0, "promises that have not settled");
    const truth = [...this.server.articles.values()];
    assertEquals(
      this.#seen.list?.map(({ id, title, note, votes, author }) => ({ id, title, note, votes, author: author!.id })),
      truth,
    );
    for (const { id, author } of truth) {
      const article = this.#seen.articles.get(id);
      assertStrictEquals(article, this.controller.getResponse(this.get, id).data);
      assertEquals(article?.author?.name, this.server.users.get(author));
    }
    assertEquals(this.clock.pending, 0, "timers");
  }

  async #answerAll(): Promise<void> {
    for (const sent of this.sent) {
      if (sent.isOver) continue;
      this.answer(sent, false, true);
      await flush();
      this.verify();
    }
  }
}

/** What a change sends, as a client writes it that is not told more. */
function sentBy(demand: Demand): Members & { readonly id: string } {
  const { id, body } = demand as { readonly id: string; readonly body: Members };
  return { id, ...body };
}

/** Runs one interleaving. */
async function interleave(ops: readonly Op[], isTrue = false, isSilent = false): Promise<void> {
  const session = new Session(isTrue, isSilent);
  using _ = session.clock.install();
  for (const each of ops) {
    session.step++;
    session.do(each);
    await flush();
    session.verify();
  }
  session.step++;
  await session.finish();
  // The stream listens to the page for ever.
  session.controller.cleanup();
}

Deno.test("a client shows what the naive model shows when requests, effects and answers interleave", async () => {
  const ops = fc.array(opOf(OPS), { maxLength: 40, size: "max" });
  await check(fc.asyncProperty(ops, (life) => interleave(life)), { name: "order_model", runs: runs(1_000, 100_000) });
});

Deno.test("what is fresh is what the server has, when nothing is on its way and a stream, if there is one, has said all", async () => {
  const ops = fc.array(opOf(OPS.filter(([name]) => !UNTRUE.includes(name))), { maxLength: 30, size: "max" });
  const lives = fc.asyncProperty(ops, fc.boolean(), (life, isSilent) => interleave(life, true, isSilent));
  await check(lives, { name: "order_model_truth", runs: runs(1_000, 200_000) });
});
