/**
 * Components of all hooks that read and change, with arguments that change, while they are polled, the page is left and
 * come back to, the network goes and comes, a stream tells what others do, and requests are lost: when all is quiet, each
 * of them shows what the server has, and what is called fresh is true; when they are gone nothing of them is left.
 */
import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import type { ComponentType } from "preact";
import {
  Controller,
  Entity,
  FocusManager,
  hydrate,
  resource,
  schema,
  stateOf,
  StreamManager,
  typed,
} from "@rejoin/data";
import type { Part, StreamListener } from "@rejoin/data/extend";
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
  useMutation,
  useSuspense,
  useSuspenseInfinite,
} from "@rejoin/data/preact";
import { isPassing } from "../../src/managers/healing.ts";
import { countWatchers } from "../../src/store/watch.ts";
import { FakeClock } from "../support/clock.ts";
import { LiveFilms, SIZE } from "../support/live_films.ts";
import { check, runs } from "../support/property.ts";
import { uncaught } from "../support/uncaught.ts";

class Film extends Entity {
  id = "";
  title = "";
  genre = "";
  static key = "Film";
}

const options = {
  urlPrefix: "https://api.example.com",
  path: "/films/:id",
  schema: Film,
  searchParams: typed<{ genre?: string | undefined; cursor?: string | undefined } | undefined>(),
  list: (films: unknown) => ({ results: films, next: "" }),
  displayArgs: ["cursor"],
} as const;
const make = (optimistic: boolean) => {
  const films = resource({ ...options, optimistic, list: (films) => ({ results: films, next: "" }) });
  return {
    ...films,
    live: films.get.extend({ pollFrequency: 10_000 }),
    liveList: films.getList.extend({ pollFrequency: 15_000 }),
  };
};
const RESOURCES = [make(false), make(true)] as const;
type Films = typeof RESOURCES[number];

const PLACES = [0, 1, 2, 3] as const;
const GENRES = [undefined, "a", "b"] as const;

interface Props {
  readonly films: Films;
  /** Which film or list: 1 to 3 are lists. */
  readonly which: string | null;
}
const next = ({ next }: { readonly next: string }) => next && { cursor: next };
const shownFilm = (film: Film | undefined) => film === undefined ? "none" : `${film.id} ${film.title} ${film.genre}`;
const shownPage = (page: { readonly results?: readonly Film[] | undefined; readonly next?: string } | undefined) =>
  page?.results === undefined ? "none" : `${page.results.map(shownFilm).join(", ")} -> ${page.next}`;
const film = (which: string | null) => which === null ? null : { id: which };
const list = (which: string | null) => which === null ? null : { genre: GENRES[Number(which) % 3] };

const more: Record<string, (() => void) | undefined> = {};
const DETAILS = {
  useSuspense: ({ films, which }: Props) => <>{shownFilm(useSuspense(films.get, film(which)))}</>,
  useLive: ({ films, which }: Props) => <>{shownFilm(useLive(films.live, film(which)))}</>,
  useDLE: ({ films, which }: Props) => {
    const { data, loading, error, isFetching } = useDLE(films.get, film(which));
    assert(!isFetching || which !== null);
    return <>{loading ? "…" : error ? "failed" : shownFilm(data)}</>;
  },
  useFetch: ({ films, which }: Props) => {
    const read = useFetch(films.get, film(which));
    return <>{read?.status === "pending" ? "…" : read?.status === "rejected" ? "failed" : shownFilm(read?.value)}</>;
  },
  useDeferredArgs: ({ films, which }: Props) => {
    const [shown] = useDeferredArgs(films.get, film(which));
    return <>{shownFilm(useSuspense(films.get, ...shown))}</>;
  },
} satisfies Record<string, ComponentType<Props>>;
const LISTS = {
  listSuspense: ({ films, which }: Props) => <>{shownPage(useSuspense(films.getList, list(which)))}</>,
  listLive: ({ films, which }: Props) => <>{shownPage(useLive(films.liveList, list(which)))}</>,
  listDLE: ({ films, which }: Props) => {
    const { data, loading, error } = useDLE(films.getList, list(which));
    return <>{loading ? "…" : error ? "failed" : shownPage(data)}</>;
  },
} satisfies Record<string, ComponentType<Props>>;
const PAGES = {
  useInfinite: ({ films, which }: Props) => {
    const { items, loading, error, hasNext, next: go } = useInfinite(films.getList, [list(which)], { next });
    more.useInfinite = go;
    return <>{loading ? "…" : error ? "failed" : `${items.map(shownFilm).join(", ")} -> ${hasNext}`}</>;
  },
  useSuspenseInfinite: ({ films, which }: Props) => {
    const { items, error, hasNext, next: go } = useSuspenseInfinite(films.getList, [list(which)], { next });
    more.useSuspenseInfinite = go;
    return <>{error ? "failed" : `${items.map(shownFilm).join(", ")} -> ${hasNext}`}</>;
  },
} satisfies Record<string, ComponentType<Props>>;
const KINDS = { ...DETAILS, ...LISTS, ...PAGES };
type Kind = keyof typeof KINDS;

type Act =
  | { readonly type: "mount"; readonly place: number; readonly kind: Kind; readonly which: number }
  | { readonly type: "change"; readonly place: number; readonly which: number }
  | { readonly type: "unmount"; readonly place: number }
  | {
    readonly type: "create" | "edit" | "delete";
    readonly who: "we" | "others" | "gone";
    readonly which: number;
    readonly genre: string;
  }
  | { readonly type: "apply" | "reply" | "lost" | "busy" | "refused"; readonly at: number }
  | { readonly type: "tell" | "tick"; readonly count: number }
  | {
    readonly type:
      | "more"
      | "focus"
      | "offline"
      | "online"
      | "hide"
      | "show"
      | "break"
      | "settle"
      | "turn"
      | "retry"
      | "reload";
  };

const place = fc.constantFrom(...PLACES);
const which = fc.nat(7);
const weighed = (weight: number, arbitrary: fc.Arbitrary<Act>) => ({ weight, arbitrary });
const act: fc.Arbitrary<Act> = fc.oneof(
  weighed(
    5,
    fc.record({
      type: fc.constant("mount" as const),
      place,
      kind: fc.constantFrom(...Object.keys(KINDS) as Kind[]),
      which,
    }),
  ),
  weighed(3, fc.record({ type: fc.constant("change" as const), place, which })),
  weighed(1, fc.record({ type: fc.constant("unmount" as const), place })),
  weighed(
    7,
    fc.record({
      type: fc.constantFrom("create" as const, "edit" as const, "edit" as const, "delete" as const),
      who: fc.constantFrom("we" as const, "we" as const, "others" as const, "gone" as const),
      which,
      genre: fc.constantFrom("a", "b", ""),
    }),
  ),
  weighed(
    12,
    fc.record({
      type: fc.constantFrom(
        ...(["apply", "apply", "apply", "reply", "reply", "reply", "reply", "lost", "busy", "refused"] as const),
      ),
      at: fc.nat(5),
    }),
  ),
  weighed(
    4,
    fc.oneof(
      fc.record({ type: fc.constant("tell" as const), count: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ type: fc.constant("tick" as const), count: fc.constantFrom(150, 1_000, 10_000, 31_000, 70_000) }),
    ),
  ),
  weighed(
    8,
    fc.record({
      type: fc.constantFrom(
        ...([
          "more",
          "focus",
          "offline",
          "online",
          "hide",
          "show",
          "break",
          "settle",
          "settle",
          "settle",
          "turn",
          "retry",
          "reload",
        ] as const),
      ),
    }),
  ),
);

const setOnline = (value: boolean) => {
  Object.defineProperty(navigator, "onLine", { value, configurable: true });
  globalThis.dispatchEvent(new Event(value ? "online" : "offline"));
};
const setVisible = (value: boolean) => {
  Object.defineProperty(document, "visibilityState", { value: value ? "visible" : "hidden", configurable: true });
  document.dispatchEvent(new (document.defaultView as unknown as { Event: typeof Event }).Event("visibilitychange"));
};

type Mutate = (...args: unknown[]) => Promise<unknown>;

/** One life of a page. */
async function live(isOptimistic: boolean, acts: readonly Act[]): Promise<void> {
  const clock = new FakeClock();
  using _ = clock.install();
  const server = new LiveFilms();
  const before = globalThis.fetch;
  globalThis.fetch = server.fetch;
  const films = RESOURCES[Number(isOptimistic)]!;
  let listener: StreamListener | undefined;
  // The stream was heard before: by this page, or by the one whose state it has.
  let hasHeard = false;
  const expire = (controller: Controller) => {
    controller.expireAll(films.getList);
    controller.expireAll(films.liveList);
  };
  const start = (...use: Part[]) =>
    new Controller({
      strict: true,
      defaults: { retry: false },
      use,
      managers: [
        new FocusManager(),
        new StreamManager({
          source: (given) => {
            (listener = given).open();
            return { close: () => listener === given && (listener = undefined) };
          },
          messages: {
            film: (data: Film, to: Controller) => {
              to.set(Film, { id: data.id }, data);
              expire(to);
            },
            gone: (data: { id: string }, to: Controller) => {
              to.set(new schema.Invalidate(Film), data);
              expire(to);
            },
          },
          onOpen: (to) => {
            if (!hasHeard) return void (hasHeard = true);
            // A mark reaches what is on its way only under keys that somebody has read.
            for (const id of server.ids) to.getResponse(films.get, { id });
            to.expireAll(films.get);
            to.expireAll(films.live);
            expire(to);
          },
        }),
      ],
    });
  let controller = start();
  const placed = new Map<number, { readonly kind: Kind; readonly which: string | null }>();
  let retry: (() => void) | undefined;
  const Failed = ({ resetErrorBoundary }: { readonly resetErrorBoundary: () => void }) => {
    retry = resetErrorBoundary;
    return <>failed</>;
  };
  const mutations: Partial<Record<"create" | "edit" | "delete", Mutate>> = {};
  const Changer = () => {
    const [create, edit, remove] = [
      useMutation(films.create),
      useMutation(films.partialUpdate),
      useMutation(films.delete),
    ];
    mutations.create = create.mutateAsync as Mutate;
    mutations.edit = edit.mutateAsync as Mutate;
    mutations.delete = remove.mutateAsync as Mutate;
    return <>{String(edit.isPending)}{create.error?.name}</>;
  };
  const Cached = () => <>{shownFilm(useCache(films.get, { id: "1" }))}</>;
  let isChanging = true;
  const tree = () => (
    <DataProvider controller={controller}>
      {isChanging && <Changer />}
      <Cached />
      {PLACES.map((place) => {
        const one = placed.get(place);
        const Kind = one && KINDS[one.kind] as ComponentType<Props>;
        return (
          <AsyncBoundary key={place} fallback={<u>…</u>}>
            <p key={place} data-place={place}>
              <ErrorBoundary errorComponent={Failed} resetKeys={[one?.which, one?.kind]}>
                {Kind && <Kind key={one.kind} films={films} which={one.which} />}
              </ErrorBoundary>
            </p>
          </AsyncBoundary>
        );
      })}
    </DataProvider>
  );
  let app = mount(tree());
  const draw = () => app.render(tree());
  /** The stream says what it has not said yet, as long as it is open. */
  const tell = (count: number) => {
    if (listener === undefined) return void server.untold.splice(0, count);
    for (const message of server.untold.splice(0, count)) listener?.message(message as never);
  };
  const whichOf = (which: number) => which === 7 ? null : String(which);
  let texts = 0;
  const drain = async () => {
    await settled();
    for (let times = 0; server.open.length > 0 || server.untold.length > 0; times++) {
      assert(times < 300, `it asks without end: ${server.open.map(({ method, url }) => `${method} ${url}`)}`);
      tell(Infinity);
      server.reply(0);
      await settled();
    }
  };
  /** Whatever is called fresh is what the server has. */
  const lookAtFresh = (when: string) => {
    const now = clock.now();
    for (const endpoint of [films.get, films.live]) {
      for (const id of server.ids) {
        const { data, expiresAt, error } = controller.getResponseMeta(endpoint, { id });
        // Where there is an error, that is what is fresh.
        if (data !== undefined && error === undefined && expiresAt > now) {
          assertEquals(shownFilm(data), shownFilm(server.get(id) as Film | undefined), `${when}: fresh film ${id}`);
        }
      }
    }
    for (const endpoint of [films.getList, films.liveList]) {
      for (const genre of GENRES) {
        for (const cursor of [undefined, ...server.ids]) {
          const { data, expiresAt, error } = controller.getResponseMeta(endpoint, { genre, cursor });
          if (data?.results === undefined || error !== undefined || !(expiresAt > now)) continue;
          const page = server.page(genre ?? null, cursor ?? null) as never;
          assertEquals(shownPage(data), shownPage(page), `${when}: fresh list ${genre} after ${cursor}`);
        }
      }
    }
  };
  const lookAtPage = (when: string) => {
    for (const place of PLACES) {
      const { kind, which } = placed.get(place) ?? {};
      const mine = app.host.querySelector(`[data-place="${place}"]`) as HTMLElement | null;
      assert(mine !== null && mine.style.display !== "none", `${when}: ${kind} ${which} waits: ${app.host.innerHTML}`);
      const shown = mine.textContent;
      if (kind === undefined || which === undefined) {
        assertEquals(shown, "");
      } else if (which === null) {
        // Nothing is asked for: nothing is shown.
        assert(shown === "none" || shown === " -> false" || shown === " -> ", `${when}: ${kind} of null: ${shown}`);
      } else if (kind in DETAILS) {
        const film = server.get(which);
        assertEquals(shown, film === undefined ? "failed" : shownFilm(film as Film), `${when}: ${kind} ${which}`);
      } else if (kind in LISTS) {
        const page = server.page(list(which)!.genre ?? null, null);
        assertEquals(shown, shownPage(page as never), `${when}: ${kind} ${which}`);
      } else {
        const genre = list(which)!.genre;
        const all = server.films.filter((film) => genre === undefined || film.genre === genre).map((film) =>
          shownFilm(film as Film)
        );
        const [rows = "", hasNext] = shown!.split(" -> ");
        const count = rows === "" ? 0 : rows.split(", ").length;
        assertEquals(
          [rows, hasNext],
          [all.slice(0, count).join(", "), String(count < all.length)],
          `${when}: ${kind} ${which}`,
        );
        assert(count >= Math.min(SIZE, all.length), `${when}: ${kind} ${which} has too few rows: ${rows}`);
      }
    }
  };
  try {
    const errors = await uncaught(async () => {
      for (const act of acts) {
        switch (act.type) {
          case "mount":
            placed.set(act.place, { kind: act.kind, which: whichOf(act.which) });
            draw();
            break;
          case "change": {
            const one = placed.get(act.place);
            if (one !== undefined) placed.set(act.place, { ...one, which: whichOf(act.which) });
            draw();
            break;
          }
          case "unmount":
            placed.delete(act.place);
            draw();
            break;
          case "create":
          case "edit":
          case "delete": {
            const body = { title: `t${++texts}`, ...act.genre !== "" && { genre: act.genre } };
            const id = server.id(act.which);
            if (act.who === "others") {
              if (act.type === "create") server.create(body);
              else if (act.type === "edit") server.edit(id, body);
              else server.delete(id);
              break;
            }
            const args = act.type === "create"
              ? [{ genre: "a", ...body }]
              : act.type === "edit"
              ? [{ id }, body]
              : [{ id }];
            const mutate = mutations[act.type]!;
            mutate(...args).catch(() => {});
            if (act.who === "gone") {
              isChanging = false;
              draw();
              isChanging = true;
              draw();
              await settled();
            }
            break;
          }
          case "apply":
            server.apply(act.at);
            break;
          case "reply":
            server.reply(act.at);
            break;
          case "lost":
          case "busy":
          case "refused":
            server.fail(act.at, act.type);
            break;
          case "tell":
            tell(act.count);
            break;
          case "tick":
            await clock.tickAsync(act.count);
            break;
          case "more":
            more.useInfinite?.();
            more.useSuspenseInfinite?.();
            break;
          case "focus":
            globalThis.dispatchEvent(new Event("focus"));
            break;
          case "online":
          case "offline":
            setOnline(act.type === "online");
            break;
          case "hide":
          case "show":
            setVisible(act.type === "show");
            break;
          case "break":
            listener?.close(new Error("broken"));
            break;
          case "retry":
            retry?.();
            break;
          case "reload": {
            // What it has on the wire is given up; the server may have done it.
            const state = JSON.stringify(stateOf(controller));
            app.unmount();
            controller.cleanup();
            await settled();
            assertEquals([clock.pending, clock.idle, listener, server.open], [0, 0, undefined, []]);
            controller = start(hydrate(JSON.parse(state)));
            app = mount(tree());
            break;
          }
          case "settle":
            await settled();
            break;
          case "turn":
            await Promise.resolve();
        }
      }
      setVisible(true);
      setOnline(true);
      await drain();
      // The stream comes back, doubts are over, what has failed is asked again.
      for (let times = 0; times < 8; times++) {
        await clock.tickAsync(times === 0 ? 200 : 31_000);
        await drain();
        // What was said while there was no stream is made good when there is one.
        if (listener !== undefined) lookAtFresh(`at rest ${times}`);
      }
      lookAtFresh("quiet");
      // Old data whose refetch has failed stays on the page until somebody comes back to it, or the server answers again.
      const watched = [...controller.store.responses(() => true)].filter((view) => countWatchers(view) > 0);
      if (!watched.some(isPassing)) lookAtPage("quiet");
      globalThis.dispatchEvent(new Event("focus"));
      await clock.tickAsync(1_500);
      await drain();
      lookAtFresh("after a focus");
      lookAtPage("after a focus");
      placed.clear();
      isChanging = false;
      draw();
      await drain();
    });
    const unexpected = errors.filter((error) => !["NetworkError", "TimeoutError"].includes((error as Error).name));
    assertEquals([unexpected, server.open.length], [[], 0]);
    const views = [...controller.store.responses(() => true)];
    assertEquals(views.filter((view) => countWatchers(view) > 1).map(({ key }) => key), []);
    app.unmount();
    await settled();
    const left = [...controller.store.responses(() => true)].filter((view) => countWatchers(view) > 0);
    assertEquals(left.map(({ key }) => key), []);
    const { logs, layers, covered, behind, overlaps, sequence } = controller.store;
    assertEquals([logs.size, layers.length, covered.size, behind.size, overlaps.size, sequence.size], [
      0,
      0,
      0,
      0,
      0,
      0,
    ]);
    controller.cleanup();
    await settled();
    assertEquals([clock.pending, clock.idle, listener], [0, 0, undefined]);
  } finally {
    app.unmount();
    await settled();
    globalThis.fetch = before;
    delete (navigator as { onLine?: boolean }).onLine;
    controller.cleanup();
  }
}

Deno.test("what polls, streams, focus, changes and lost requests come to on a page is what the server has, and nothing is left", async () => {
  await check(
    fc.asyncProperty(fc.boolean(), fc.array(act, { minLength: 1, maxLength: 40, size: "max" }), live),
    { name: "live_hooks", runs: runs(300, 30_000) },
  );
});
