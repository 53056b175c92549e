/**
 * Lives of a client whose records hold each other: users with their todos, lists that follow what is done to todos, and
 * todos with their user. Answers are read when all is quiet only, many of them for the first time: what another answer
 * has brought must not be called fresh either where the server has something else.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { conditional, Controller, Entity, latest, type ReadEndpoint, resource, schema } from "@rejoin/data";
import { FakeClock, flush } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";
import { replaceGlobals } from "../support/replace_globals.ts";

/** What a todo says of its user. */
class Person extends Entity {
  id = "";
  name = "";
  static key = "User";
}
class Todo extends Entity {
  id = "";
  title = "";
  userId = "";
  user: Person | undefined = undefined;
  static key = "Todo";
  static schema = { user: Person };
}
class User extends Person {
  todos: Todo[] = [];
  static schema = { todos: new schema.Collection([Todo], { nestKey: ({ id }: { id: string }) => ({ userId: id }) }) };
  static validate = ({ todos }: { readonly todos?: unknown }) => todos === undefined ? "no todos" : undefined;
}

type Row = Record<string, string>;
type Json = Readonly<Record<string, unknown>>;

/** In how many words a mutation is answered. */
const VOICES = ["full", "nothing", "null", "id"] as const;

/** A request on the wire. */
interface Sent {
  readonly request: Request;
  readonly body: Row;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
  /** What the server has answered, when it has. */
  answer?: Response;
}

/** Users and todos, one request after the other. */
class Server {
  readonly tables: Record<"users" | "todos", Map<string, Row>> = { users: new Map(), todos: new Map() };
  readonly sent: Sent[] = [];
  readonly #voice: (typeof VOICES)[number];
  #lastId = 0;

  constructor(voice: (typeof VOICES)[number]) {
    this.#voice = voice;
    for (const name of ["ann", "bob"]) this.#make("users", { name });
    for (const userId of ["1", "2"]) this.#make("todos", { title: "old", userId });
  }

  /** What a read shows of a row. */
  show(name: "users" | "todos", row: Row): Json {
    if (name === "todos") return { ...row, user: this.tables.users.get(row.userId!) };
    const own = [...this.tables.todos.values()].filter(({ userId }) => userId === row.id);
    return { ...row, todos: own.map((todo) => this.show("todos", todo)) };
  }

  /** What a list shows. */
  list(name: "users" | "todos", args: Row): Json[] {
    const rows = [...this.tables[name].values()];
    return rows.filter((row) => Object.entries(args).every(([member, value]) => row[member] === value))
      .map((row) => this.show(name, row));
  }

  send(input: string, init: RequestInit | undefined): Promise<Response> {
    return new Promise((resolve, reject) => {
      const body = typeof init?.body === "string" ? JSON.parse(init.body) : {};
      this.sent.push({ request: new Request(input, init), body, resolve, reject });
    });
  }

  /** Does what is asked, now. */
  apply(sent: Sent): void {
    const { request: { method, url, headers }, body } = sent;
    const { pathname, searchParams } = new URL(url);
    const [, name, id] = pathname.split("/") as ["", "users" | "todos", string?];
    const row = method === "POST" ? this.#make(name, body) : this.tables[name].get(id!);
    if (id !== undefined && row === undefined) sent.answer = new Response("{}", { status: 404 });
    else if (method === "GET") {
      const text = JSON.stringify(row ? this.show(name, row) : this.list(name, Object.fromEntries(searchParams)));
      const etag = JSON.stringify(text.replaceAll('"', "'"));
      const isSame = headers.get("if-none-match") === etag;
      sent.answer = new Response(isSame ? null : text, { status: isSame ? 304 : 200, headers: { etag } });
    } else {
      if (method === "DELETE") this.tables[name].delete(id!);
      else Object.assign(row!, body);
      const said = { full: this.show(name, row!), null: null, id: { id: row!.id } };
      sent.answer = this.#voice === "nothing" ? new Response(null, { status: 204 }) : Response.json(said[this.#voice]);
    }
  }

  /** Answers a request, or loses it. */
  answer(at: number, isLost = false): void {
    const [sent] = this.sent.splice(at % Math.max(1, this.sent.length), 1);
    if (sent !== undefined && !sent.answer) this.apply(sent);
    if (isLost) sent?.reject(new TypeError("The connection was cut"));
    else sent?.resolve(sent.answer!);
  }

  #make(name: "users" | "todos", members: Row): Row {
    const row = { ...members, id: String(++this.#lastId) };
    this.tables[name].set(row.id, row);
    return row;
  }
}

const OPS = [
  ["users", 3],
  ["user", 2],
  ["todos", 4],
  ["todo", 2],
  ["rename", 4],
  ["edit", 3],
  ["move", 4],
  ["create", 4],
  ["push", 2],
  ["hire", 2],
  ["delete", 2],
  ["look", 2],
  ["apply", 10],
  ["answer", 16],
  ["lose", 1],
] as const;
type Op = readonly [name: (typeof OPS)[number][0], a: number, b: number];
const op: fc.Arbitrary<Op> = fc.tuple(
  fc.oneof(...OPS.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) }))),
  fc.nat(11),
  fc.nat(7),
);
const LISTS: readonly Row[] = [{}, { userId: "1" }, { userId: "2" }];

interface Life {
  readonly voice: (typeof VOICES)[number];
  readonly isOptimistic: boolean;
  readonly isConditional: boolean;
  readonly isLatest: boolean;
  readonly ops: readonly Op[];
}

async function live({ voice, isOptimistic, isConditional, isLatest, ops }: Life): Promise<void> {
  const clock = new FakeClock();
  using _clock = clock.install();
  const server = new Server(voice);
  using _fetch = replaceGlobals({ fetch: (url: string, init?: RequestInit) => server.send(url, init) });
  const options = {
    urlPrefix: "https://api.test",
    optimistic: isOptimistic as true,
    use: isConditional ? [conditional()] : [],
    ...isLatest && { scope: latest("record") },
  };
  const users = resource({ ...options, path: "/users/:id", schema: User });
  const searchParams = {} as { userId?: string } | undefined;
  const todos = resource({ ...options, path: "/todos/:id", schema: Todo, searchParams });
  const push = todos.create.extend({ schema: User.schema.todos.push });
  using controller = new Controller();

  /** What is called fresh, against the truth. */
  const look = (): void => {
    const same = (read: unknown, args: Row, truth: unknown) => {
      const { data, expiresAt, error } = controller.getResponseMeta(read as ReadEndpoint, args);
      if (data === undefined || error !== undefined || expiresAt <= clock.now()) return;
      assertEquals(plain(data), plain(truth), `${(read as ReadEndpoint).name} ${JSON.stringify(args)} is fresh`);
    };
    for (const [name, { get, getList }, lists] of [["users", users, [{}]], ["todos", todos, LISTS]] as const) {
      for (const args of lists) same(getList, args, server.list(name, args));
      for (let id = 1; id < 20; id++) {
        const row = server.tables[name].get(String(id));
        same(get, { id: String(id) }, row && server.show(name, row));
      }
    }
  };
  const isQuiet = () => server.sent.length === 0 && controller.store.sequence.size === 0;
  const settle = async () => {
    for (let turn = 0; turn < 200 && !isQuiet(); turn++) {
      server.answer(0);
      await flush();
    }
    await clock.tickAsync(200);
  };

  for (const [at, [name, a, b]] of ops.entries()) {
    const id = String(a % 2 + 1);
    const ids = [...server.tables.todos.keys(), "99"];
    const todo = { id: ids[a % ids.length]! };
    const calls: { readonly [name: string]: () => Promise<unknown> } = {
      users: () => controller.fetch(users.getList),
      user: () => controller.fetch(users.get, { id }),
      todos: () => controller.fetch(todos.getList, LISTS[a % LISTS.length]),
      todo: () => controller.fetch(todos.get, todo),
      rename: () => controller.fetch(users.partialUpdate, { id }, { name: `name ${at}` }),
      edit: () => controller.fetch(todos.partialUpdate, todo, { title: `title ${at}` }),
      move: () => controller.fetch(todos.partialUpdate, todo, { userId: String(b % 2 + 1) }),
      create: () => controller.fetch(todos.create, { title: `new ${at}`, userId: id }),
      push: () => controller.fetch(push, { title: `new ${at}`, userId: id }),
      hire: () => controller.fetch(users.create, { name: `name ${at}` }),
      delete: () => controller.fetch(todos.delete, todo),
    };
    calls[name]?.().catch(() => {});
    const waiting = server.sent.filter(({ answer }) => answer === undefined);
    if (name === "apply" && waiting.length > 0) server.apply(waiting[a % waiting.length]!);
    if (name === "answer" || name === "lose") server.answer(a, name === "lose");
    await flush();
    if (name === "look" && isQuiet()) look();
  }
  await settle();
  look();
}

/** Rows as somebody sees them, in an order of ours: where something joins a list, only the server may know. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain).sort((a, b) => Number((a as Row).id) - Number((b as Row).id));
  if (typeof value !== "object" || value === null) return value;
  const { id, name, title, userId, user, todos } = value as Json;
  // To what a todo says of its user, `todos` is no list.
  return { id, name, title, userId, user: plain(user), todos: Array.isArray(todos) ? plain(todos) : undefined };
}

Deno.test("whatever is done to records inside others, nothing is called fresh that the server does not have", async () => {
  const life: fc.Arbitrary<Life> = fc.record({
    voice: fc.constantFrom(...VOICES),
    isOptimistic: fc.boolean(),
    isConditional: fc.boolean(),
    isLatest: fc.boolean(),
    ops: fc.array(op, { maxLength: 30, size: "max" }),
  });
  await check(fc.asyncProperty(life, live), { name: "nested_life", runs: runs(1_000, 50_000) });
});
