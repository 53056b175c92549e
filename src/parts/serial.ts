import type { Flight, Part } from "../controller/part.ts";
import { UsageError } from "../errors/errors.ts";
import type { Value } from "../plain/value.ts";
import { entityOf } from "../store/schema.ts";

/**
 * The scope of a mutation. `"record"` is the record of a resource's mutation, for all of its endpoints. A function of
 * the arguments, whose `this` is the endpoint, returns a name: calls with equal names share a scope. A call with
 * `undefined` waits for none.
 */
export type ScopeName = "record" | ((this: Value, ...args: Value) => string | number | bigint | undefined); // each endpoint has its own arguments

/** The result of {@linkcode serial}, for the option `scope`. */
export interface SerialScope {
  readonly name: ScopeName;
  readonly part: () => Part;
}

/**
 * Sends mutations of one scope one after another, in the order of their calls, across endpoints. Mutations of different
 * scopes run in parallel. Optimistic changes of all show at once. A failed mutation does not stop the next ones, and
 * one that is aborted while it waits is never sent.
 *
 * @example
 * ```ts
 * import { Controller, Endpoint, serial } from "@rejoin/data";
 * import { assertEquals } from "@std/assert";
 *
 * const log: string[] = [];
 * const rename = new Endpoint(async ({ id }: { id: string }, title: string) => {
 *   log.push(`begins ${title}`);
 *   await new Promise((resolve) => setTimeout(resolve, 5));
 *   log.push(`ends ${title}`);
 *   return { id, title };
 * }, { name: "rename", sideEffect: true, scope: serial(({ id }) => `article ${id}`) });
 * const controller = new Controller();
 * await Promise.all(["A", "B"].map((title) => controller.fetch(rename, { id: "5" }, title)));
 * assertEquals(log, ["begins A", "ends A", "begins B", "ends B"]);
 * ```
 *
 * @param name The scope: `"record"`, for a resource, or a function of the arguments.
 * @returns The value for the option `scope` of an endpoint or a resource.
 * @throws {UsageError} If `name` is neither.
 */
export function serial(name: ScopeName): SerialScope {
  if (name !== "record" && typeof name != "function") throw new UsageError(1002, [name]);
  return { name, part: lines };
}

/** Keeps the last call of each scope, for the next one to wait for. A controller has one such part for all scopes. */
function lines(): Part {
  const last = new Map<string, Promise<Value>>();
  return {
    send(flight, next) {
      const name = nameOf(flight), before = name !== undefined && last.get(name);
      if (name === undefined) return next();
      const own = (async () => {
        if (before) await Promise.allSettled([before]);
        for (const signal of [flight.abort.signal, flight.endpoint.signal]) signal?.throwIfAborted();
        return await next();
      })();
      last.set(name, own);
      const leave = (): void => void (last.get(name) === own && last.delete(name));
      own.then(leave, leave);
      return own;
    },
    reset: () => last.clear(),
  };
}

/** The name of the scope of a call; `undefined` if the call waits for no other. */
function nameOf({ endpoint, args, answer, subject, host: { store } }: Flight): string | undefined {
  const { name, schema, scope } = endpoint, { name: given, part } = scope as SerialScope ?? {}; // only `serial` makes such a scope
  if (answer || part !== lines) return;
  if (given !== "record") {
    const text = given.call(endpoint, ...args);
    if (text !== undefined && !/^(string|number|bigint)$/.test(typeof text)) throw new UsageError(1003, [name, text]);
    return text === undefined ? undefined : `${text}`;
  }
  const E = entityOf(schema);
  if (!E || !endpoint.subject) throw new UsageError(1004, [name]);
  // A create has no record yet, so it waits for no other call.
  if (subject === undefined) return;
  return `${E.key} ${store.plan(E).table.rows.get(subject)?.pk ?? subject}`;
}
