/**
 * Lists in pages, by number, offset, id, token and `link` header, among mutations that overlap: the server does what it
 * is asked in another order than it answers, and answers are lost after it has done it. When all is quiet, a list that is
 * fresh is how the list of the server begins, and says of what follows what the server says.
 *
 * What the model allows, and why:
 * - A plain list (`createResource`) follows no edit and no create: of it only the records count.
 * - Of a page of a plain list, too. That of a collection shows the whole list, and is as fresh as its own rows.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { Controller, createResource, Entity, parseLinks, resource, RestEndpoint, typed } from "@rejoin/data";
import type { RestGenerics } from "@rejoin/data";
import { FakeClock, flush } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";

interface Row {
  readonly id: string;
  title: string;
  genre: string;
}

class Film extends Entity {
  id = "";
  title = "";
  genre = "";
  static key = "Film";
}

const STYLES = ["page", "skip", "after", "token", "link"] as const;
type Style = (typeof STYLES)[number];
const SIZE = 2;

/** One request on the wire. */
interface Open {
  readonly method: string;
  readonly url: URL;
  readonly body: Partial<Row>;
  answer?: Response;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

/** The films, in the order of their ids. */
class Server {
  readonly films = new Map<string, Row>();
  readonly open: Open[] = [];
  #lastId = 0;

  constructor(readonly style: Style, count: number) {
    for (let i = 0; i < count; i++) this.create({ genre: "aab"[i % 3]! });
  }

  create(body: Partial<Row>): Row {
    const id = String(++this.#lastId);
    const film = { title: "", genre: "a", ...body, id };
    this.films.set(id, film);
    return film;
  }

  get lastId(): number {
    return this.#lastId;
  }

  rows(genre: string | null): Row[] {
    return [...this.films.values()].filter((film) => genre === null || film.genre === genre);
  }

  #page(url: URL): Response {
    const { style } = this;
    const all = this.rows(url.searchParams.get("genre"));
    const cursor = url.searchParams.get(style === "link" ? "page" : style);
    const behind = (id: string) => all.filter((film) => Number(film.id) <= Number(id)).length;
    const from = cursor === null
      ? 0
      : { page: () => (Number(cursor) - 1) * SIZE, link: () => (Number(cursor) - 1) * SIZE, skip: () => Number(cursor) }
        [
          style as "page"
        ]?.() ?? behind(style === "token" ? atob(cursor) : cursor);
    const results = all.slice(from, from + SIZE);
    const end = from + results.length;
    const hasMore = end < all.length && results.length > 0;
    const last = results.at(-1)?.id ?? "";
    const next = !hasMore ? null : {
      page: () => String(end / SIZE + 1),
      link: () => String(end / SIZE + 1),
      skip: () => String(end),
      after: () => last,
      token: () => btoa(last),
    }[style]();
    if (style !== "link") return Response.json({ results, next, total: all.length });
    const address = new URL(url);
    if (next !== null) address.searchParams.set("page", next);
    const link: HeadersInit = next === null ? {} : { link: `<${address}>; rel="next"` };
    return Response.json(results, { headers: { ...link, "x-total": String(all.length) } });
  }

  #serve({ method, url, body }: Open): Response {
    const [, , id] = url.pathname.split("/");
    if (method === "POST") return Response.json(this.create(body), { status: 201 });
    if (id === undefined) return this.#page(url);
    const film = this.films.get(id);
    if (film === undefined) return new Response("none", { status: 404 });
    if (method === "DELETE") {
      this.films.delete(id);
      return new Response(null, { status: 204 });
    }
    if (method !== "GET") Object.assign(film, body, { id });
    return Response.json(film);
  }

  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const text = await request.text();
    const { signal } = request;
    return await new Promise((resolve, reject) => {
      const one: Open = {
        method: request.method,
        url: new URL(request.url),
        body: text === "" ? {} : JSON.parse(text),
        resolve,
        reject,
      };
      signal.addEventListener("abort", () => {
        const at = this.open.indexOf(one);
        if (at >= 0) this.open.splice(at, 1);
        reject(signal.reason);
      });
      this.open.push(one);
    });
  };

  apply(at: number): void {
    const one = this.open[at % Math.max(1, this.open.length)];
    if (one !== undefined) one.answer ??= this.#serve(one);
  }

  #take(at: number): Open | undefined {
    return this.open.splice(at % Math.max(1, this.open.length), 1)[0];
  }

  answer(at: number): void {
    const one = this.#take(at);
    if (one !== undefined) one.resolve(one.answer ?? this.#serve(one));
  }

  /** The answer never comes; the server may have done it. */
  lose(at: number, how: number): void {
    const one = this.#take(at);
    if (one === undefined) return;
    if (how % 2 === 0) one.answer ??= this.#serve(one);
    if (how % 3 === 0) one.resolve(new Response("busy", { status: 504 }));
    else one.reject(new TypeError("the connection was cut"));
  }

  refuse(at: number): void {
    const at2 = this.open.findIndex(({ answer }, i) => answer === undefined && i >= at % this.open.length);
    if (at2 >= 0) this.open.splice(at2, 1)[0]!.resolve(new Response("{}", { status: 422 }));
  }
}

class LinkEndpoint<O extends RestGenerics> extends RestEndpoint<O> {
  override async parseResponse(response: Response) {
    const value = await super.parseResponse(response);
    if (!Array.isArray(value)) return value;
    const next = parseLinks(response.headers.get("link")).get("next");
    return {
      results: value,
      next: next === undefined ? null : new URL(next).searchParams.get("page"),
      total: Number(response.headers.get("x-total")),
    };
  }
}

type Search = { readonly genre?: string; readonly [cursor: string]: string | undefined };
const LISTS: readonly Search[] = [{}, { genre: "a" }, { genre: "b" }];

const OPS = [
  ["list", 4],
  ["more", 6],
  ["again", 2],
  ["get", 1],
  ["create", 2],
  ["patch", 4],
  ["put", 2],
  ["delete", 2],
  ["expire", 1],
  ["apply", 8],
  ["answer", 12],
  ["lose", 2],
  ["refuse", 1],
  ["time out", 1],
  ["settle", 2],
  ["scroll", 2],
] as const;
type Op = readonly [name: (typeof OPS)[number][0], a: number, b: number];
const op: fc.Arbitrary<Op> = fc.tuple(
  fc.oneof(...OPS.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) }))),
  fc.nat(11),
  fc.nat(11),
);

interface Life {
  readonly style: Style;
  readonly isCollection: boolean;
  readonly isOptimistic: boolean;
  readonly rows: number;
  /** So many pages of each list are there before anything happens. */
  readonly seen: number;
  readonly ops: readonly Op[];
}
const life: fc.Arbitrary<Life> = fc.record({
  style: fc.constantFrom(...STYLES),
  isCollection: fc.boolean(),
  isOptimistic: fc.boolean(),
  rows: fc.integer({ min: 0, max: 9 }),
  seen: fc.integer({ min: 0, max: 4 }),
  ops: fc.array(op, { minLength: 4, maxLength: 40 }),
});

async function live({ style, isCollection, isOptimistic, rows, seen, ops }: Life): Promise<void> {
  const clock = new FakeClock();
  using _clock = clock.install();
  const server = new Server(style, rows);
  const before = globalThis.fetch;
  globalThis.fetch = server.fetch;
  using controller = new Controller();
  const options = {
    urlPrefix: "https://api.test",
    path: "/films/:id",
    schema: Film,
    searchParams: typed<Search | undefined>(),
    Endpoint: LinkEndpoint,
  } as const;
  const field = style === "link" ? "page" : style;
  const wrapped = resource({
    ...options,
    optimistic: isOptimistic as true,
    paginationField: field,
    list: (films) => ({ results: films, next: "" as string | null, total: 0 }),
  });
  const plain = createResource({ ...options, optimistic: isOptimistic as true });
  const plainList = plain.getList.extend({ schema: { results: [Film], next: "" as string | null, total: 0 } });
  const films = (isCollection ? wrapped : plain) as typeof wrapped;
  const list = (isCollection ? wrapped.getList : plainList) as typeof wrapped.getList;
  const getPage = list.paginated(
    style === "token" ? (({ token: _, ...rest }: Search) => [rest]) as never : field,
  ) as unknown as typeof list;
  const asked: Search[] = [];
  let count = 0;
  const known = new Set<string>();
  const hasHoles = new Set<string>();
  const quietly = (promise: unknown) => void Promise.resolve(promise).catch(() => {});
  const idAt = (a: number) => String(a % (server.lastId + 1) + 1);
  const look = (endpoint: typeof list, args: Search) => {
    // An error says until when it keeps the key from being asked again: of the data beside it nothing is promised.
    const { data, expiresAt, error } = controller.getResponseMeta(endpoint, args);
    return error === undefined && expiresAt > clock.now() ? data : undefined;
  };
  const verify = (when: string) => {
    if (server.open.length > 0) return;
    for (const args of LISTS) {
      const data = look(list, args);
      if (data === undefined) continue;
      const all = server.rows(args.genre ?? null);
      const what = `${when}: ${JSON.stringify(args)} is fresh`;
      const shown = (data.results ?? []).map(({ id, title, genre }) => ({ id, title, genre }));
      if (isCollection && hasHoles.has(JSON.stringify(args))) {
        const ids = new Set(shown.map(({ id }) => id));
        assertEquals(shown, all.filter(({ id }) => ids.has(id)), what);
      } else if (isCollection) {
        assertEquals(shown, all.slice(0, shown.length), what);
        assertEquals(data.next === null, shown.length === all.length, `${what}, next ${data.next}`);
        assertEquals(data.total, all.length, `${what}, total`);
      } else for (const film of shown) assertEquals(film, server.films.get(film.id), what);
    }
    for (const args of isCollection ? [] : asked) {
      const data = look(getPage, args);
      for (const { id, title, genre } of data?.results ?? []) {
        assertEquals({ id, title, genre }, server.films.get(id), `${when}: page ${JSON.stringify(args)} is fresh`);
      }
    }
    for (let i = 1; i <= server.lastId; i++) {
      const { data, expiresAt, error } = controller.getResponseMeta(films.get, { id: String(i) });
      if (data === undefined || expiresAt <= clock.now() || error !== undefined) continue;
      const { id, title, genre } = data;
      assertEquals({ id, title, genre }, server.films.get(id), `${when}: ${i} is fresh`);
    }
  };
  /** Cursors lead where they led, and what has moved between two of them is in no page. */
  const mayHaveHole = ({ genre }: Search) => {
    const args = JSON.stringify({ genre });
    if ((style === "after" || style === "token") && known.has(args)) hasHoles.add(args);
    known.add(args);
  };
  const settle = async () => {
    await flush();
    for (let i = 0; i < 100 && server.open.length > 0; i++) {
      server.answer(i);
      await flush();
    }
    await clock.tickAsync(200);
    assertEquals(server.open.length, 0);
  };
  const ask = (args: Search) => {
    if (!asked.some((one) => JSON.stringify(one) === JSON.stringify(args))) asked.push(args);
    return controller.fetch(getPage, args);
  };
  /** As people do who look at one page after the other. */
  const scroll = async (args: Search, pages: number) => {
    mayHaveHole(args);
    quietly(controller.fetch(list, args));
    for (let page = 0; page < pages; page++) {
      await settle();
      const next = controller.getResponse(list, args).data?.next;
      if (!next || asked.length >= 12) return;
      quietly(ask({ ...args, [field]: next }));
    }
  };
  try {
    if (seen > 0) { for (const args of LISTS) await scroll(args, seen); }
    await settle();
    for (const [name, a, b] of ops) {
      const id = idAt(a);
      const args = LISTS[a % 3]!;
      switch (name) {
        case "list":
          mayHaveHole(args);
          quietly(controller.fetch(list, args));
          break;
        case "more": {
          const next = controller.getResponse(list, args).data?.next;
          if (next && asked.length < 12) quietly(ask({ ...args, [field]: next }));
          break;
        }
        case "again":
          if (asked.length === 0) break;
          mayHaveHole(asked[a % asked.length]!);
          quietly(ask(asked[a % asked.length]!));
          break;
        case "get":
          quietly(controller.fetch(films.get, { id }));
          break;
        case "create":
          quietly(controller.fetch(films.create, { title: `t${++count}`, genre: "ab"[b % 2]! } as Film));
          break;
        case "patch":
          quietly(
            controller.fetch(
              films.partialUpdate,
              { id },
              (b % 3 ? { genre: "ab"[b % 2]! } : { title: `t${++count}` }) as Partial<Film>,
            ),
          );
          break;
        case "put":
          quietly(controller.fetch(films.update, { id }, { id, title: `t${++count}`, genre: "ab"[b % 2]! } as Film));
          break;
        case "delete":
          quietly(controller.fetch(films.delete, { id }));
          break;
        case "expire":
          controller.expireAll(list);
          break;
        case "apply":
          server.apply(a);
          break;
        case "answer":
          server.answer(a);
          break;
        case "lose":
          server.lose(a, b);
          break;
        case "refuse":
          if (server.open.length > 0) server.refuse(a);
          break;
        case "time out":
          await clock.tickAsync(b % 2 ? 10_000 : 31_000);
          break;
        case "settle":
          await settle();
          break;
        case "scroll":
          await scroll(args, b % 4 + 1);
      }
      await flush();
      verify(name);
    }
    await settle();
    verify("settled");
    // Whoever asks for what is stale is told nothing false either.
    for (let round = 0; round < 3; round++) {
      LISTS.forEach(mayHaveHole);
      for (const args of LISTS) quietly(controller.fetchIfStale(list, args));
      for (const args of asked) quietly(controller.fetchIfStale(getPage, args));
      await flush();
      await settle();
      verify(`round ${round}`);
    }
  } finally {
    globalThis.fetch = before;
  }
}

Deno.test("a list in pages that is fresh when all is quiet is how the server's begins, whatever was lost and overlapped", async () => {
  await check(fc.asyncProperty(life, live), { name: "paged_life", runs: runs(1_500, 100_000) });
});
