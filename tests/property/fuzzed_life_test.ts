/**
 * Whole lives of a client beside a server that applies requests in another order than they were sent in, answers in few
 * words, loses answers, and streams what it did. When all is quiet, nothing that is called fresh may differ from what
 * the server has.
 *
 * Everything goes through what apps use: a resource, a stream, a controller. The server is the only model.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { Controller, createResource, Entity, type ReadEndpoint, resource, schema, StreamManager } from "@rejoin/data";
import type { StreamListener } from "@rejoin/data/extend";
import { FakeClock, flush } from "../support/clock.ts";
import { LifeServer, type Message, type Row, type Voice, VOICES } from "../support/life_server.ts";
import { check, runs } from "../support/property.ts";

class Todo extends Entity {
  id = "";
  title = "";
  note: string | null = null;
  owner = "";
  static key = "Todo";
}

const OPS = [
  ["get", 3],
  ["list", 4],
  ["page", 2],
  ["create", 2],
  ["push", 1],
  ["update", 2],
  ["patch", 5],
  ["move", 1],
  ["remove", 2],
  ["set", 1],
  ["meddle", 1],
  ["drop", 0],
  ["tell", 3],
  ["invalidate", 1],
  ["expire", 1],
  ["reset", 1],
  ["abort", 1],
  ["apply", 6],
  ["answer", 10],
  ["lose", 1],
  ["refuse", 1],
  ["wait", 1],
] as const;

type Op = readonly [name: (typeof OPS)[number][0], a: number, b: number, c: number, d?: number];

const opOf = (weights: readonly (readonly [name: Op[0], weight: number])[]): fc.Arbitrary<Op> =>
  fc.tuple(
    fc.oneof(...weights.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) }))),
    fc.nat(11),
    fc.nat(7),
    fc.nat(7),
    fc.nat(2),
  );

/** What a client is like. */
interface Life {
  readonly rows: number;
  readonly isOptimistic: boolean;
  readonly hasStream: boolean;
  /** Another client of the same server, which is told of what this one does, and tells what it does. */
  readonly hasOther?: boolean;
  /** How the server answers mutations: always the same way, or each in its own. */
  readonly voice: Voice | "any";
  /** How the list is asked for that is read by pages; the newest first where it is not said. */
  readonly feed?: FeedArgs;
  /** That list is a plain array, which no mutation judges. */
  readonly isPlain?: boolean;
  readonly ops: readonly Op[];
}

const life: fc.Arbitrary<Life> = fc.record({
  rows: fc.integer({ min: 2, max: 5 }),
  isOptimistic: fc.boolean(),
  hasStream: fc.boolean(),
  hasOther: fc.boolean(),
  voice: fc.constantFrom(...VOICES, "full", "any"),
  ops: fc.array(opOf(OPS), { minLength: 3, maxLength: 30 }),
});

interface FeedArgs {
  readonly newest?: string;
  readonly view?: string;
  readonly sort?: string;
  readonly owner?: string;
  readonly page?: string;
}

const NEWEST: FeedArgs = { newest: "1" };

/** Those who scroll, and come back to pages that they have seen, while others create and delete. */
const scrolling: fc.Arbitrary<Life> = fc.record({
  rows: fc.integer({ min: 2, max: 9 }),
  isPlain: fc.boolean(),
  feed: fc.constantFrom(NEWEST, { view: "pages" }, { view: "pages", sort: "title" }, { view: "pages", owner: "1" }),
  isOptimistic: fc.boolean(),
  hasStream: fc.boolean(),
  hasOther: fc.boolean(),
  voice: fc.constantFrom(...VOICES, "full", "any"),
  ops: fc.array(
    opOf([
      ["page", 14],
      ["list", 1],
      ["create", 2],
      ["push", 1],
      ["update", 1],
      ["patch", 3],
      ["move", 1],
      ["remove", 2],
      ["drop", 2],
      ["set", 1],
      ["tell", 4],
      ["invalidate", 1],
      ["expire", 1],
      ["abort", 1],
      ["lose", 1],
      ["refuse", 1],
      ["apply", 10],
      ["answer", 14],
    ]),
    { minLength: 3, maxLength: 40 },
  ),
});

/** A request on the wire. */
interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly body: Partial<Row> | undefined;
  readonly voice: Voice;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
  /** What the server answered, when it has. */
  answer?: { readonly status: number; readonly text: string };
}

interface ListArgs {
  readonly owner?: string;
  readonly q?: string;
  readonly sort?: string;
  readonly limit?: string;
}

const LISTS: readonly ListArgs[] = [
  {},
  { owner: "1" },
  { owner: "2" },
  { q: "b" },
  { sort: "title" },
  { limit: "2" },
  { owner: "1", sort: "title" },
  { owner: "2", limit: "1" },
];

class Session {
  readonly server: LifeServer;
  readonly clock: FakeClock;
  /** What this client was not told yet. */
  readonly messages: Message[];
  readonly controller: Controller;
  readonly sent: Sent[] = [];
  readonly #life: Life;
  #stream: StreamListener | undefined;
  #abort = new AbortController();
  #step = 0;
  /** How many pages are there. */
  #pages = 0;
  /** What is created or edited here joins no plain list, and leaves none. */
  #hasChanged = false;

  readonly todos;
  readonly feed;

  constructor(life: Life, server: LifeServer, clock: FakeClock, readonly host: string) {
    this.#life = life;
    this.server = server;
    this.clock = clock;
    this.messages = server.listen();
    const options = {
      urlPrefix: `http://${host}`,
      path: "/todos/:id",
      schema: Todo,
      searchParams: {} as ListArgs | undefined,
      displayArgs: ["limit"],
    } as const;
    this.todos = life.isOptimistic ? resource({ ...options, optimistic: true }) : resource(options);
    const feed = {
      urlPrefix: `http://${host}`,
      path: "/todos/:id",
      schema: Todo,
      searchParams: {} as FeedArgs,
      displayArgs: ["view"],
      paginationField: "page",
    } as const;
    const { getList } = resource(feed);
    const plain = createResource(feed).getList.extend({ paginationField: "page" });
    this.feed = life.isPlain ? plain as unknown as typeof getList : getList;
    this.controller = new Controller({
      managers: life.hasStream
        ? [
          new StreamManager({
            source: (listener) => {
              this.#stream = listener;
              listener.open();
              return { close() {} };
            },
            messages: { row: Todo, gone: new schema.Invalidate(Todo) },
          }),
        ]
        : [],
    });
  }

  send(input: string | URL | Request, init: RequestInit | undefined): Promise<Response> {
    const request = new Request(input, init);
    const { signal } = request;
    const text = init?.body as string | undefined;
    return new Promise((resolve, reject) => {
      const { voice } = this.#life;
      const sent: Sent = {
        method: request.method,
        url: new URL(request.url),
        body: typeof text === "string" ? JSON.parse(text) : undefined,
        voice: voice === "any" ? VOICES[this.#step % VOICES.length]! : voice,
        resolve,
        reject,
      };
      this.sent.push(sent);
      signal.addEventListener("abort", () => {
        reject(signal.reason);
        // The server has it, or will never have it: what comes after an abort is nothing that anybody could know.
        const at = this.sent.indexOf(sent);
        if (at < 0) return;
        this.sent.splice(at, 1);
        if (sent.answer === undefined && this.#step % 2 === 0) {
          this.server.apply(sent.method, sent.url, sent.body, sent.voice);
        }
      }, { once: true });
    });
  }

  /** A pk of the server, or one that it may give. */
  #id(a: number): string {
    return String(a % (this.server.rows.size + 2) + 1);
  }

  #body(b: number, c: number): Partial<Row> {
    const body: { -readonly [M in keyof Row]?: Row[M] } = {};
    if (b & 1) body.title = this.server.text(c & 1 ? "a" : "b");
    if (b & 2 || b === 0) body.note = c & 2 ? this.server.text("n") : null;
    if (b & 4) body.owner = c & 4 ? "1" : "2";
    return body;
  }

  #call(promise: PromiseLike<unknown>): void {
    promise.then(undefined, () => {});
  }

  async do([name, a, b, c]: Op): Promise<void> {
    const { controller, server, todos } = this;
    this.#step++;
    if (name !== "remove" && (name === "patch" || CHANGES_LISTS.has(name))) this.#hasChanged = true;
    const { signal } = this.#abort;
    const id = this.#id(a);
    switch (name) {
      case "get":
        this.#call(controller.fetch(todos.get, { id }));
        break;
      case "list":
        this.#call(controller.fetch(todos.getList, LISTS[a % LISTS.length]));
        break;
      case "page":
        this.#page(a % (this.#pages + 1));
        break;
      case "create":
        this.#call(controller.fetch(todos.create, { ...this.#body(b | 5, c) } as Todo));
        break;
      case "push":
        this.#call(
          controller.fetch(todos.getList.push, LISTS[a % 3]!, { ...this.#body(b | 5, c), ...LISTS[a % 3] } as Todo),
        );
        break;
      case "update":
        this.#call(controller.fetch(todos.update.extend({ signal }), { id }, { id, ...this.#body(7, c) } as Todo));
        break;
      case "patch":
        this.#call(controller.fetch(todos.partialUpdate.extend({ signal }), { id }, this.#body(b, c) as Todo));
        break;
      case "move":
        this.#call(controller.fetch(todos.getList.move, { id }, { owner: c & 1 ? "1" : "2" } as Todo));
        break;
      case "remove":
        this.#call(controller.fetch(todos.delete, { id }));
        break;
      case "set": {
        // What it says is true when it says so, and nothing is on its way that would say otherwise.
        if (this.sent.length > 0 || this.messages.length > 0) break;
        const row = server.rows.get(id);
        if (row === undefined) controller.set(new schema.Invalidate(Todo), { id });
        else controller.set(Todo, { id }, b & 1 ? { ...row } : (todo) => ({ ...todo, ...row }) as Todo);
        break;
      }
      case "meddle":
        // Who is not told of what others do cannot know it.
        if (this.#life.hasStream) server.meddle(id);
        break;
      case "drop":
        if (this.#life.hasStream) server.drop(id);
        break;
      case "tell":
        this.#tell();
        break;
      case "invalidate":
        controller.invalidate(todos.get, { id });
        break;
      case "expire":
        controller.expireAll(todos.getList);
        break;
      case "reset":
        if (c > 0) break;
        controller.resetEntireStore();
        this.#pages = 0;
        // The stream is opened anew within a second.
        await this.clock.tickAsync(1_000);
        break;
      case "abort":
        this.#abort.abort();
        this.#abort = new AbortController();
        break;
      case "apply":
        this.#apply(a);
        break;
      case "answer":
        this.#answer(a);
        break;
      case "lose":
        this.#take(a)?.reject(new TypeError("The connection was cut"));
        break;
      case "refuse": {
        const waiting = this.sent.filter(({ answer }) => answer === undefined);
        const sent = waiting[a % waiting.length];
        if (sent !== undefined) {
          this.sent.splice(this.sent.indexOf(sent), 1);
          sent.resolve(new Response("{}", { status: b & 1 ? 400 : 503 }));
        }
        break;
      }
      case "wait":
        await this.clock.tickAsync(c * 5_000);
    }
    await flush();
  }

  get #feedArgs(): FeedArgs {
    return this.#life.feed ?? NEWEST;
  }

  /** Pages are asked for as people scroll: the next one when those before are there. */
  #page(at: number): void {
    const page = at === 0
      ? this.controller.fetch(this.feed, this.#feedArgs)
      : this.controller.fetch(this.feed.getPage, { ...this.#feedArgs, page: String(at + 1) });
    this.#call(page.then(() => {
      if (at === this.#pages && at < 3) this.#pages++;
    }));
  }

  #tell(): void {
    const message: Message | undefined = this.messages.shift();
    if (message === undefined || this.#stream === undefined) return;
    const { type } = message;
    this.#stream.message(type === "row" ? { type, data: message.row } : { type, data: message.id });
  }

  #apply(a: number): void {
    const waiting = this.sent.filter(({ answer }) => answer === undefined);
    const sent = waiting[a % waiting.length];
    if (sent !== undefined) sent.answer = this.server.apply(sent.method, sent.url, sent.body, sent.voice);
  }

  /** A request leaves the wire, whether the server has applied it or not. */
  #take(a: number): Sent | undefined {
    return this.sent.splice(a % (this.sent.length || 1), 1)[0];
  }

  #answer(a: number): void {
    const answered = this.sent.filter(({ answer }) => answer !== undefined);
    const sent = answered[a % answered.length];
    if (sent === undefined) return;
    this.sent.splice(this.sent.indexOf(sent), 1);
    const { status, text } = sent.answer!;
    const hasBody = status !== 204;
    sent.resolve(new Response(hasBody ? text : null, { status, headers: { "content-type": "application/json" } }));
  }

  /** Nothing is on its way to it or from it. */
  get isQuiet(): boolean {
    return this.sent.length === 0 && (this.messages.length === 0 || !this.#life.hasStream);
  }

  /** Lets all that is on the wire come to its end. */
  finish(round: number): void {
    while (this.sent.some(({ answer }) => answer === undefined)) this.#apply(round);
    while (this.sent.length > 0) this.#answer(round);
  }

  /** It is told of everything. */
  async hear(): Promise<void> {
    while (this.messages.length > 0) {
      this.#tell();
      await flush();
    }
  }

  /** What is called fresh, against the truth. */
  check(): void {
    const { server, controller, todos } = this;
    const now = this.clock.now();
    const look = <T>(endpoint: unknown, args: unknown[]): T | undefined => {
      // deno-lint-ignore no-explicit-any -- one reader for endpoints of several types
      const { data, expiresAt, error } = (controller.getResponseMeta as any)(endpoint as ReadEndpoint, ...args);
      // It says until when the error keeps the key from being asked again: of the data beside it nothing is promised.
      if (error !== undefined) return undefined;
      return data !== undefined && expiresAt > now ? data as T : undefined;
    };
    for (let at = 1; at <= server.rows.size + 3; at++) {
      const id = String(at);
      const todo = look<Todo>(todos.get, [{ id }]);
      if (todo === undefined) continue;
      const row = server.rows.get(id);
      assert(row !== undefined, `get ${id} is fresh and shows ${JSON.stringify(todo)}, which the server has deleted`);
      assertEquals(bare(todo), bare(row), `get ${id} is fresh`);
    }
    for (const args of LISTS) {
      const list = look<Todo[]>(todos.getList, [args]);
      // A stream judges no list: where somebody else has deleted a row, the next one is missing behind a limit.
      if (list === undefined || (args.limit !== undefined && server.hasDropped)) continue;
      const rows = server.list(new URLSearchParams({ ...args }));
      if (args.sort === undefined) this.#compare(list, rows, JSON.stringify(args));
      else assertEquals(list.map(bare), rows.map(bare), `the list ${JSON.stringify(args)} is fresh`);
    }
    const feed = this.#life.isPlain && this.#hasChanged ? undefined : look<Todo[]>(this.feed, [this.#feedArgs]);
    if (feed !== undefined) {
      const { newest, view: _, ...args } = this.#feedArgs;
      const all = server.list(new URLSearchParams({ ...args }));
      if (newest !== undefined) all.reverse();
      assertEquals(feed.map(bare), all.slice(0, feed.length).map(bare), "the feed is fresh");
    }
  }

  #compare(list: readonly Todo[], rows: readonly Row[], name: string): void {
    const byId = (a: { id: string }, b: { id: string }) => Number(a.id) - Number(b.id);
    assertEquals(list.map(bare).sort(byId), rows.map(bare).sort(byId), `the list ${name} is fresh`);
  }
}

/** Members as somebody sees them: what a server leaves out is what it calls `null`. */
function bare({ id, title, note, owner }: Row | Todo) {
  return { id, title: title ?? "", note: note ?? null, owner: owner ?? "" };
}

/** A server and its clients. */
class World {
  readonly clock = new FakeClock();
  readonly server: LifeServer;
  readonly sessions: readonly Session[];
  readonly #uninstall: () => void;
  readonly #fetch = globalThis.fetch;

  constructor(life: Life) {
    this.#uninstall = this.clock.install();
    this.server = new LifeServer(life.rows);
    const hosts = life.hasStream && life.hasOther ? ["one.test", "other.test"] : ["one.test"];
    this.sessions = hosts.map((host) => new Session(life, this.server, this.clock, host));
    globalThis.fetch = (input, init) => {
      const { host } = new URL(new Request(input as string).url);
      return this.sessions.find((session) => session.host === host)!.send(input as string, init);
    };
  }

  async do(op: Op): Promise<void> {
    const [name, , , , d] = op;
    const other = d === 0 ? this.sessions[1] : undefined;
    // Streams do not judge what lists hold: what one does to those, the other cannot know.
    if (other !== undefined && CHANGES_LISTS.has(name)) return;
    await (other ?? this.sessions[0]!).do(other !== undefined && name === "patch" ? ["patch", op[1], 2, op[3]] : op);
  }

  check(): void {
    if (this.sessions.every(({ isQuiet }) => isQuiet)) this.sessions[0]!.check();
  }

  /** Lets all that is on its way come to its end. */
  async settle(): Promise<void> {
    const isIdle = () => this.sessions.every(({ sent }) => sent.length === 0);
    for (let round = 0; round < 200; round++) {
      await flush();
      if (isIdle() && this.clock.pending === 0) break;
      for (const session of this.sessions) session.finish(round);
      await flush();
      await this.clock.tickAsync(1);
      if (isIdle() && this.clock.pending > 0) await this.clock.tickAsync(3_000);
    }
    for (const session of this.sessions) await session.hear();
    assert(isIdle(), "requests without end");
  }

  end(): void {
    for (const { controller } of this.sessions) controller.cleanup();
    globalThis.fetch = this.#fetch;
    this.#uninstall();
  }
}

const CHANGES_LISTS: ReadonlySet<string> = new Set(["create", "push", "update", "move", "remove"]);

const live = async (life: Life) => {
  const world = new World(life);
  try {
    for (const op of life.ops) {
      await world.do(op);
      world.check();
    }
    await world.settle();
    world.check();
    // One more read of everything is the truth.
    const [{ controller, todos }] = world.sessions as [Session];
    const reads = LISTS.map((args) => controller.fetch(todos.getList, args));
    await world.settle();
    await Promise.all(reads);
    world.check();
  } finally {
    world.end();
  }
};

Deno.test("13 no life shows as fresh what the server does not have", async () => {
  await check(fc.asyncProperty(life, live), { name: "fuzzed_life", runs: runs(2_000, 200_000) });
});

Deno.test("13.A6 nobody who scrolls is shown as fresh what the server does not have", async () => {
  await check(fc.asyncProperty(scrolling, live), { name: "scrolling_life", runs: runs(1_000, 20_000) });
});
