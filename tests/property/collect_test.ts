/**
 * Memory in random interleavings, step by step: requests, writes, layers, readers that come and go, clock jumps, and
 * collections of which each step may find another world. The model is a reading from nothing (a snapshot, which shares
 * no view with the store): what a live root shows is that, before and after; and the plain state, in which no record may
 * lose by a step what it refers to while it stays itself. What is not live is gone in the end.
 *
 * @module
 */
import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import {
  type AnySchema,
  Controller,
  Endpoint,
  Entity,
  Query,
  type Schema,
  schema,
  snapshotOf,
  type State,
  stateOf,
  ValidationError,
} from "@rejoin/data";
import type { StoreSnapshot } from "../../src/parts/snapshot/store_snapshot.ts";
import { isBare } from "../../src/store/entry.ts";
import type { ViewNode } from "../../src/denormalize/node.ts";
import { hold } from "../../src/parts/memory/retain.ts";
import { atMost } from "../../src/parts/memory/bound.ts";
import { Collector } from "../../src/parts/memory/collector.ts";
import type { Answer } from "../../src/store/entry.ts";
import { ResponseView } from "../../src/store/response_view.ts";
import { watch } from "../../src/store/watch.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";

class User extends Entity {
  id = "";
  name = "";
  best: Article | undefined = undefined;
  static key = "User";
  static schema: { best: typeof Article } = {} as never;
}

class Article extends Entity {
  id = "";
  title = "";
  tag = "";
  author: User | undefined = undefined;
  related: Article[] = [];
  notes = { first: undefined as User | undefined };
  static key = "Article";
  static schema = { author: User, related: [] as never, notes: { first: User } } as unknown as {
    author: typeof User;
    related: [typeof Article];
    notes: { first: typeof User };
  };
  static indexes = ["tag"] as const;
}
User.schema = { best: Article };
Article.schema.related = [Article];

/** Whatever is answered: it is computed, and then nothing is written. */
class Refused extends Article {
  static override validate() {
    return "refused";
  }
}

const PKS = ["1", "2", "3", "__proto__"] as const;
const all = new schema.All(Article);
const titles = new Query(all, (rows) => rows.map(({ title }) => title).join());
const lists = new schema.Collection([Article]);
const removal = new Endpoint((_: { id: string }) => Promise.resolve(_), {
  name: "removal",
  schema: new schema.Invalidate(Article),
  sideEffect: true,
});

const refusal = new Endpoint((_: { id: string }) => Promise.resolve(_), { name: "refusal", schema: Refused });

interface Sent {
  readonly name: string;
  settle(value: unknown): void;
  fail(reason: unknown): void;
}

/** What somebody may show, as a view and read from nothing. */
interface Shown {
  view(): ViewNode;
  read(snapshot: StoreSnapshot): unknown;
}

/** A client, and what its requests wait for. */
class Client {
  readonly sent: Sent[] = [];
  readonly controller = new Controller();
  readonly reads = [
    this.#endpoint("get", Article),
    this.#endpoint("list", [Article]),
    this.#endpoint("collection", lists),
    this.#endpoint("both", { rows: [Article], user: User }),
  ] as const;
  readonly rename = this.#endpoint("rename", Article).extend({
    sideEffect: true,
    getOptimisticResponse: (snapshot, arg: { id: string }) => ({
      id: arg.id,
      title: `one of ${(snapshot.get(all) as readonly unknown[] | undefined)?.length}`,
    }),
  });

  #endpoint<const S extends Schema>(name: string, of: S) {
    const call = (_: { id: string }) => new Promise<unknown>((settle, fail) => this.sent.push({ name, settle, fail }));
    return new Endpoint(call, { name, schema: of, key: (arg: { id: string }) => `${name} ${arg.id}` });
  }

  shown(at: number): Shown {
    const { store, store: { graph } } = this.controller;
    const pk = PKS[at % PKS.length]!;
    const arg = { id: pk };
    const query = (of: AnySchema, ...args: unknown[]): Shown => ({
      view: () => graph.query(of, args),
      read: (snapshot) => snapshot.get(of as typeof Article, ...args as [string]),
    });
    switch ((at >> 2) % 8) {
      case 0:
        return query(Article, pk);
      case 1:
        return query(User, pk);
      case 2:
        return query(titles);
      case 3:
        return query(Article, { tag: pk });
      default: {
        const endpoint = this.reads[(at >> 2) % 4]! as Client["reads"][0];
        return {
          view: () => store.response(endpoint, [arg], endpoint.key(arg)),
          read: (snapshot) => snapshot.getResponse(endpoint, arg).data,
        };
      }
    }
  }
}

/** A value for an article: nested, by pk, or with members left out. */
function articleOf(a: number, b: number): Record<string, unknown> {
  const pk = PKS[a % 4]!;
  const other = PKS[b % 4]!;
  const author = b % 3 === 0 ? other : { id: other, name: `name ${a}`, ...(a % 5 === 0 ? { best: pk } : {}) };
  return {
    id: pk,
    title: `title ${a}${b}`,
    tag: PKS[(a + b) % 4],
    ...(a % 2 === 0 ? { author } : {}),
    ...(b % 4 === 1 ? { related: [other, { id: PKS[(b + 1) % 4], title: "nested" }] } : {}),
    ...(a % 7 === 3 ? { notes: { first: other } } : {}),
  };
}

function replyOf(name: string, a: number, b: number): unknown {
  const rows = [articleOf(a, b), b % 2 === 0 ? PKS[b % 4] : articleOf(b, a)];
  if (name === "list" || name === "collection") return rows;
  return name === "both" ? { rows, user: PKS[a % 4] } : articleOf(a, b);
}

const OPS = [
  ["fetch", 6],
  ["rename", 2],
  ["answer", 8],
  ["fail", 1],
  ["set", 4],
  ["refuse", 1],
  ["remove", 2],
  ["watch", 4],
  ["unwatch", 4],
  ["retain", 2],
  ["read", 2],
  ["invalidate", 1],
  ["reset", 1],
  ["tick", 6],
  ["begin", 3],
  ["step", 6],
  ["jump", 1],
] as const;
type Op = readonly [name: (typeof OPS)[number][0], a: number, b: number];

const op: fc.Arbitrary<Op> = fc.tuple(
  fc.oneof(...OPS.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) }))),
  fc.nat(31),
  fc.nat(31),
);

/** What a reader sees, cycles and all: without them where they close. */
function seen(value: unknown): unknown {
  const met = new Map<object, number>();
  const plain = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    const known = met.get(part);
    if (known !== undefined) return `again ${known}`;
    met.set(part, met.size);
    return Array.isArray(part) ? part.map(plain) : Object.entries(part).map(([name, member]) => [name, plain(member)]);
  };
  return plain(value);
}

/** What a record refers to, by table and pk. */
function referencesOf(key: string, record: Record<string, unknown>): [key: string, pk: string][] {
  const { best, author, related, notes } = record as {
    best?: string;
    author?: string;
    related?: string[];
    notes?: { first?: string };
  };
  const found: [string, string | undefined][] = key === "User"
    ? [["Article", best]]
    : [["User", author], ["User", notes?.first], ...related?.map((pk) => ["Article", pk] as [string, string]) ?? []];
  return found.filter((reference): reference is [string, string] => reference[1] !== undefined);
}

/** Whoever reads between two steps finds a record with all that it had, or none. */
function assertUntorn(before: State["entities"], after: State["entities"]): void {
  for (const [key, records] of Object.entries(after)) {
    if (key !== "User" && key !== "Article") continue;
    for (const [pk, record] of Object.entries(records)) {
      for (const [table, other] of referencesOf(key, record)) {
        if (before[table]?.[other] === undefined) continue;
        assert(after[table]?.[other] !== undefined, `${key} ${pk} has lost ${table} ${other}`);
      }
    }
  }
}

interface Root {
  readonly shown: Shown;
  readonly view: ViewNode;
  readonly stop: () => void;
  told: number;
  /** What it gave before the collection went on. */
  before: unknown;
}

async function run(ops: readonly Op[], maxEntities: number, maxAge: number): Promise<void> {
  const clock = new FakeClock();
  using _ = clock.install();
  const client = new Client();
  const { controller, controller: { store } } = client;
  const isReading = (key: string) => client.reads.some((read) => controller.findRead(read, key) !== undefined);
  // Each step looks at one thing: whatever can come between two steps does.
  const collector = new Collector({ store, isReading }, { maxAge, bound: atMost(maxEntities) }, 1);
  store.join(collector);
  const roots: Root[] = [];
  const valueOfView = (view: ViewNode): unknown => {
    const value = view.read(store.graph);
    return view instanceof ResponseView ? (value as Answer).data : value;
  };
  const valueOf = ({ view }: Root): unknown => valueOfView(view);
  const look = () => {
    const snapshot = snapshotOf(controller);
    for (const root of roots) {
      root.before = valueOf(root);
      root.told = 0;
      assertEquals(seen(root.before), seen(root.shown.read(snapshot)), "a root is not what is stored");
    }
  };
  const compare = () => {
    for (const root of roots) {
      assertEquals(root.told, 0, "a reader was told of a collection");
      assertStrictEquals(valueOf(root), root.before, "a collection gave a reader another object");
    }
  };
  for (const [name, a, b] of ops) {
    const pk = PKS[a % 4]!;
    switch (name) {
      case "fetch":
        controller.fetch(client.reads[b % 4]! as Client["reads"][0], { id: pk }).catch(() => {});
        break;
      case "rename":
        controller.fetch(client.rename, { id: pk }).catch(() => {});
        break;
      case "answer":
      case "fail": {
        const [sent] = client.sent.splice(a % Math.max(1, client.sent.length), 1);
        if (name === "fail") sent?.fail(new Error("down"));
        else sent?.settle(replyOf(sent.name, a, b));
        await flush();
        break;
      }
      case "set":
        controller.set(Article, pk, articleOf(a, b) as { id: string });
        break;
      case "refuse":
        assertThrows(() => controller.setResponse(refusal, { id: pk }, articleOf(a, b)), ValidationError);
        break;
      case "remove":
        controller.setResponse(removal, { id: pk }, { id: pk });
        break;
      case "watch":
      case "retain": {
        const shown = client.shown(a);
        const root: Root = { shown, view: shown.view(), told: 0, before: undefined, stop: () => stop() };
        const stop = name === "retain" ? hold(store, () => shown.view()) : watch(store, root.view, () => root.told++);
        roots.push(root);
        break;
      }
      case "unwatch":
        roots.splice(a % Math.max(1, roots.length), 1)[0]?.stop();
        break;
      case "read":
        client.shown(a).view().read(store.graph);
        break;
      case "invalidate":
        controller.invalidateAll({ testKey: (key) => key === `list ${pk}` });
        break;
      case "reset":
        controller.resetEntireStore();
        break;
      case "tick":
        look();
        await clock.tickAsync(a * 50);
        compare();
        break;
      case "begin":
        collector.begin();
        break;
      case "step":
        break;
      case "jump":
        clock.jump((a - 15) * 1e6);
        break;
    }
    look();
    const held = snapshotOf(controller);
    const then = seen(client.shown(b).read(held));
    const before = stateOf(controller).entities;
    for (let steps = name === "step" ? a : b % 3; steps > 0; steps--) {
      const isMore = collector.step();
      assertUntorn(before, stateOf(controller).entities);
      if (!isMore) break;
    }
    compare();
    if (name === "step" && b % 2 === 0) {
      const shown = client.shown(a + b);
      const value = seen(valueOfView(shown.view()));
      assertEquals(value, seen(shown.read(snapshotOf(controller))), "what is asked for between two steps");
    }
    look();
    assertEquals(seen(client.shown(b).read(held)), then, "a held reading changed");
  }
  for (const { fail } of client.sent.splice(0)) fail(new Error("over"));
  await flush();
  for (const { stop } of roots.splice(0)) stop();
  while (collector.step());
  // Also where nobody ever watched.
  collector.wake();
  await clock.tickAsync(10_000);
  for (const table of store.tables.byKey.values()) assertEquals([...table.slots.keys()], [], table.key);
  const answers = [...store.entries.all()].filter((entry) => !isBare(entry));
  assertEquals([store.responsesByKey.size, answers], [0, []], "answers");
  assertEquals(
    [store.logs.size, store.tableChanges.length, store.layers.length, store.covered.size],
    [0, 0, 0, 0],
    "writes",
  );
  assertEquals([store.watched.size, store.broken.size, store.behind.size, store.overlaps.size], [0, 0, 0, 0], "notes");
  assertEquals(
    [
      store.parts.flatMap((part) => part.held?.() ?? []).length + Number(store.graph.asked !== undefined),
      store.sequence.size,
      clock.pending,
    ],
    [0, 0, 0],
    "what waits",
  );
  let views = 0;
  for (const set of store.graph.viewSets()) views += set.size;
  const { entities } = stateOf(controller);
  assertEquals([views, Object.values(entities).flatMap((records) => Object.keys(records))], [0, []]);
  controller.cleanup();
  collector.cleanup();
  assertEquals(clock.idle, 0);
}

Deno.test("no read of a live root changes by collection, and what is not live is gone in the end", async () => {
  await check(
    fc.asyncProperty(
      fc.array(op, { minLength: 5, maxLength: 60, size: "max" }),
      fc.constantFrom(Infinity, Infinity, 1, 4),
      // 0: what was not used since the last collection began.
      fc.constantFrom(0, 0, 1_000),
      run,
    ),
    { name: "collect", runs: runs(1_000, 100_000) },
  );
});
