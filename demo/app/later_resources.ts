/** What of the API the first list does not need. */
import { typed } from "@rejoin/data";
import type { Mode } from "../handle.ts";
import { ApiEndpoint } from "./api_endpoint.ts";
import { Film } from "./resources.ts";

/** Gives this page another server. */
export const turnServer = new ApiEndpoint({
  name: "turnServer",
  path: "/server",
  method: "PUT",
  body: typed<{ mode: Mode }>(),
});

/** Gives a film a picture. */
export const setPoster = new ApiEndpoint({
  name: "Film.setPoster",
  path: "/films/:id/poster",
  method: "PUT",
  body: typed<Blob>(),
  schema: Film,
  // Somebody may have to say first who they are.
  deadline: 10 * 60_000,
});

/** Signs in; a name is enough here. */
export const openSession = new ApiEndpoint({
  name: "openSession",
  path: "/session",
  method: "POST",
  body: typed<{ name: string }>(),
  process: (session: { token: string }) => session,
});
