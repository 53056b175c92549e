/** Components that come, go and ask for something else while the store changes: in the end the page is what it holds. */
import { mount, rendered, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import type { ComponentType } from "preact";
import { Controller, Endpoint, Entity } from "@rejoin/data";
import {
  AsyncBoundary,
  DataProvider,
  ErrorBoundary,
  useCache,
  useDeferredArgs,
  useDLE,
  useFetch,
  useInfinite,
  useLive,
  useQuery,
  useSelect,
  useSignalOf,
  useSuspense,
  useSuspenseInfinite,
} from "@rejoin/data/preact";
import { countWatchers } from "../../src/store/watch.ts";
import { FakeClock } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";
import { uncaught } from "../support/uncaught.ts";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

const IDS = ["1", "2", "3"] as const;
const PLACES = [0, 1, 2, 3] as const;

/** What the server has, and its requests, which are answered when the test says so. */
class Server {
  readonly titles = new Map<string, string>(IDS.map((id) => [id, `film ${id}`]));
  readonly open: { answer(): void; fail(error: Error): void }[] = [];

  readonly getFilm = new Endpoint(this.#ask((id) => ({ id, title: this.titles.get(id)! })), {
    name: "getFilm",
    schema: Film,
    pollFrequency: 10_000,
  });
  readonly getList = new Endpoint(this.#ask((id) => ({ rows: [{ id, title: this.titles.get(id)! }], next: "" })), {
    name: "getList",
    schema: { rows: [Film], next: "" },
  });

  settle(at: number, error?: Error): void {
    const [one] = this.open.splice(at % Math.max(1, this.open.length), 1);
    if (error === undefined) one?.answer();
    else one?.fail(error);
  }

  #ask<T>(answer: (id: string) => T) {
    const { open } = this;
    return function (this: { readonly signal?: AbortSignal }, { id }: { readonly id: string }): Promise<T> {
      const { signal } = this;
      return new Promise((resolve, reject) => {
        const one = { answer: () => resolve(answer(id)), fail: reject };
        signal?.addEventListener("abort", () => {
          if (open.includes(one)) open.splice(open.indexOf(one), 1);
          reject(signal.reason);
        });
        open.push(one);
      });
    };
  }
}

interface Props {
  readonly server: Server;
  readonly id: string | null;
}
/** What each hook shows: a title, `none`, or `failed`. */
type Kind = keyof typeof KINDS;
const args = (id: string | null) => id === null ? null : { id };
const shownTitle = (film: Film | undefined) => film?.title ?? "none";
const KINDS = {
  useSuspense: ({ server, id }: Props) => <>{shownTitle(useSuspense(server.getFilm, args(id)))}</>,
  useLive: ({ server, id }: Props) => <>{shownTitle(useLive(server.getFilm, args(id)))}</>,
  useDLE: ({ server, id }: Props) => {
    const { data, loading, error, isFetching } = useDLE(server.getFilm, args(id));
    assert(!isFetching || id !== null);
    return <>{loading ? "…" : error ? "failed" : shownTitle(data)}</>;
  },
  useFetch: ({ server, id }: Props) => {
    const film = useFetch(server.getFilm, args(id));
    return <>{film?.status === "pending" ? "…" : film?.status === "rejected" ? "failed" : shownTitle(film?.value)}</>;
  },
  useCache: ({ server, id }: Props) => <>{shownTitle(useCache(server.getFilm, args(id)))}</>,
  useQuery: ({ id }: Props) => <>{shownTitle(useQuery(Film, args(id)))}</>,
  useSelect: ({ id }: Props) => <>{useSelect(Film, [args(id)], shownTitle)}</>,
  useSignalOf: ({ id }: Props) => <>{useSignalOf(Film, [args(id)], shownTitle)}</>,
  useDeferredArgs: ({ server, id }: Props) => {
    const [shown] = useDeferredArgs(server.getFilm, args(id));
    return <>{shownTitle(useSuspense(server.getFilm, ...shown))}</>;
  },
  useInfinite: ({ server, id }: Props) => {
    const { items, loading, error } = useInfinite(server.getList, [args(id)], { next: () => null });
    return <>{loading ? "…" : error ? "failed" : shownTitle(items[0])}</>;
  },
  useSuspenseInfinite: ({ server, id }: Props) => {
    const { items } = useSuspenseInfinite(server.getList, [args(id)], { next: () => null });
    return <>{shownTitle(items[0])}</>;
  },
} satisfies Record<string, ComponentType<Props>>;

interface Placed {
  readonly kind: Kind;
  readonly id: string | null;
}

type Act =
  | { readonly type: "mount"; readonly place: number; readonly kind: Kind; readonly id: string | null }
  | { readonly type: "unmount"; readonly place: number }
  | { readonly type: "change"; readonly place: number; readonly id: string | null }
  | {
    readonly type: "set" | "respond" | "invalidate" | "expire" | "serve";
    readonly id: string;
    readonly title: string;
  }
  | { readonly type: "answer" | "fail" | "break"; readonly at: number }
  | { readonly type: "reset" | "turn" | "settle" | "retry" };

const id = fc.constantFrom(...IDS);
const idOrNone = fc.oneof({ weight: 6, arbitrary: id }, { weight: 1, arbitrary: fc.constant(null) });
const place = fc.constantFrom(...PLACES);
const title = fc.string({ maxLength: 3 });
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("mount" as const),
      place,
      kind: fc.constantFrom(...(Object.keys(KINDS) as Kind[])),
      id: idOrNone,
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("unmount" as const), place }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("change" as const), place, id: idOrNone }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constantFrom(
        "set" as const,
        "respond" as const,
        "invalidate" as const,
        "expire" as const,
        "serve" as const,
      ),
      id,
      title,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom("answer" as const, "answer" as const, "fail" as const, "break" as const),
      at: fc.nat(9),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom(
        "turn" as const,
        "turn" as const,
        "settle" as const,
        "settle" as const,
        "reset" as const,
        "retry" as const,
      ),
    }),
  },
);

/** One life of a page of two roots with one store. */
async function live(acts: readonly Act[]): Promise<void> {
  const clock = new FakeClock();
  using _ = clock.install();
  const server = new Server();
  const controller = new Controller({ strict: true });
  const placed = new Map<number, Placed>();
  let retry: (() => void) | undefined;
  const Failed = ({ resetErrorBoundary }: { readonly resetErrorBoundary: () => void }) => {
    retry = resetErrorBoundary;
    return <>failed</>;
  };
  const at = (place: number) => {
    const one = placed.get(place);
    const Kind = one && KINDS[one.kind] as ComponentType<Props>;
    return (
      <p key={place}>
        <ErrorBoundary errorComponent={Failed} resetKeys={[one?.id, one?.kind]}>
          {Kind && <Kind key={one.kind} server={server} id={one.id} />}
        </ErrorBoundary>
      </p>
    );
  };
  const tree = (root: number) => (
    <DataProvider controller={controller}>
      {PLACES.filter((place) => place % 2 === root).map((place) => (
        <AsyncBoundary key={place} fallback={<p class="wait">…</p>}>{at(place)}</AsyncBoundary>
      ))}
    </DataProvider>
  );
  const roots = [mount(tree(0)), mount(tree(1))];
  const draw = (place: number) => roots[place % 2]!.render(tree(place % 2));
  const hard = () => Object.assign(new Error("no such film"), { status: 404 });
  const soft = () => Object.assign(new Error("down"), { status: 503 });
  const errors = await uncaught(async () => {
    for (const act of acts) {
      if (act.type === "mount") placed.set(act.place, act), draw(act.place);
      else if (act.type === "unmount") placed.delete(act.place), draw(act.place);
      else if (act.type === "change") {
        const one = placed.get(act.place);
        if (one !== undefined) placed.set(act.place, { ...one, id: act.id }), draw(act.place);
      } else if (act.type === "set") controller.set(Film, { id: act.id }, { id: act.id, title: act.title });
      else if (act.type === "respond") controller.setResponse(server.getFilm, act, { id: act.id, title: act.title });
      else if (act.type === "serve") server.titles.set(act.id, act.title);
      else if (act.type === "invalidate") {
        controller.invalidateAll({ testKey: (key) => key.includes(`"${act.id}"`) || key.includes(act.id) });
      } else if (act.type === "expire") controller.expireAll({ testKey: (key) => key.includes(act.id) });
      else if (act.type === "answer") server.settle(act.at);
      else if (act.type === "fail") server.settle(act.at, hard());
      else if (act.type === "break") server.settle(act.at, soft());
      else if (act.type === "reset") controller.resetEntireStore();
      else if (act.type === "retry") retry?.();
      else if (act.type === "settle") await settled();
      else await Promise.resolve();
    }
    await settled();
    for (let times = 0; server.open.length > 0; times++) {
      assert(times < 100, "it asks without end");
      server.settle(0);
      await settled();
    }
    const look = (turn: string) => {
      for (const place of PLACES) {
        const { kind, id } = placed.get(place) ?? {};
        const shown = roots[place % 2]!.text;
        const mine = roots[place % 2]!.host.querySelectorAll("p:not(.wait)")[Math.floor(place / 2)]!;
        assertEquals((mine as HTMLElement).style.display, "", `${turn}: ${kind} of ${id} is hidden: ${shown}`);
        assertEquals(mine.textContent, expected(controller, server, kind, id), `${turn}: ${kind} of ${id}`);
      }
    };
    look("at rest");
    for (const id of IDS) controller.set(Film, { id }, { id, title: `last ${id}` });
    await settled();
    look("after the last commit");
    for (const place of PLACES) placed.delete(place), draw(place);
    await settled();
  });
  assertEquals([errors, server.open.length], [[], 0]);
  const views = [...controller.store.responses(() => true)];
  assertEquals(views.filter((view) => countWatchers(view) > 0).map(({ key }) => key), []);
  assertEquals([clock.pending, clock.idle], [0, 0]);
  for (const root of roots) root.unmount();
  controller.cleanup();
  await rendered();
  assertEquals([clock.pending, clock.idle], [0, 0]);
}

/** What a hook is to show of what the store has. */
function expected(
  controller: Controller,
  server: Server,
  kind: Kind | undefined,
  id: string | null | undefined,
): string {
  if (kind === undefined) return "";
  if (id === null || id === undefined) return "none";
  if (kind === "useQuery" || kind === "useSelect" || kind === "useSignalOf") {
    return shownTitle(controller.get(Film, { id }));
  }
  const isList = kind === "useInfinite" || kind === "useSuspenseInfinite";
  if (isList) {
    const { data } = controller.getResponse(server.getList, { id });
    const error = controller.getError(server.getList, { id });
    return error === undefined
      ? shownTitle(data?.rows?.[0])
      : kind === "useInfinite" || data?.rows === undefined
      ? "failed"
      : shownTitle(data.rows[0]);
  }
  const { data } = controller.getResponse(server.getFilm, { id });
  if (kind === "useCache") return shownTitle(data);
  return controller.getError(server.getFilm, { id }) === undefined ? shownTitle(data) : "failed";
}

Deno.test("15.6 whatever comes, goes, fails and changes, the page ends with the last commit, and nothing remains", async () => {
  await check(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 40 }), live),
    { name: "mounting", runs: runs(1_000, 100_000) },
  );
});
