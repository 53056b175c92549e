import { deepEqual } from "../normalize/deep_equal.ts";
import { hasHeader, plainHeaders } from "./request.ts";
import type { AnyRestEndpoint, RestInit } from "./rest_types.ts";

/** The endpoints of a resource as hooks: `useGet`, `useGetList` …; members that are no RestEndpoint are left out. */
export type HookedResource<R> = {
  readonly [K in keyof R as R[K] extends AnyRestEndpoint ? `use${Capitalize<K & string>}` : never]: () => R[K];
};

/**
 * Makes each endpoint of a resource a hook that returns it, with options for `fetch` that a hook of the app gives: a
 * token from a context, and not from a module, where it would be the same for all.
 *
 * Promises: what is returned is the same endpoint as long as the options are equal, so that it may be a dependency of an
 * effect; it has the keys of the original, and so shares what is stored. Keys hold no headers: when another person logs
 * in, call `controller.resetEntireStore()`. The options are put over what `getRequestInit` gives, headers one by one, in
 * the verbs of a list, too: `useGetList().push`.
 *
 * @param resource What `resource` or `createResource` gave, with any members of the app's own.
 * @param useInit A hook; is called once by each of the hooks. Without it, and where it returns `undefined`, they return
 *   the endpoints as they are.
 * @returns A hook for each endpoint, to be called where hooks may be called.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, hookifyResource, resource } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   static key = "Article";
 * }
 * const ArticleResource = resource({ urlPrefix: "https://api.example.com", path: "/articles/:id", schema: Article });
 * // In an app: useContext(Session).token
 * const useToken = () => "s3cret";
 * const { useGet, useGetList } = hookifyResource(ArticleResource, () => ({ headers: { "Access-Token": useToken() } }));
 *
 * const get = useGet();
 * assert(get === useGet());
 * assert((get.getRequestInit().headers as Record<string, string>)["Access-Token"] === "s3cret");
 * assert(get.key({ id: "5" }) === ArticleResource.get.key({ id: "5" }));
 * assert(useGetList().push.method === "POST");
 * ```
 */
export function hookifyResource<R extends object>(
  resource: R,
  useInit?: () => RequestInit | undefined,
): HookedResource<R> {
  const hooks: Record<string, () => AnyRestEndpoint> = {};
  for (const [name, member] of Object.entries(resource)) {
    // Not by instanceof: it may be of another copy of this library.
    if (typeof (member as AnyRestEndpoint | null | undefined)?.getRequestInit !== "function") continue;
    const endpoint: AnyRestEndpoint = member.settle();
    const find = finder(endpoint);
    const value = () => {
      const init = useInit?.();
      return init === undefined ? endpoint : find(init);
    };
    Object.defineProperty(hooks, `use${name.charAt(0).toUpperCase()}${name.slice(1)}`, { value, enumerable: true });
  }
  return hooks as HookedResource<R>;
}

/** What was made for which options. Nothing is kept alive by it: on a server, options are those of many people. */
function finder(base: AnyRestEndpoint): (init: RequestInit) => AnyRestEndpoint {
  let made: WeakRef<AnyRestEndpoint>[] = [];
  const inits = new WeakMap<AnyRestEndpoint, RequestInit>();
  return (init) => {
    made = made.filter((one) => one.deref() !== undefined);
    const found = made.map((one) => one.deref()!).find((one) => isEqual(inits.get(one)!, init));
    if (found !== undefined) return found;
    // A copy: the app may change its own.
    const kept = { ...init, headers: plainHeaders(init.headers) };
    const endpoint = withInit(base, kept);
    made.push(new WeakRef(endpoint));
    inits.set(endpoint, kept);
    return endpoint;
  };
}

function isEqual(a: RequestInit, b: RequestInit): boolean {
  const { headers: one, signal: first, ...rest } = a;
  const { headers: two, signal: second, ...others } = b;
  return first === second && deepEqual(plainHeaders(one), plainHeaders(two)) && deepEqual(rest, others);
}

function withInit(endpoint: AnyRestEndpoint, init: RequestInit): AnyRestEndpoint {
  const { getRequestInit } = endpoint;
  const { signal, ...others } = init;
  return endpoint.extend({
    getRequestInit(this: AnyRestEndpoint, body?: unknown): RestInit | Promise<RestInit> {
      const given: RestInit = getRequestInit.call(this, body);
      const merge = (own: RestInit): RestInit => ({
        ...own,
        ...others,
        headers: mergeHeaders(own.headers, init.headers),
        ...signal && { signal: own.signal ? AbortSignal.any([own.signal, signal]) : signal },
      });
      return typeof given.then === "function" ? (given as Promise<RestInit>).then(merge) : merge(given);
    },
  } as object) as AnyRestEndpoint;
}

/** The second over the first, however the names are written. */
function mergeHeaders(own: RequestInit["headers"], over: RequestInit["headers"]): Record<string, string> {
  const winning = plainHeaders(over);
  const others = Object.entries(plainHeaders(own)).filter(([name]) => !hasHeader(winning, name.toLowerCase()));
  return { ...Object.fromEntries(others), ...winning };
}
