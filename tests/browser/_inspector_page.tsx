// The page of inspector_test.ts: a list of films and one of them, as an app in development has them.
import { Controller, Endpoint, Entity, resource } from "@rejoin/data";
import { inspect } from "@rejoin/data/inspector";
import { AsyncBoundary, DataProvider, useController, useQuery, useSuspense } from "@rejoin/data/preact";
import { signal } from "@preact/signals-core";
import { render } from "preact";

class Genre extends Entity {
  id = "";
  name = "";
  static key = "Genre";
}

class Film extends Entity {
  id = "";
  title = "";
  rating = 0;
  genre: Genre | undefined = undefined;
  static key = "Film";
  static schema = { genre: Genre };
}

const FilmResource = resource({ urlPrefix: location.origin, path: "/films/:id", schema: Film, optimistic: true });
const { searchParams } = new URL(location.href);
// On a slow machine it takes a person longer than data is fresh.
const controller = new Controller({ strict: true, defaults: { dataExpiryLength: 3_600_000 } });

const open = signal("1");

function Rating({ film }: { readonly film: Film }) {
  const controller = useController();
  const rate = () =>
    void controller.fetch(FilmResource.partialUpdate, { id: film.id }, { rating: film.rating + 1 }).catch(() => {});
  return <button type="button" id="rate" onClick={rate}>Rate: {film.rating}</button>;
}

function FilmPage({ id }: { readonly id: string }) {
  const film = useSuspense(FilmResource.get, { id });
  return (
    <article data-rejoin={`Genre ${film.genre?.id}`}>
      <h1>{film.title}</h1>
      <p>{film.genre?.name}</p>
      <Rating film={film} />
    </article>
  );
}

function FilmRow({ id }: { readonly id: string }) {
  const film = useQuery(Film, { id });
  return <li id={`row${id}`} onClick={() => open.value = id}>{film?.title} · {film?.rating}</li>;
}

function FilmList() {
  const films = useSuspense(FilmResource.getList);
  return <ul>{films.map(({ id }) => <FilmRow key={id} id={id} />)}</ul>;
}

function App() {
  return (
    <DataProvider controller={controller}>
      <AsyncBoundary fallback={<p>…</p>}>
        <FilmList />
        <FilmPage id={open.value} />
      </AsyncBoundary>
    </DataProvider>
  );
}

/** Counts listeners, so that a test sees whether any remains. */
let listeners = 0;
for (const target of [globalThis, document, document.documentElement] as EventTarget[]) {
  const { addEventListener: add, removeEventListener: remove } = target;
  target.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add.apply(target, args));
  target.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove.apply(target, args));
}

const slow = new Endpoint(async (id: string) => {
  const reply = await fetch(`/slow/${id}`);
  if (!reply.ok) throw new TypeError(`refused: ${"‮"}<b>${reply.status}`);
  return await reply.json();
}, { name: "slow", key: (id: string) => `GET /slow/${id}` });

class Price extends Entity {
  id = "";
  value = 0;
  static key = "Price";
}
const getPrices = new Endpoint(() => Promise.resolve([] as unknown), { name: "getPrices", schema: [Price] });

/** What the test does in the page. */
const page = {
  parts: () => controller.store.parts.length,
  listeners: () => listeners,
  inspect: (options?: Parameters<typeof inspect>[1]) => void (page.remove = inspect(controller, options)),
  inspectAnother: () => void (page.removeAnother = inspect(new Controller())),
  remove: () => {},
  removeAnother: () => {},
  ask: (id: string) => void controller.fetch(slow, id).catch(() => {}),
  set: (id: string, title: string) => controller.set(Film, { id }, { id, title } as never),
  title: (id: string) => controller.get(Film, { id })?.title,
  /** Thousands of records at once. */
  fill: (count: number) =>
    controller.setResponse(getPrices, Array.from({ length: count }, (_, at) => ({ id: `p${at}`, value: at }))),
  /** As many commits as there can be for some time; gives how many, and the longest that the page was not its own. */
  async churn(ms: number, perTurn: number): Promise<{ commits: number; longest: number }> {
    let [commits, longest, last] = [0, 0, performance.now()];
    const end = last + ms;
    while (performance.now() < end) {
      for (let turn = 0; turn < perTurn; turn++, commits++) {
        controller.set(Price, { id: `p${commits % 5_000}` }, { value: commits });
      }
      await new Promise((resolve) => setTimeout(resolve));
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
    return { commits, longest };
  },
};

Object.assign(globalThis, { page });
export type InspectorPage = typeof page;

const root = document.createElement("main");
document.body.append(root);
render(<App />, root);
if (searchParams.has("inspect")) page.inspect({ open: true });
