import type { Flight } from "../../controller/flight.ts";
import type { AnyEndpoint, Scope } from "../../endpoint/interface.ts";
import { deepEqual } from "../../normalize/deep_equal.ts";
import type { AnyRestEndpoint } from "../../rest/rest_types.ts";
import { isPlain } from "../is_plain.ts";
import { type LinedScope, openLines } from "./lines.ts";
import type { ScopeName } from "./scope_name.ts";

/**
 * As `serial`, and of the calls that wait, the last one is sent in place of those before it: when the one on the wire is
 * over, a call takes the place of the one just before it that is of the same endpoint, with the same arguments but for the
 * body. Bodies of `PATCH` are merged member by member, `{ ...waiting, ...newer }`. Whoever called what was replaced gets
 * the outcome of what was sent; what all of them show stays until then. Everything else waits for its turn.
 *
 * @param name What a call is about: `"record"`, of a resource, or a function of the arguments.
 * @returns For the option `scope` of an endpoint or a resource.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Controller, Endpoint, latest } from "@rejoin/data";
 *
 * const sent: number[] = [];
 * const setVolume = new Endpoint(async (volume: number) => {
 *   sent.push(volume);
 *   return await Promise.resolve(volume);
 * }, { name: "setVolume", sideEffect: true, scope: latest(() => "volume") });
 * const controller = new Controller();
 * const results = await Promise.all([1, 2, 3, 4].map((volume) => controller.fetch(setVolume, volume)));
 * assertEquals([sent, results], [[1, 4], [1, 4, 4, 4]]);
 * ```
 */
export function latest(name: ScopeName): Scope {
  const scope: LinedScope = { name, open: openLines, replace };
  return scope;
}

function replace(older: Flight, newer: Flight): readonly unknown[] | undefined {
  const { endpoint, args } = newer;
  // What others name by what it was to create is named by nobody else.
  if (older.layer?.temporary.ids.length || !isSame(older.endpoint, endpoint)) return undefined;
  const at = bodyAt(endpoint, args);
  const { length } = args;
  if (older.args.length !== length || !deepEqual(older.args.slice(0, at), args.slice(0, at))) return undefined;
  const { method } = endpoint as { readonly method?: unknown };
  if (at === length || !/^patch$/i.test(String(method))) return args;
  const [before, after] = [older.args[at], args[at]];
  if ([before, after].some((body) => !isPlain(body) || Array.isArray(body))) return undefined;
  return [...args.slice(0, at), { ...before as object, ...said(after as object) }];
}

/** Options that say nothing of what is sent. */
const OF_A_CALL: ReadonlySet<string> = /* @__PURE__ */ new Set(["signal", "key", "hasDeadline", "fetchReply"]);

/** Whether the same arguments are the same request: endpoints that differ by their `signal`, say, are one. */
function isSame(a: AnyEndpoint, b: AnyEndpoint): boolean {
  if (a === b) return true;
  const [left, right] = [a, b].map((endpoint) => (endpoint as Extended)["~options"]);
  return left !== undefined && right !== undefined && a.constructor === b.constructor &&
    Object.keys({ ...left, ...right }).every((name) => OF_A_CALL.has(name) || left[name] === right[name]);
}

/** What was made by `extend` knows of what. */
type Extended = AnyEndpoint & { readonly "~options"?: Readonly<Record<string, unknown>> };

/** Where the body is among the arguments, if there is one: the last of them. */
function bodyAt(endpoint: AnyEndpoint, args: readonly unknown[]): number {
  const { readArgs } = endpoint as Partial<AnyRestEndpoint>;
  return readArgs !== undefined && readArgs.call(endpoint, args).body === undefined ? args.length : args.length - 1;
}

/** A member that is `undefined` is not sent. */
function said(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
