/**
 * Fetches many keys, watches every second one, lets go of all of them, and says what is left. A process of its own, with
 * `--expose-gc`: other tests would count.
 *
 * @module
 */
import { Controller, Endpoint, Entity } from "@rejoin/data";
import { Collector } from "../../../src/parts/memory/collector.ts";
import { watch } from "../../../src/store/watch.ts";
import { collectAll } from "../../support/collect.ts";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
  static indexes = ["title"] as const;
}

/** What is printed, as JSON in the last line. */
export interface Findings {
  /** What the heap had more while everything was there, in MB. */
  readonly full: number;
  /** What it had more in the end, in MB. */
  readonly retained: number;
  /** µs for one key, fetched and half of the time watched, where so many are there. */
  readonly costs: { readonly [keys: number]: number };
  /** The longest step of a collection, in ms. */
  readonly longest: number;
  /** Records, answers, views of answers, watched views, requests, logs: what is left of each. */
  readonly left: readonly number[];
}

const getArticle = new Endpoint(({ id }: { id: string }) => Promise.resolve({ id, title: `title ${id}` }), {
  name: "getArticle",
  schema: Article,
});

async function heap(): Promise<number> {
  const { gc } = globalThis as { gc?: () => void };
  gc!();
  // What the engine's other threads have not swept yet counts as used: on a busy machine, 7 MB.
  await new Promise((resolve) => setTimeout(resolve, 200));
  gc!();
  return Deno.memoryUsage().heapUsed / 1e6;
}

/** A median of several stretches tells of the work, and not of the collections of the engine that fall into one. */
const STRETCH = 200;

async function find(count: number): Promise<Findings> {
  const controller = new Controller();
  const { store } = controller;
  // Told when to work: no time need pass.
  const collector = new Collector({ store, isReading: () => false }, { maxAge: 0 });
  store.join(collector);
  const stops: (() => void)[] = [];
  const take = async (id: string, isWatched: boolean) => {
    const args = [{ id }] as const;
    await controller.fetch(getArticle, ...args);
    controller.get(Article, { title: `title ${id}` });
    if (isWatched) stops.push(watch(store, store.response(getArticle, args, getArticle.key(...args)), () => {}));
  };
  let longest = 0;
  const release = () => {
    for (const stop of stops.splice(0)) stop();
    collectAll(collector);
    collector.begin();
    for (let isMore = true; isMore;) {
      const from = performance.now();
      isMore = collector.step();
      longest = Math.max(longest, performance.now() - from);
    }
  };
  for (let at = 0; at < 5_000; at++) await take(`warm ${at}`, at % 2 === 0);
  release();
  longest = 0;
  const before = await heap();
  const stretches: number[] = [];
  const costs: Record<number, number> = {};
  let from = performance.now();
  for (let at = 1; at <= count; at++) {
    await take(String(at), at % 2 === 0);
    if (at % STRETCH > 0) continue;
    const now = performance.now();
    stretches.push((now - from) / STRETCH * 1_000);
    from = now;
    if (at !== 1_000 && at !== 100_000) continue;
    costs[at] = stretches.slice(-25).sort((a, b) => a - b)[Math.min(stretches.length, 25) >> 1]!;
  }
  const full = await heap() - before;
  release();
  const left = [
    store.tables.byKey.get("Article")!.slots.size,
    [...store.entries.keys()].length,
    store.responsesByKey.size,
    store.watched.size,
    store.sequence.size,
    store.logs.size,
    store.parts.flatMap((part) => part.held?.() ?? []).length + Number(store.graph.asked !== undefined),
  ];
  return { full, retained: await heap() - before, costs, longest, left };
}

if (import.meta.main) console.log(JSON.stringify(await find(Number(Deno.args[0]))));
