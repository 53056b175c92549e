/**
 * All that is below `/api/`, as the server has it and the Service Worker: the films, the events and the handle.
 *
 * @module
 */
import { createApi } from "./api.ts";
import { type Event, Events } from "./events.ts";
import { Handles, type Mode, PAGE_HEADER } from "./handle.ts";
import type { FilmStore } from "./store.ts";

/** What a backend takes beside its films. */
export interface BackendOptions {
  readonly events?: Events;
  /** Told of each event. */
  readonly happened?: (event: Event) => void;
  /** Told of each turn of a page's handle. */
  readonly turned?: (page: string, mode: Mode) => void;
}

/** All that is below `/api/`. */
export class Backend {
  readonly events: Events;
  readonly handles: Handles;
  /** Answers; never rejects. */
  readonly answer: (request: Request) => Promise<Response> | Response;

  constructor(store: FilmStore, { events = new Events(), happened, turned }: BackendOptions = {}) {
    this.events = events;
    this.handles = new Handles((page, mode) => {
      if (mode === "off") events.close(page);
      turned?.(page, mode);
    });
    const pageOf = (request: Request): string | null => request.headers.get(PAGE_HEADER);
    const api = createApi(store, (change, request) => {
      const event = events.add(change, pageOf(request));
      happened?.(event);
    });
    this.answer = this.handles.before((request) =>
      // A server that is off sends no events either.
      new URL(request.url).pathname === "/api/events" ? events.open(request, pageOf(request)) : api(request)
    );
  }
}
