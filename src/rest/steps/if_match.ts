import { conflictOf, isConflict, presentInit } from "../conflict.ts";
import { VersionNote } from "../version_note.ts";
import type { Step, StepReply } from "./step.ts";

/**
 * Keeps the version (`ETag`) that each URL was last answered with, and sends `PUT`, `PATCH` and `DELETE` of that URL with
 * it (`If-Match`): they reject with a `ConflictError` where the server has another. It works for calls of a controller;
 * reads and writes both need it, as on a resource.
 *
 * @returns A step, for `use` of an endpoint, a class or a resource.
 */
export function ifMatch(): Step {
  return async (call, next) => {
    const { endpoint, context, method, url, args, body, watch } = call;
    if (context === undefined) return await next(call);
    const version = new VersionNote(method, url);
    version.ask(call.init.headers, context);
    let reply: StepReply;
    try {
      reply = await next(call);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const readPresent = async (conflict: Error) => {
        watch.otherwise(conflict);
        const { value } = await next({ ...call, method: "GET", init: presentInit(call.init), body: undefined });
        return await endpoint.process(value, ...args);
      };
      throw await conflictOf(error, { schema: endpoint.schema, args, mine: body, readPresent });
    }
    return { ...reply, note: reply.response && version.of(reply.response) };
  };
}
