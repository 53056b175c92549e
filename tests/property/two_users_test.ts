/**
 * Two people's controllers in one process, over the same resource: batches, conditions, versions, lines of mutations,
 * redirects, retries and layers, while both log in as somebody else, give up, and are cleaned up. Nothing of one person
 * reaches another: no header, version or body on the wire, and nothing in a store or in what a promise gives.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { AsyncLocalStorage } from "node:async_hooks";
import {
  batch,
  conditional,
  Controller,
  Entity,
  followRedirects,
  idempotencyKey,
  ifMatch,
  latest,
  resource,
  RestEndpoint,
  type RestGenerics,
  serial,
  stateOf,
} from "@rejoin/data";
import { FakeClock, flush } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";

class Film extends Entity {
  id = "";
  title = "";
  owner = "";
  static key = "Film";
}

/** One request to a person's controller. */
interface Session {
  user: string;
  controller: Controller;
}
/** Whose code runs, as a server knows it. */
const running = new AsyncLocalStorage<{ readonly session: Session; readonly user: string }>();
/** Headers that are waited for: a token that is refreshed. */
const waits: (() => void)[] = [];
let isSlow = false;

class OwnEndpoint<O extends RestGenerics> extends RestEndpoint<O> {
  override urlPrefix = "https://api.test";
  override retry = 2;
  override async getHeaders(headers: Record<string, string>) {
    const { session } = running.getStore()!;
    if (isSlow) await new Promise<void>((resolve) => waits.push(resolve));
    return { ...headers, authorization: session.user };
  }
}

const options = {
  path: "/films/:id",
  schema: Film,
  Endpoint: OwnEndpoint,
  optimistic: true,
  use: [conditional(), ifMatch(), idempotencyKey(), followRedirects()],
  getMany: batch({ param: "ids", separator: "," }),
  searchParams: {} as { readonly ids?: string } | undefined,
} as const;
const RESOURCES = {
  serial: resource({ ...options, scope: serial("record") }),
  latest: resource({ ...options, scope: latest("record") }),
  none: resource(options),
};

interface Open {
  readonly request: Request;
  readonly text: string;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

/** Everybody has films with the same ids, and versions that count alike. */
class Server {
  readonly open: Open[] = [];
  readonly faults: string[] = [];
  readonly #versions = new Map<string, number>();
  readonly #titles = new Map<string, string>();

  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const text = await request.text();
    const user = request.headers.get("authorization");
    const caller = running.getStore();
    if (caller === undefined) this.faults.push("sent in nobody's name");
    else if (!user || user[0] !== caller.session.user[0]) {
      this.faults.push(`${caller.user} sends with the token of ${user}`);
    }
    for (const name of ["if-none-match", "if-match"]) {
      const tag = request.headers.get(name);
      if (tag !== null && !tag.includes(`"${user}-`)) this.faults.push(`${user} sends ${name}: ${tag}`);
    }
    if (text !== "" && JSON.parse(text).owner !== user) this.faults.push(`${user} sends ${text}`);
    return await new Promise((resolve, reject) => {
      const one: Open = { request, text, resolve, reject };
      request.signal.addEventListener("abort", () => {
        const at = this.open.indexOf(one);
        if (at >= 0) this.open.splice(at, 1);
        reject(request.signal.reason);
      });
      this.open.push(one);
    });
  };

  #film(user: string, id: string) {
    return { id, title: this.#titles.get(`${user} ${id}`) ?? "", owner: user };
  }

  #serve({ request, text }: Open): Response {
    const { pathname, searchParams } = new URL(request.url);
    const user = request.headers.get("authorization")!;
    const id = pathname.split("/").at(-1)!;
    const isList = id === "films";
    const key = isList ? user : `${user} ${id}`;
    const etag = `"${user}-${this.#versions.get(key) ?? 0}"`;
    const headers = { etag };
    if (request.method === "GET") {
      if (request.headers.get("if-none-match") === etag && !searchParams.has("ids")) {
        return new Response(null, { status: 304, headers });
      }
      if (!isList) return Response.json(this.#film(user, id), { headers });
      const ids = searchParams.get("ids")?.split(",") ?? ["1", "2", "3"];
      return Response.json(ids.map((id) => this.#film(user, id)), { headers });
    }
    const match = request.headers.get("if-match");
    if (match !== null && match !== etag) return new Response("{}", { status: 412 });
    if (request.method === "POST") return Response.json({ ...JSON.parse(text), id: `${this.#versions.size + 9}` });
    for (const one of [key, user]) this.#versions.set(one, (this.#versions.get(one) ?? 0) + 1);
    if (request.method !== "DELETE") this.#titles.set(key, JSON.parse(text).title);
    return request.method === "DELETE"
      ? new Response(null, { status: 204 })
      : Response.json(this.#film(user, id), { headers: { etag: `"${user}-${this.#versions.get(key)}"` } });
  }

  #take(at: number): Open | undefined {
    return this.open.splice(at % Math.max(1, this.open.length), 1)[0];
  }

  answer(at: number): void {
    const one = this.#take(at);
    one?.resolve(this.#serve(one));
  }

  fail(at: number, how: number): void {
    const one = this.#take(at);
    if (one === undefined) return;
    if (how % 4 === 0) one.reject(new TypeError("the network is down"));
    else if (how % 4 === 1) one.resolve(new Response("busy", { status: 503, headers: { "retry-after": "1" } }));
    else if (how % 4 === 2) one.resolve(new Response("no", { status: 401 }));
    else {
      const { pathname, search } = new URL(one.request.url);
      one.resolve(
        new Response(null, { status: 307, headers: { location: `https://api.test/moved${pathname}${search}` } }),
      );
    }
  }
}

const OPS = [
  ["get", 4],
  ["many", 3],
  ["both", 3],
  ["list", 3],
  ["patch", 4],
  ["put", 2],
  ["create", 2],
  ["delete", 1],
  ["stale", 2],
  ["invalidate", 1],
  ["abort", 1],
  ["login", 2],
  ["settle", 3],
  ["end", 1],
  ["headers", 3],
  ["answer", 12],
  ["fail", 4],
  ["wait", 2],
] as const;
type Op = readonly [name: (typeof OPS)[number][0], who: number, a: number, b: number];
const op: fc.Arbitrary<Op> = fc.tuple(
  fc.oneof(...OPS.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) }))),
  fc.nat(1),
  fc.nat(8),
  fc.nat(8),
);

async function live(kind: keyof typeof RESOURCES, slow: boolean, ops: readonly Op[]): Promise<void> {
  const clock = new FakeClock();
  using _clock = clock.install();
  const server = new Server();
  const before = globalThis.fetch;
  globalThis.fetch = server.fetch;
  isSlow = slow;
  waits.length = 0;
  const films = RESOURCES[kind];
  const sessions: Session[] = ["A0", "B0"].map((user) => ({ user, controller: new Controller() }));
  let pending = 0;
  const aborts = sessions.map(() => new AbortController());
  const ownersOf = (value: unknown): unknown[] => {
    const found: unknown[] = [];
    JSON.stringify(value, (name, one) => (name === "owner" && one !== "" && found.push(one), one));
    return found;
  };
  const verify = () => {
    assertEquals(server.faults, []);
    for (const { user, controller } of sessions) {
      for (const owner of ownersOf(stateOf(controller))) assertEquals(owner, user, "a store holds somebody else's");
      for (const id of ["1", "2", "3"]) {
        for (const owner of ownersOf(controller.getResponse(films.get, { id }).data)) assertEquals(owner, user);
      }
    }
  };
  const settle = async () => {
    for (let i = 0; i < 100 && (server.open.length > 0 || waits.length > 0); i++) {
      waits.shift()?.();
      server.answer(i);
      await flush();
      verify();
    }
  };
  try {
    for (const [name, who, a, b] of ops) {
      const session = sessions[who]!;
      const { user, controller } = session;
      const id = String(a % 3 + 1);
      const call = (make: () => PromiseLike<unknown>, user = session.user) => {
        pending++;
        const settled = (value?: unknown) => {
          pending--;
          for (const owner of ownersOf(value)) if (owner !== user) server.faults.push(`${user} gets ${owner}'s`);
        };
        Promise.resolve(make()).then(settled, () => settled());
      };
      // In one tick, as two requests that a server answers at the same time.
      const other = sessions[1 - who]!;
      if (name === "both") {
        running.run({ session: other, user: other.user }, () => {
          call(() => other.controller.fetch(films.get, { id: "1" }), other.user);
          call(() => other.controller.fetch(films.get, { id: "2" }), other.user);
        });
      }
      running.run({ session, user }, () => {
        const { signal } = aborts[who]!;
        const body = { title: `${user} ${b}`, owner: user } as Film;
        if (name === "get") call(() => controller.fetch(films.get.extend({ signal }), { id }));
        else if (name === "many" || name === "both") {
          for (const id of ["1", "2", "3"].slice(a % 2)) {
            call(() => controller.fetch(films.get.extend({ signal }), { id }));
          }
        } else if (name === "list") call(() => controller.fetch(films.getList));
        else if (name === "patch") call(() => controller.fetch(films.partialUpdate, { id }, body));
        else if (name === "put") call(() => controller.fetch(films.update.extend({ signal }), { id }, { ...body, id }));
        else if (name === "create") call(() => controller.fetch(films.create, body));
        else if (name === "delete") call(() => controller.fetch(films.delete.extend({ signal }), { id }));
        else if (name === "stale") controller.expireAll(films.getList);
        else if (name === "invalidate") controller.invalidateAll(films.get);
        else if (name === "abort") {
          aborts[who]!.abort();
          aborts[who] = new AbortController();
        } else if (name === "login") {
          session.user = `${user[0]}${Number(user.slice(1)) + 1}`;
          controller.resetEntireStore();
        } else if (name === "end") {
          controller.cleanup();
          session.controller = new Controller();
        }
      });
      if (name === "headers") waits.splice(a % Math.max(1, waits.length), 1)[0]?.();
      else if (name === "answer") server.answer(a);
      else if (name === "fail") server.fail(a, b);
      else if (name === "settle") await settle();
      else if (name === "wait") await clock.tickAsync([100, 1_000, 31_000][b % 3]!);
      await flush();
      verify();
    }
    await settle();
    await clock.tickAsync(40_000);
    await settle();
    verify();
    assertEquals(pending, 0, "calls that never settle");
    for (const { controller } of sessions) controller.cleanup();
    const sent = server.open.length;
    await clock.tickAsync(100_000);
    assertEquals(server.open.length, sent);
    assert(clock.pending === 0, "timers are left");
  } finally {
    globalThis.fetch = before;
  }
}

Deno.test("nothing of one person reaches another who is served by the same process", async () => {
  const property = fc.asyncProperty(
    fc.constantFrom("serial", "latest", "none"),
    fc.boolean(),
    fc.array(op, { minLength: 3, maxLength: 40 }),
    live,
  );
  await check(property, { name: "two_users", runs: runs(1_500, 100_000) });
});
