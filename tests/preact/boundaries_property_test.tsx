/**
 * Random trees of boundaries and readers that suspend, fail, get other arguments, move and unmount: nothing hangs,
 * available data are shown, and after the last unmount no subscription and no request is left.
 */
import { mount, rendered } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import type { VNode } from "preact";
import { Controller, Endpoint, Entity } from "@rejoin/data";
import { AsyncBoundary, ControllerProvider, ErrorBoundary, useDLE, useQuery, useSuspense } from "@rejoin/data/preact";
import { countWatchers } from "../support/count_watchers.ts";

class Film extends Entity {
  id = "";
  title = "";
  static override key = "Film";
}
interface Branch {
  readonly key: number;
  readonly kind: "async" | "error" | "reader" | "both" | "dle" | "query";
  readonly ids: readonly string[];
  readonly kids: readonly Branch[];
}
interface Asked {
  readonly id: string;
  readonly signal: AbortSignal;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}
const KINDS = ["async", "error", "reader", "both", "dle", "query"] as const;

/** Plays one life of a random tree. A seed always gives the same life. */
async function life(seed: number): Promise<void> {
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor(seed / 2 ** 32 * below);
  };
  const asked: Asked[] = [], controller = new Controller({ defaults: { errorExpiryLength: 0 } });
  const get = new Endpoint(function (this: { signal: AbortSignal }, { id }: { id: string }): Promise<unknown> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      asked.push({ id, signal, resolve, reject });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }, { name: "get", schema: Film });
  const shownOf = ({ id }: { id: string }) => `${id}:${useSuspense(get, { id }).title} `;
  const Reader = shownOf;
  const Both = ({ a, b }: { a: string; b: string }) => shownOf({ id: a }) + shownOf({ id: b });
  const Dle = ({ id }: { id: string }) => {
    const { data, error } = useDLE(get, { id });
    return `${id}:${data?.title ?? error?.message ?? "…"} `;
  };
  const Stored = ({ id }: { id: string }) => `${id}:${useQuery(Film, { id })?.title ?? "-"} `;
  const Failed = ({ error, resetErrorBoundary }: { error: Error; resetErrorBoundary: () => void }) => (
    <button type="button" onClick={resetErrorBoundary}>{error.message}</button>
  );
  const make = (depth: number): Branch[] =>
    Array.from({ length: 1 + random(3) }, () => ({
      key: random(6),
      kind: KINDS[random(depth > 0 ? 6 : 4) + (depth > 0 ? 0 : 2)]!,
      ids: [`${random(4)}`, `${random(4)}`],
      kids: depth > 0 ? make(depth - 1) : [],
    })).filter(({ key }, at, all) => all.findIndex((one) => one.key === key) === at);
  const show = ({ key, kind, ids: [a, b], kids }: Branch): VNode => {
    if (kind === "async") {
      return <AsyncBoundary key={key} fallback="…" errorComponent={Failed}>{kids.map(show)}</AsyncBoundary>;
    }
    if (kind === "error") return <ErrorBoundary key={key} errorComponent={Failed}>{kids.map(show)}</ErrorBoundary>;
    if (kind === "both") return <Both key={key} a={a!} b={b!} />;
    if (kind === "reader") return <Reader key={key} id={a!} />;
    return kind === "dle" ? <Dle key={key} id={a!} /> : <Stored key={key} id={a!} />;
  };
  const page = (tree: Branch[]) => (
    <ControllerProvider controller={controller}>
      <AsyncBoundary fallback="…" errorComponent={Failed}>{tree.map(show)}</AsyncBoundary>
    </ControllerProvider>
  );
  const app = mount(page(make(2)));
  for (let step = 0; step < 8; step++) {
    const action = random(6), one = asked.splice(random(asked.length || 1), 1)[0];
    if (action < 2) one?.resolve({ id: one.id, title: `t${random(3)}` });
    else if (action === 2) one?.reject(new Error("no"));
    else if (action === 3) controller[random(2) ? "invalidate" : "expire"](get, { id: `${random(4)}` });
    else if (action === 4) app.find("button")?.dispatchEvent(new Event("click"));
    if (one && action > 2) asked.push(one);
    if (random(2)) app.render(page(make(2)));
    if (random(2)) await new Promise<void>((go) => setTimeout(go, 0));
  }
  // All requests are answered, so no component may wait and no error may be left.
  for (let turn = 0; turn < 30; turn++) {
    for (const { id, resolve } of asked.splice(0)) resolve({ id, title: "end" });
    for (const button of app.host.querySelectorAll("button")) button.dispatchEvent(new Event("click"));
    await new Promise<void>((go) => setTimeout(go, 0));
    if (!asked.length && !controller.flights.size && !app.host.querySelector("button")) break;
  }
  await rendered();
  assert(!app.text.includes("…"), app.text);
  assertEquals(app.host.querySelectorAll("button").length, 0, app.text);
  app.unmount();
  await rendered();
  let watchers = 0;
  for (const answer of controller.store.answers()) watchers += countWatchers(answer);
  for (const { rows } of controller.store.tables.values()) {
    for (const { node } of rows.values()) watchers += node ? countWatchers(node) : 0;
  }
  assertEquals([watchers, controller.flights.size, asked.filter(({ signal }) => !signal.aborted).length], [0, 0, 0]);
}

Deno.test("boundaries: after any life nothing waits in vain, and nothing is left", async () => {
  const until = performance.now() + 4_000, log = console.error;
  let seed = Number(Deno.env.get("SEED") ?? 1);
  console.error = () => {};
  try {
    for (; performance.now() < until || seed <= 20; seed++) {
      try {
        await life(seed);
      } catch (error) {
        throw new Error(`SEED=${seed}`, { cause: error });
      }
    }
  } finally {
    console.error = log;
  }
});
