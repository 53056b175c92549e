import type { Part } from "../controller/part.ts";
import { NetworkError } from "../errors/errors.ts";
import type { Step, StepCall } from "./step.ts";
import { isObject, pkText } from "../plain/is_object.ts";
import type { Args } from "../plain/value.ts";
import { entityOf } from "../store/schema.ts";

/** A part that keeps the versions that a controller has seen. */
interface Versions extends Part {
  /** For each URL, the `ETag` of the last read or write. */
  readonly tags: Map<string, string>;
}
function versions(): Versions {
  const tags = new Map<string, string>();
  return { tags, reset: () => tags.clear() };
}

/**
 * Prevents lost updates: a mutation sends the `ETag` of the last read or write of its URL as `If-Match`. If the server
 * has another version, it answers 412. Then the call rejects with a {@linkcode ConflictError}, and the record is
 * fetched again. Works for calls through a controller.
 *
 * @example
 * ```ts
 * import { ConflictError, Controller, Entity, ifMatch, NetworkError, resource } from "@rejoin/data";
 * import { assert, assertEquals } from "@std/assert";
 *
 * class Film extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Film";
 * }
 * const etag = '"2"';
 * const FilmResource = resource({
 *   urlPrefix: "https://api.example.com",
 *   path: "/films/:id",
 *   schema: Film,
 *   use: [ifMatch(), () => ({
 *     // In place of a server, on which another person was first.
 *     fetchResponse: (_url, { method }) =>
 *       method === "GET"
 *         ? Promise.resolve(Response.json({ id: "1", title: "Alien" }, { headers: { etag } }))
 *         : Promise.reject(Object.assign(new NetworkError(602), { status: 412, body: { id: "1", title: "Aliens" } })),
 *   })],
 * });
 * const controller = new Controller();
 * await controller.fetch(FilmResource.get, { id: "1" });
 * const error = await controller.fetch(FilmResource.partialUpdate, { id: "1" }, { title: "Alien³" })
 *   .catch((reason: unknown) => reason);
 * assert(error instanceof ConflictError);
 * assertEquals(error.mine, { title: "Alien³" });
 * assertEquals(error.theirs, { id: "1", title: "Aliens" });
 * ```
 *
 * @returns A step, for `use` of an endpoint, a class or a resource.
 */
export function ifMatch(): Step {
  return (call, args) => ({
    async fetchResponse(url, init) {
      if (!call.flight) return await call.fetchResponse(url, init);
      const { tags } = call.flight.host.use(versions), headers = new Headers(init.headers), tag = tags.get(url);
      // The URL of a create is that of the list, whose version says nothing about a new record.
      const isOurs = call.sideEffect && call.method !== "POST" && tag !== undefined && !headers.has("if-match");
      if (isOurs) headers.set("If-Match", tag);
      try {
        const response = await call.fetchResponse(url, { ...init, headers }), etag = response.headers.get("etag");
        // The ETag of a 201 is that of the new record, whose URL is another one.
        if (etag && response.status !== 201) tags.set(url, etag);
        else tags.delete(url);
        return response;
      } catch (error) {
        const { status, response, body } = error as NetworkError; // other errors have none of these
        if (!isOurs || status !== 412) throw error;
        const mine = call.readArgs(args).body, theirs = await theirsOf(call, args, url, init, body);
        throw new ConflictError(605, [url], error, { status, response, body, mine, theirs });
      }
    },
  });
}

/** The server's record: the body of its 412, or the result of a read of the same URL. */
async function theirsOf(call: StepCall, args: Args, url: string, init: RequestInit, body: unknown): Promise<unknown> {
  const E = entityOf(call.schema), { body: _, ...asked } = init, headers = new Headers(init.headers);
  headers.delete("content-type");
  try {
    const said = body && await call.process(body, ...args);
    if (E && isObject(said) && pkText(E.pk(said)) !== undefined) return said;
    const response = await call.fetchResponse(url, { ...asked, method: "GET", headers });
    return await call.process(await call.parseResponse(response), ...args);
  } catch {
    return undefined;
  }
}

/**
 * The server refused a write with 412, because another user has changed the record since it was read. Nothing was
 * written. Endpoints with `use: [ifMatch()]` reject with it.
 *
 * @example
 * ```ts
 * import { ConflictError, NetworkError } from "@rejoin/data";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const error = new ConflictError(605, ["/articles/5"], undefined, { mine: { title: "Hello" }, theirs: undefined });
 * assert(error instanceof NetworkError);
 * assertEquals(error.mine, { title: "Hello" });
 * ```
 */
export class ConflictError extends NetworkError {
  override name = "ConflictError";
  /** The body of the call; `undefined` for a delete. */
  declare readonly mine: unknown;
  /** The server's record, from its reply or from a read of the same URL; `undefined` if neither gave one. */
  declare readonly theirs: unknown;
}
