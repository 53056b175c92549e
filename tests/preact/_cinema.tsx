/**
 * Films for the tests of hooks, a server of which a test decides every answer, and an app around a page.
 *
 * @module
 */
import { type Controller, Endpoint, type EndpointOptions, Entity, schema } from "@rejoin/data";
import { AsyncBoundary, DataProvider, type ErrorFallbackProps } from "@rejoin/data/preact";
import type { ComponentChildren } from "preact";

export class Genre extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static override key = "Genre";
}

export class Film extends Entity {
  id = "";
  title = "";
  genre: Genre | undefined = undefined;
  pk() {
    return this.id;
  }
  static override key = "Film";
  static schema = { genre: Genre };
}

export interface FilmJson {
  readonly id: string;
  readonly title?: string;
  readonly genre?: { readonly id: string; readonly name: string } | string;
}

/** One request that the server got. */
export interface Asked {
  /** The name of the endpoint. */
  readonly name: string;
  /** What it was called with. */
  readonly args: readonly unknown[];
  /** Whether the client gave it up. */
  readonly isAborted: boolean;
  answer(value: unknown): void;
  fail(error: unknown): void;
}

type Policy = Omit<EndpointOptions, "schema" | "name" | "sideEffect">;

/** A server that answers when the test says so. */
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

  /** `getFilm` with another policy. */
  filmEndpoint(policy: Policy = {}) {
    return new Endpoint(this.handle<[params: { id: string }]>("getFilm"), { name: "getFilm", schema: Film, ...policy });
  }

  /** An endpoint without a schema: its answers are values. */
  valueEndpoint<T>(name: string, policy: Policy = {}) {
    return new Endpoint(this.handle<[], T>(name), { name, ...policy });
  }

  /** The last request. */
  get last(): Asked {
    const last = this.asked.at(-1);
    if (last === undefined) throw new Error("nothing was asked for");
    return last;
  }

  /** Answers every request for a film, with a title made of its id. */
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

  /** A function for an endpoint: asks this server. */
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

/** Puts films into a store, as a list that was just fetched. */
export function fill(controller: Controller, ...films: readonly FilmJson[]): void {
  controller.setResponse(allFilms, films);
  for (const film of films) controller.setResponse(oneFilm, { id: film.id }, film);
}
// With the keys of `getFilm`.
const oneFilm = new Endpoint((_: { id: string }) => Promise.resolve({}), {
  name: "oneFilm",
  schema: Film,
  key: (...args) => `getFilm ${JSON.stringify(args)}`,
});

const allFilms = new Endpoint(() => Promise.resolve([]), { name: "allFilms", schema: new schema.All(Film) });

/** What the boundary of {@linkcode App} shows for an error. */
export function Failed({ error, resetErrorBoundary }: ErrorFallbackProps) {
  return <button type="button" onClick={resetErrorBoundary}>{`${error.name}: ${error.message}`}</button>;
}

/** A page with everything it needs: `…` while it waits, a button with the error when it fails. */
export function App(props: { readonly controller?: Controller; readonly children?: ComponentChildren }) {
  return (
    <DataProvider controller={props.controller}>
      <AsyncBoundary fallback="…" errorComponent={Failed}>{props.children}</AsyncBoundary>
    </DataProvider>
  );
}

/** Error boundaries log nothing here; what an app throws is looked at by its test. */
export function press(element: HTMLElement): void {
  element.dispatchEvent(new (element.ownerDocument.defaultView as unknown as typeof globalThis).Event("click"));
}
