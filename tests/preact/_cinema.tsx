/**
 * Films for tests of hooks, a server whose every response the test decides, and an app around a page.
 *
 * @module
 */
import { type Controller, Endpoint, type EndpointOptions, Entity, schema } from "@rejoin/data";
import { AsyncBoundary, DataProvider, type ErrorFallbackProps, useSuspense } from "@rejoin/data/preact";
import type { ComponentChildren } from "preact";

export class Genre extends Entity {
  id = "";
  name = "";
  static override key = "Genre";
}

export class Film extends Entity {
  id = "";
  title = "";
  genre: Genre | undefined = undefined;
  static override key = "Film";
  static schema = { genre: Genre };
}

export interface FilmJson {
  readonly id: string;
  readonly title?: string;
  readonly genre?: { readonly id: string; readonly name: string } | string;
}

/** One request to the server. */
export interface Asked {
  /** The name of the endpoint. */
  readonly name: string;
  /** The arguments of the call. */
  readonly args: readonly unknown[];
  /** Whether the client has aborted it. */
  readonly isAborted: boolean;
  answer(value: unknown): void;
  fail(error: unknown): void;
}

type Policy = Omit<EndpointOptions, "schema" | "name" | "sideEffect">;

/** A server that answers when the test tells it to. */
export class Server {
  /** All requests so far, in order. */
  readonly asked: Asked[] = [];

  readonly getFilm = this.filmEndpoint();
  readonly getList = new Endpoint(this.handle<[params?: { genre?: string }]>("getList"), {
    name: "getList",
    schema: [Film],
  });
  readonly rename = new Endpoint(this.handle<[params: { id: string }, body: { title: string }]>("rename"), {
    name: "rename",
    schema: Film,
    sideEffect: true,
    getOptimisticResponse: (_snapshot: unknown, { id }: { id: string }, body: { title: string }) => ({ id, ...body }),
  });
  readonly removeFilm = new Endpoint(this.handle<[params: { id: string }]>("removeFilm"), {
    name: "removeFilm",
    schema: new schema.Invalidate(Film),
    sideEffect: true,
  });

  /** Waits for a film, and shows its title. */
  readonly Title = ({ id }: { readonly id: string }) => <p>{useSuspense(this.getFilm, { id }).title}</p>;

  /** `getFilm` with other options. */
  filmEndpoint(policy: Policy = {}) {
    return new Endpoint(this.handle<[params: { id: string }]>("getFilm"), { name: "getFilm", schema: Film, ...policy });
  }

  /** An endpoint without a schema, whose responses are plain values. */
  valueEndpoint<T>(name: string, policy: Policy = {}) {
    return new Endpoint(this.handle<[], T>(name), { name, ...policy });
  }

  /** The last request. */
  get last(): Asked {
    const last = this.asked.at(-1);
    if (last === undefined) throw new Error("nothing was asked for");
    return last;
  }

  /** Answers every request for a film, with a title made from its id. */
  answerFilms(): void {
    for (const { args, answer } of this.asked) {
      const { id } = args[0] as { id: string };
      answer({ id, title: `Film ${id}` });
    }
  }

  /** The names of all requests so far. */
  get names(): string {
    return this.asked.map(({ name }) => name).join();
  }

  /** The function of an endpoint, which sends a request to this server. */
  handle<A extends readonly unknown[], R = unknown>(name: string) {
    const { asked } = this;
    return function (this: { readonly signal?: AbortSignal }, ...args: A): Promise<R> {
      const { signal } = this;
      return new Promise<R>((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        asked.push({
          name,
          args,
          get isAborted() {
            return signal?.aborted ?? false;
          },
          answer: (value) => resolve(value as R),
          fail: reject,
        });
      });
    };
  }
}

/** Writes films into a store, as a list that has just been fetched. */
export function fill(controller: Controller, ...films: readonly FilmJson[]): void {
  controller.setResponse(allFilms, films);
  for (const film of films) controller.setResponse(oneFilm, { id: film.id }, film);
}
// It has the keys of `getFilm`.
const oneFilm = new Endpoint((_: { id: string }) => Promise.resolve({}), {
  name: "oneFilm",
  schema: Film,
  key: (...args) => `getFilm ${JSON.stringify(args)}`,
});

const allFilms = new Endpoint(() => Promise.resolve([]), { name: "allFilms", schema: new schema.All(Film) });

/** Shown by the boundary of {@linkcode App} for an error. */
export function Failed({ error, resetErrorBoundary }: ErrorFallbackProps) {
  return <button type="button" onClick={resetErrorBoundary}>{`${error.name}: ${error.message}`}</button>;
}

/** A page in a provider and a boundary, which shows `…` while it waits, and a button with the error. */
export function App(props: { readonly controller?: Controller | undefined; readonly children?: ComponentChildren }) {
  return (
    <DataProvider controller={props.controller}>
      <AsyncBoundary fallback="…" errorComponent={Failed}>{props.children}</AsyncBoundary>
    </DataProvider>
  );
}

/** One element in an {@linkcode App}. */
export const inApp = (page: ComponentChildren, controller?: Controller) => <App controller={controller}>{page}</App>;

/** Clicks an element. */
export function press(element: HTMLElement): void {
  element.dispatchEvent(new (element.ownerDocument.defaultView as unknown as typeof globalThis).Event("click"));
}
