import { RejoinError } from "./rejoin_error.ts";

/**
 * The server refused, or no answer came. `status` tells which: it is the status of a reply that was not ok, and `undefined`
 * where the network is down, the name does not resolve, the connection broke or the browser withheld the reply (CORS).
 * Of the errors of a server, no status and 5xx may pass: data that are there stay shown.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Controller, NetworkError, RestEndpoint } from "@rejoin/data";
 *
 * await using server = Deno.serve({ port: 0, onListen() {} }, () => Response.json({ title: "taken" }, { status: 422 }));
 * const save = new RestEndpoint({ urlPrefix: `http://localhost:${server.addr.port}`, path: "/films", method: "POST" });
 * const error: unknown = await new Controller().fetch(save, { title: "Alien" }).catch((reason: unknown) => reason);
 * if (!(error instanceof NetworkError)) throw error;
 * assertEquals([error.status, error.body], [422, { title: "taken" }]);
 * ```
 */
export class NetworkError<B = unknown> extends RejoinError {
  override name = "NetworkError";
  /** Of the reply; `undefined`: there was none. */
  declare readonly status: number | undefined;
  /** The reply, of which the body was read. */
  declare readonly response: Response | undefined;
  /** The body of the reply, parsed where it is JSON, else its text. */
  declare readonly body: B;
}
