/** What others write, as it happens. */
import { type Controller, eventStreamSource, Invalidate, StreamManager } from "@rejoin/data";
import { signal } from "@preact/signals";
import { ApiEndpoint } from "./api_endpoint.ts";
import { getPosters } from "./queries.ts";
import { Film, FilmResource, Genre } from "./resources.ts";

const events = new ApiEndpoint({
  name: "events",
  path: "/events",
  content: "stream",
  // Events may be rare, and the manager connects again.
  deadline: Infinity,
  retry: 0,
});

/** What had happened when the server rendered the page: the stream goes on from there. */
const seen = globalThis.document?.querySelector<HTMLMetaElement>("meta[name=last-event-id]")?.content;

/** A film that somebody has deleted. */
const Gone = new Invalidate(Film);

/** Whether what others write is heard at once. */
export const isLive = signal(false);

/** Listens from now on. What was said while nobody listened comes first. */
export function listen(controller: Controller): void {
  const stream = new StreamManager({
    source: eventStreamSource(async ({ headers, signal }) => {
      const requestInit = { headers: { ...seen !== undefined && { "Last-Event-ID": seen }, ...headers } };
      signal.addEventListener("abort", () => isLive.value = false);
      try {
        return await events.extend({ signal, requestInit })();
      } catch (error) {
        isLive.value = false;
        throw error;
      }
    }),
    messages: {
      film: Film,
      genre: Genre,
      gone(film: { id: number }, controller: Controller) {
        controller.set(Gone, film);
        controller.expireAll(FilmResource.getList);
      },
      // In which lists it is, and where, only the server knows.
      added(film: { id: number }, controller: Controller) {
        controller.set(Film, film, film);
        // It may have been deleted before, which its page shows.
        controller.expire(FilmResource.get, { id: film.id });
        controller.expireAll(FilmResource.getList);
      },
      // A place to go on from.
      since() {},
      // The server has forgotten what happened meanwhile: all may be different.
      missed(_: object, controller: Controller) {
        controller.expireAll(FilmResource.getList);
        if (controller.getResponse(getPosters).data) controller.fetch(getPosters).catch(() => {});
      },
    },
    onOpen: () => isLive.value = true,
    minDelay: 500,
    maxDelay: 4_000,
  });
  controller.use(() => stream);
}
