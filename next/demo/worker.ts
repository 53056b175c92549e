/**
 * The API where there is no server: in a Service Worker of the page, over the same data. What is written is kept in
 * IndexedDB. A browser ends a worker that has nothing to do, and starts it again.
 *
 * @module
 */
import { Backend } from "./backend.ts";
import { type Event, Events } from "./events.ts";
import type { Mode } from "./handle.ts";
import { FilmStore, type Written } from "./store.ts";

/** What is used of the scope of a Service Worker; its types and those of a page do not go together. */
interface Scope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate" | "message", listener: (event: Lasting) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
}
interface Lasting {
  waitUntil(done: Promise<unknown>): void;
}
interface Fetching {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const worker = globalThis as unknown as Scope;
const home = new URL(worker.registration.scope);

/** Something that outlives the worker. */
type Kept =
  | { readonly what: "written"; readonly value: Written }
  | { readonly what: "event"; readonly value: Event }
  | { readonly what: "mode"; readonly value: readonly [page: string, mode: Mode] };

/** So many events are kept. */
const MAX_EVENTS = 500;

function keyOf({ what, value }: Kept): string {
  return `${what} ${what === "written" ? `${value[0]} ${value[1]}` : what === "event" ? value.id : value[0]}`;
}

/** One table of IndexedDB. A browser that has none, as in a private window, keeps nothing. */
class Keeper {
  readonly #database: Promise<IDBDatabase | undefined>;
  /** All that was kept so far is safe. */
  safe: Promise<unknown> = Promise.resolve();

  constructor(name: string) {
    this.#database = new Promise((resolve) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore("kept");
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(undefined);
    });
  }

  async read(): Promise<Kept[]> {
    const database = await this.#database;
    return await new Promise((resolve) => {
      if (database === undefined) return resolve([]);
      const request = database.transaction("kept").objectStore("kept").getAll();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve([]);
    });
  }

  /** Keeps all of it, or nothing. */
  write(all: readonly Kept[], forget?: string): void {
    const written = this.#database.then((database) =>
      new Promise<void>((resolve) => {
        if (database === undefined) return resolve();
        const transaction = database.transaction("kept", "readwrite");
        const table = transaction.objectStore("kept");
        for (const one of all) table.put(one, keyOf(one));
        if (forget !== undefined) table.delete(forget);
        // A full disk is no reason not to answer.
        transaction.oncomplete = transaction.onabort = () => resolve();
      })
    );
    this.safe = Promise.all([this.safe, written]);
  }
}

const keeper = new Keeper(`cinema ${home.pathname}`);

async function open(): Promise<Backend> {
  // The file is the same for good: a browser that has it does not ask.
  const response = await fetch(new URL("movies.json", home), { cache: "force-cache" });
  if (!response.ok) throw new Error(`movies.json: ${response.status}`);
  const [movies, kept] = await Promise.all([response.json(), keeper.read()]);
  const store = new FilmStore(
    movies,
    kept.flatMap(({ what, value }) => what === "written" ? [value] : []),
    (written) => keeper.write(written.map((value) => ({ what: "written", value }))),
  );
  const events = kept.flatMap(({ what, value }) => what === "event" ? [value] : []).sort((a, b) => a.id - b.id);
  // 0 is what a page says that was written before anything has happened.
  const backend = new Backend(store, {
    events: new Events(0, events),
    happened: (value) => keeper.write([{ what: "event", value }], `event ${value.id - MAX_EVENTS}`),
    turned: (page, mode) => keeper.write([{ what: "mode", value: [page, mode] }]),
  });
  for (const { what, value } of kept) if (what === "mode") backend.handles.set(...value);
  return backend;
}

let opened: Promise<Backend> | undefined;

async function answer(request: Request, path: string): Promise<Response> {
  try {
    const { answer } = await (opened ??= open());
    const { method, headers, signal } = request;
    const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
    const response = await answer(new Request(new URL(`/${path}`, home), { method, headers, signal, body }));
    // What was confirmed is not lost.
    await keeper.safe;
    return response;
  } catch (error) {
    opened = undefined;
    return Response.json({ message: `The films are not there: ${error}` }, { status: 503 });
  }
}

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
// A page that was loaded anew by force has no worker until it asks for one.
worker.addEventListener("message", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== home.origin || !pathname.startsWith(home.pathname)) return;
  const path = pathname.slice(home.pathname.length);
  if (path.startsWith("api/")) return event.respondWith(answer(request, path + search));
  // There is a file for each page but those of films, which have one page together.
  if (request.mode === "navigate" && /^films\/\d+$/.test(path)) event.respondWith(fetch(new URL("films/", home)));
});
