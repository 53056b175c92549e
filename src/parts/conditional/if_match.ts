import { ConflictError } from "../../errors/conflict_error.ts";
import type { NetworkError } from "../../errors/network_error.ts";
import { RejoinError } from "../../errors/rejoin_error.ts";
import { subjectOf } from "../../schemas/subjects.ts";
import { recall } from "./recall.ts";
import { pkOf } from "../../rest/call.ts";
import { etagOf } from "./etag.ts";
import type { Step, StepReply } from "../../rest/steps/step.ts";

/**
 * Keeps the version (`ETag`) that each URL was last answered with, and sends `PUT`, `PATCH` and `DELETE` of that URL with
 * it (`If-Match`): they reject with a `ConflictError` where the server has another. It works for calls of a controller;
 * reads and writes both need it, as on a resource.
 *
 * @returns A step, for `use` of an endpoint, a class or a resource.
 */
export function ifMatch(): Step {
  return async (call, next) => {
    const { endpoint, context, url, args, init } = call;
    if (context === undefined) return await next(call);
    const method = call.method.toUpperCase();
    const name = `etag ${url}`;
    const version = recall(context, name);
    // Not POST: what it creates has no version yet, and a list has one of its own. Weak tags are sent as well: a server
    // that cannot compare them refuses, which is seen; a write without condition would not be.
    if (/^(?:PUT|PATCH|DELETE)$/.test(method) && !init.headers.has("if-match") && typeof version === "string") {
      init.headers.set("If-Match", version);
    }
    let reply: StepReply;
    try {
      reply = await next(call);
    } catch (error) {
      if (!RejoinError.is(error) || (error as { readonly status?: unknown }).status !== 412) throw error;
      const { url, status, headers, response, attempts, body } = error as NetworkError;
      const make = (theirs: unknown) => {
        const known = { method: call.method, url, status, headers, response, attempts, body };
        return new ConflictError({ ...known, cause: error, mine: call.body, theirs });
      };
      // Most servers send an explanation, which is no record.
      const entity = subjectOf(endpoint.schema);
      if (entity !== undefined && pkOf(entity, body, args) !== undefined) throw make(body);
      const conflict = make(undefined);
      call.watch.ending = conflict;
      let theirs: unknown;
      try {
        const { value } = await next({ ...call, method: "GET", init: presentInit(init), body: undefined });
        theirs = await endpoint.process(value, ...args);
      } catch {
        // That there is a conflict is what the caller must learn; it may be that the record is gone.
        throw conflict;
      }
      throw make(theirs);
    }
    const { response } = reply;
    if (response === undefined || method === "POST") return reply;
    // A write without a tag in its answer makes the version unknown; a 304 that names none speaks of the one that is known.
    const value = method === "DELETE" ? undefined : etagOf(response, url);
    return value === undefined && response.status === 304 ? reply : { ...reply, note: { name, value } };
  };
}

/** The request that reads what a write was to change: without its body, its condition and what describes them. */
function presentInit({ body: _, ...init }: RequestInit): RequestInit & { readonly headers: Headers } {
  const headers = new Headers(init.headers ?? {});
  for (const name of ["content-type", "if-match", "idempotency-key"]) headers.delete(name);
  return { ...init, method: "GET", headers };
}
