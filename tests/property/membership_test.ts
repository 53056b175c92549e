/**
 * Lists with filters, searches, orders, limits and pages, beside a naive server that has a moment of application between
 * start and reply: when all is quiet, every list that is fresh holds what the server has.
 *
 * What the model allows, and why:
 * - The place of what joins a list without an order that was asked for: the server's own order is nobody's business.
 * - An argument that all items of an answer happen to equal counts as a filter: `title` is searched with texts that some
 *   item contradicts in every list but an empty one.
 */
import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { Controller, Endpoint, Entity, schema } from "@rejoin/data";
import { Catalog, type CatalogFilm } from "../support/catalog_server.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";

class Film extends Entity {
  id = "";
  title = "";
  genre = "";
  year = 0;
  rating = 0;
  static key = "Film";
}

type Search = Readonly<Record<string, string | number>>;

const films = new schema.Collection([Film], {
  displayArgs: ["page", "limit"],
  filters: { since: (film: Film, value: string) => film.year >= Number(value) },
});

const LISTS: readonly Search[] = [
  {},
  { genre: "a" },
  { genre: "b" },
  { genre: "c" },
  { year: 2001 },
  { since: 2001 },
  { q: "x" },
  { title: "x" },
  { genre: "a", q: "y" },
  { sort: "-rating" },
  { sort: "title", genre: "b" },
  { limit: 2 },
  { limit: 2, page: 2 },
  { limit: 2, genre: "a" },
  { limit: 2, page: 2, sort: "rating" },
];

const FILMS: readonly CatalogFilm[] = [
  { id: "1", title: "x one", genre: "a", year: 2000, rating: 1 },
  { id: "2", title: "y two", genre: "b", year: 2001, rating: 3 },
  { id: "3", title: "xy three", genre: "a", year: 2002, rating: 2 },
  { id: "4", title: "z four", genre: "b", year: 2000, rating: 4 },
];

const OPS = [
  ["list", 8],
  ["get", 2],
  ["create", 4],
  ["update", 6],
  ["delete", 2],
  ["set", 2],
  ["apply", 6],
  ["answer", 12],
] as const;

type Op = readonly [name: (typeof OPS)[number][0], a: number, b: number];

const op: fc.Arbitrary<Op> = fc.tuple(
  fc.oneof(...OPS.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) }))),
  fc.nat(29),
  fc.nat(63),
);

interface Sent {
  readonly apply: () => unknown;
  readonly settle: PromiseWithResolvers<unknown>;
  reply?: { readonly value: unknown };
}

class Session {
  readonly catalog = new Catalog(FILMS);
  readonly controller = new Controller();
  readonly sent: Sent[] = [];
  #titles = 0;

  readonly list = new Endpoint((search: Search) => this.send(() => this.catalog.list(paramsOf(search))), {
    name: "list",
    schema: films,
  });
  readonly get = new Endpoint(
    ({ id }: { id: string }) => this.send(() => this.catalog.films.find((film) => film.id === id)),
    { name: "get", schema: Film },
  );
  readonly create = new Endpoint((body: Partial<CatalogFilm>) => this.send(() => this.catalog.create(body)), {
    name: "create",
    schema: films.push,
    sideEffect: true,
  });
  readonly update = new Endpoint(
    ({ id }: { id: string }, body: Partial<CatalogFilm>) => this.send(() => this.catalog.update(id, body)),
    { name: "update", schema: Film, sideEffect: true },
  );
  readonly remove = new Endpoint(({ id }: { id: string }) => this.send(() => this.catalog.delete(id) && { id }), {
    name: "remove",
    schema: new schema.Invalidate(Film),
    sideEffect: true,
  });

  send(apply: () => unknown): Promise<unknown> {
    const settle = Promise.withResolvers<unknown>();
    this.sent.push({ apply, settle });
    return settle.promise;
  }

  body(b: number): Partial<CatalogFilm> {
    const all = {
      genre: "abc"[b % 3]!,
      year: 2000 + (b >> 2) % 3,
      rating: (b >> 3) % 6,
      title: `${["x", "y", "z", "xy"][b % 4]} ${++this.#titles}`,
    };
    const names = ["genre", "year", "rating", "title"] as const;
    return b & 32 ? all : { [names[b % 4]!]: all[names[b % 4]!] };
  }

  do([name, a, b]: Op): void {
    const { catalog, controller } = this;
    const { id } = catalog.films[a % Math.max(1, catalog.films.length)] ?? { id: "1" };
    const quietly = (promise: Promise<unknown>) => void promise.catch(() => {});
    switch (name) {
      case "list":
        return quietly(controller.fetch(this.list, LISTS[a % LISTS.length]!));
      case "get":
        return quietly(controller.fetch(this.get, { id }));
      case "create":
        return quietly(controller.fetch(this.create, this.body(b | 32)));
      case "update":
        return quietly(controller.fetch(this.update, { id }, this.body(b)));
      case "delete":
        return quietly(controller.fetch(this.remove, { id }));
      case "set": {
        // By hand, what the server has just done; nothing that is on its way says otherwise.
        if (this.sent.length > 0 || controller.get(Film, { id }) === undefined) return;
        const body = this.body(b);
        catalog.update(id, body);
        return controller.set(Film, { id }, body);
      }
      case "apply": {
        const waiting = this.sent.filter(({ reply }) => reply === undefined);
        const sent = waiting[a % Math.max(1, waiting.length)];
        if (sent !== undefined) sent.reply = { value: sent.apply() };
        return;
      }
      case "answer": {
        const sent = this.sent[a % Math.max(1, this.sent.length)];
        return sent && this.answer(sent);
      }
    }
  }

  answer(sent: Sent): void {
    sent.reply ??= { value: sent.apply() };
    this.sent.splice(this.sent.indexOf(sent), 1);
    const { value } = sent.reply;
    if (value === undefined) sent.settle.reject(new Error("404"));
    else sent.settle.resolve(structuredClone(value));
  }

  /** Nothing is on its way: what is fresh is true. */
  verify(): void {
    if (this.sent.length > 0) return;
    for (const search of LISTS) {
      const { data, expiresAt } = this.controller.getResponse(this.list, search);
      if (data === undefined || expiresAt <= Date.UTC(2024, 0, 1)) continue;
      const inOrder = (ids: string[]) => search.sort === undefined ? ids.sort() : ids;
      assertEquals(
        inOrder(data.map(({ id }) => id)),
        inOrder(this.catalog.list(paramsOf(search)).map(({ id }) => id)),
        `${JSON.stringify(search)} is fresh`,
      );
    }
  }
}

function paramsOf(search: Search): URLSearchParams {
  return new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)]));
}

Deno.test("13.D1 a list that is fresh when all is quiet holds what the server has, whatever has interleaved", async () => {
  const property = fc.asyncProperty(fc.array(op, { maxLength: 50, size: "max" }), async (ops) => {
    const session = new Session();
    using _ = new FakeClock().install();
    for (const each of ops) {
      session.do(each);
      await flush();
      session.verify();
    }
    while (session.sent.length > 0) {
      session.answer(session.sent[0]!);
      await flush();
    }
    session.verify();
    session.controller.cleanup();
  });
  await check(property, { name: "membership", runs: runs(1_000, 100_000) });
});
