/** All that is below `/api/`: the API, its events and the server's handle. */
import { createApi } from "./api.ts";
import type { Database } from "./database.ts";
import { Events } from "./events.ts";
import { Handles, PAGE_HEADER } from "./handle.ts";

/** What answers; it never rejects. */
export interface Backend {
  readonly events: Events;
  readonly answer: (request: Request) => Promise<Response>;
}

/** Puts the parts together. */
export function createBackend(store: Database): Backend {
  const events = new Events();
  const handles = new Handles((page) => events.close(page));
  const pageOf = (request: Request): string | null => request.headers.get(PAGE_HEADER);
  const api = createApi(store, (change, request) => events.add(change, pageOf(request)));
  const answer = handles.before((request) =>
    // A server that is off sends no events either.
    new URL(request.url).pathname === "/api/events" ? events.open(request, pageOf(request)) : api(request)
  );
  return { events, answer };
}
