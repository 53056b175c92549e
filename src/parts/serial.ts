import type { Flight, Part } from "../controller/part.ts";
import { UsageError } from "../errors/errors.ts";
import type { Value } from "../plain/value.ts";
import { entityOf } from "../store/schema.ts";

/**
 * What a mutation is about. `"record"`, of a resource: its record, whatever is done with it. Else a function of the
 * arguments, `this` being the endpoint: calls with equal texts are of one scope; `undefined` waits for no other call.
 */
export type ScopeName = "record" | ((this: Value, ...args: Value) => string | number | bigint | undefined); // the arguments are the endpoint's own

/** What {@linkcode serial} makes, for the option `scope`. */
export interface SerialScope {
  readonly name: ScopeName;
  readonly part: () => Part;
}

/**
 * Mutations of one scope are sent one after another, in the order of their calls, whichever endpoints they are of; those
 * of different scopes at once. All are shown at once. One that fails stops none of those behind it; one that is aborted
 * while it waits is never sent.
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
 * @param name What a call is about: `"record"`, of a resource, or a function of the arguments.
 * @returns For the option `scope` of an endpoint or a resource.
 * @throws {UsageError} If there is no name.
 */
export function serial(name: ScopeName): SerialScope {
  if (name !== "record" && typeof name != "function") throw new UsageError(1002, [name]);
  return { name, part: lines };
}

/** By scope, the last call of it: the next one goes when that is over. One part for all scopes of a controller. */
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

/** The scope of a call. */
function nameOf({ endpoint, args, answer, subject, host: { store } }: Flight): string | undefined {
  const { name, schema, scope } = endpoint, { name: given, part } = scope as SerialScope ?? {}; // `lines` is for what `serial` made
  if (answer || part !== lines) return;
  if (given !== "record") {
    const text = given.call(endpoint, ...args);
    if (text !== undefined && !/^(string|number|bigint)$/.test(typeof text)) throw new UsageError(1003, [name, text]);
    return text === undefined ? undefined : `${text}`;
  }
  const E = entityOf(schema);
  if (!E || !endpoint.subject) throw new UsageError(1004, [name]);
  // No call waits for a record that is being created.
  if (subject === undefined) return;
  return `${E.key} ${store.plan(E).table.rows.get(subject)?.pk ?? subject}`;
}
