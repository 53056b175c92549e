/** What of the API the first list does not need. */
import { parseLinks, type RestGenerics, typed } from "@rejoin/data";
import type { Mode } from "../handle.ts";
import { ApiEndpoint } from "./api_endpoint.ts";
import { Director, Film } from "./resources.ts";

/** Gives this page another server. */
export const turnServer = new ApiEndpoint({
  name: "turnServer",
  path: "/server",
  method: "PUT",
  body: typed<{ mode: Mode }>(),
  searchParams: undefined,
  // What the server is like is no answer of the server: nobody waits for it.
  schema: undefined,
});

/** The next page stands in the header `link`. */
class LinkedEndpoint<O extends RestGenerics> extends ApiEndpoint<O> {
  override async parseResponse(response: Response): Promise<unknown> {
    const results = await super.parseResponse(response);
    const next = parseLinks(response.headers.get("link")).get("next");
    return { results, next: next === undefined ? null : new URL(next, response.url).searchParams.get("page") };
  }
}

/** All directors, and where there are more. */
export const getDirectors = new LinkedEndpoint({
  name: "Director.getAll",
  path: "/directors",
  searchParams: typed<{ page?: string } | undefined>(),
  schema: { results: [Director], next: "" as string | null },
  dataExpiryLength: Infinity,
});
/** What it brings is in the list. */
export const getMoreDirectors = getDirectors.paginated("page");

/** Gives a film a picture. */
export const setPoster = new ApiEndpoint({
  name: "Film.setPoster",
  path: "/films/:id/poster",
  method: "PUT",
  body: typed<Blob>(),
  searchParams: undefined,
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
  searchParams: undefined,
  schema: undefined,
  process: (session: { token: string }) => session,
});
