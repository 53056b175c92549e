/**
 * A process of its own for mounts_test.ts: components of every hook come and go under one controller, and the findings
 * are printed. To be run with `--expose-gc`.
 *
 * @module
 */
import { mount, settled } from "../support/dom.ts";
import type { ComponentType } from "preact";
import { Controller, Endpoint, Entity, FocusManager } from "@rejoin/data";
import {
  AsyncBoundary,
  DataProvider,
  useCache,
  useCancelling,
  useController,
  useDebounce,
  useDeferredArgs,
  useDLE,
  useError,
  useFetch,
  useInfinite,
  useLive,
  useLoading,
  useMutation,
  usePrefetch,
  usePrevious,
  useQuery,
  useSelect,
  useSignalOf,
  useSubscription,
  useSuspense,
  useSuspenseInfinite,
} from "@rejoin/data/preact";
import { countWatchers } from "../../src/store/watch.ts";
import { FakeClock } from "../support/clock.ts";
import { countListeners } from "../support/listeners.ts";

/** What is left when all components are gone. */
export interface Findings {
  readonly mounts: number;
  /** By hook: watchers, timers, requests, and listeners of window and document. */
  readonly left: readonly string[];
  /** By hook, in MB: how much more heap there is after all mounts than after a tenth of them. */
  readonly heap: Readonly<Record<string, number>>;
}

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

const open = new Set<AbortSignal>();
/** Of four films one is there, one fails, and two are waited for, one of them until nobody wants it any more. */
const ask = function (this: { readonly signal?: AbortSignal }, { id }: { readonly id: string }): Promise<unknown> {
  const signal = this.signal!;
  return new Promise((resolve, reject) => {
    if (id === "1") return resolve({ id, title: "one" });
    if (id === "2") return reject(Object.assign(new Error("down"), { status: 503 }));
    open.add(signal);
    signal.addEventListener("abort", () => {
      open.delete(signal);
      reject(signal.reason);
    });
  });
};
const getFilm = new Endpoint(ask, { name: "getFilm", schema: Film, pollFrequency: 1_000 });
const getList = new Endpoint(
  async (params: { readonly id: string }) => [await ask.call({ signal: never.signal }, params)],
  {
    name: "getList",
    schema: [Film],
  },
);
const never = new AbortController();
const save = new Endpoint(async (_: { id: string }) => await Promise.resolve({}), { name: "save", sideEffect: true });

interface Props {
  readonly id: string;
}
const next = () => null;
const HOOKS: Readonly<Record<string, (id: string) => unknown>> = {
  useSuspense: (id) => useSuspense(getFilm, { id }).title,
  useLive: (id) => useLive(getFilm, { id }).title,
  useDLE: (id) => useDLE(getFilm, { id }).isFetching,
  useFetch: (id) => useFetch(getFilm, { id })?.status,
  useCache: (id) => useCache(getFilm, { id })?.title,
  useError: (id) => useError(getFilm, { id })?.message,
  useQuery: (id) => useQuery(Film, { id })?.title,
  useSelect: (id) => useSelect(Film, [{ id }], (film) => film?.title),
  useSignalOf: (id) => useSignalOf(Film, [{ id }], (film) => film?.title).value,
  useSubscription: (id) => useSubscription(getFilm, { id }),
  useDeferredArgs: (id) => useDLE(getFilm, ...useDeferredArgs(getFilm, { id })[0]).data?.title,
  useInfinite: (id) => useInfinite(getList, [{ id: id === "1" ? "1" : "2" }], { next }).items.length,
  useSuspenseInfinite: (id) => useSuspenseInfinite(getFilm as never as typeof getList, [{ id }], { next }).items.length,
  useMutation: () => useMutation(save).isPending,
  useLoading: () => useLoading(() => 1)[1],
  useCancelling: (id) => useCancelling(save, { id }).name,
  useDebounce: (id) => useDebounce(id, 300)[1],
  usePrefetch: (id) => usePrefetch()(getFilm, { id: id === "1" ? "1" : "2" }),
  usePrevious: (id) => usePrevious(id),
  useController: () => useController().store.lastReset,
};

const collect = async (): Promise<number> => {
  const { gc } = globalThis as unknown as { gc(): void };
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    gc();
  }
  return Deno.memoryUsage().heapUsed;
};

const perHook = Math.ceil(Number(Deno.args[0]) / Object.keys(HOOKS).length);
const AT_ONCE = 20;
const left: string[] = [];
const heap: Record<string, number> = {};
let mounts = 0;
const clock = new FakeClock();
clock.install();
const targets = [countListeners(globalThis), countListeners(document as unknown as EventTarget)];
const listeners = (): number => targets.reduce((sum, { count }) => sum + count, 0);
for (const [name, run] of Object.entries(HOOKS)) {
  const Row: ComponentType<Props> = ({ id }) => <i>{String(run(id))}</i>;
  const before = listeners();
  const controller = new Controller({ strict: true, managers: [new FocusManager()] });
  const page = (ids: readonly string[]) => (
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…">{ids.map((id, at) => <Row key={at} id={id} />)}</AsyncBoundary>
    </DataProvider>
  );
  let early = 0;
  let heard = 0;
  for (let count = 0; count < perHook; count += AT_ONCE) {
    const ids = Array.from({ length: AT_ONCE }, (_, at) => String((at + count / AT_ONCE) % 4 + 1));
    const app = mount(page(ids));
    const turn = (count / AT_ONCE) % 4;
    // Gone at once, before the first frame, when it has settled, or after other arguments.
    if (turn === 1) await Promise.resolve();
    if (turn >= 2) await settled();
    if (turn === 3) app.render(page(ids.map((id) => String(Number(id) % 4 + 1))));
    app.unmount();
    await settled();
    mounts += AT_ONCE;
    if (early === 0 && count >= Math.max(perHook / 10, 4 * AT_ONCE)) {
      early = await collect();
      // A controller has some of its own: they do not become more.
      heard = listeners();
    }
  }
  heap[name] = (await collect() - early) / 1e6;
  const watchers = [...controller.store.responses(() => true)].reduce((sum, view) => sum + countWatchers(view), 0) +
    ["1", "2", "3", "4"].reduce((sum, id) => sum + countWatchers(controller.store.graph.query(Film, [{ id }])), 0);
  const now = [watchers, clock.pending, clock.idle, open.size, listeners() - heard];
  if (now.some((count) => count !== 0)) left.push(`${name}: ${now}`);
  controller.cleanup();
  await settled();
  if (listeners() !== before) left.push(`${name}: ${listeners() - before} listeners of its controller`);
  open.clear();
}
console.log(JSON.stringify({ mounts, left, heap } satisfies Findings));
Deno.exit(0);
