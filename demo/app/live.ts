/** What others write, as it happens. */
import { type Controller, eventStreamSource, RestEndpoint, schema, StreamManager } from "@rejoin/data";
import { signal } from "@preact/signals";
import { API, Film, FilmResource, Genre, getPosters } from "./resources.ts";

const events = new RestEndpoint({
  ...API,
  name: "events",
  path: "/events",
  content: "stream",
  // Events may be rare, and the manager connects again.
  deadline: Infinity,
  retry: 0,
});

/** Whether what others write is heard at once. */
export const isLive = signal(false);

/** Listens from now on. What was said while nobody listened comes first. */
export function listen(controller: Controller): void {
  const stream = new StreamManager({
    source: eventStreamSource(async ({ headers, signal }) => {
      const requestInit = { headers: { ...API.requestInit.headers, ...headers } };
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
      gone: new schema.Invalidate(Film),
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
  stream.init(controller);
}
