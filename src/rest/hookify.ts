import { settle } from "../endpoint/endpoint.ts";
import { equal } from "../plain/equal.ts";
import type { Value } from "../plain/value.ts";
import { plainHeaders } from "./rest_endpoint.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/**
 * Makes each endpoint of a resource a hook that returns it, with options for `fetch` that a hook of the app gives: a token
 * from a context, and not from a module. It is the same endpoint as long as these options are equal, and has the keys of
 * the original, so that it shares what is stored. The options are put over what `getRequestInit` gives, headers one by one.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Entity, hookifyResource, resource } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   static key = "Article";
 * }
 * const ArticleResource = resource({ urlPrefix: "https://api.example.com", path: "/articles/:id", schema: Article });
 * // In an app: useContext(Session).token
 * const useToken = () => "s3cret";
 * const { useGet } = hookifyResource(ArticleResource, () => ({ headers: { "Access-Token": useToken() } }));
 *
 * assertEquals(useGet().getRequestInit().headers, { "Access-Token": "s3cret" });
 * assertEquals(useGet().key({ id: "5" }), ArticleResource.get.key({ id: "5" }));
 * ```
 *
 * @param resource What `resource` or `createResource` gave, with any members of the app's own.
 * @param useInit A hook. Where it returns `undefined`, the endpoints are as they are.
 * @returns A hook for each endpoint: `useGet`, `useGetList` …
 */
export const hookifyResource: HookifyResource = (resource, useInit) => {
  const hooks: Value = {};
  for (const [name, member] of Object.entries<Value>(resource as Value)) { // by name
    if (!member?.getRequestInit) continue;
    const endpoint = settle(member);
    let last: Value, lastInit: RequestInit | undefined;
    hooks[`use${name[0]!.toUpperCase()}${name.slice(1)}`] = () => {
      const given = useInit?.();
      if (!given) return endpoint;
      // A copy: the app may change its own.
      const init = { ...given, headers: plainHeaders(given.headers) };
      if (!equal(init, lastInit)) last = withInit(endpoint, init);
      lastInit = init;
      return last;
    };
  }
  return hooks;
};

function withInit(endpoint: Value, over: RequestInit): Value {
  const merge = (init: RequestInit): RequestInit => ({
    ...init,
    ...over,
    headers: mergeHeaders(init.headers, over.headers),
  });
  return endpoint.extend({
    getRequestInit(this: Value, body?: Value): Value {
      const init = endpoint.getRequestInit.call(this, body);
      return typeof init.then == "function" ? init.then(merge) : merge(init);
    },
  });
}

/** Headers with others over them, however the names are written. */
function mergeHeaders(given: RequestInit["headers"], over: RequestInit["headers"]): Record<string, string> {
  const top = new Headers(over), rest = Object.entries(plainHeaders(given)).filter(([name]) => !top.has(name));
  return { ...Object.fromEntries(rest), ...plainHeaders(over) };
}

/** The endpoints of a resource as hooks: `useGet`, `useGetList` …; members that are no RestEndpoint are left out. */
export type HookedResource<R> = {
  readonly [K in keyof R as R[K] extends AnyRestEndpoint ? `use${Capitalize<K & string>}` : never]: () => R[K]; // named as hooks
};

/** What `hookifyResource` is. */
export type HookifyResource = <R extends object>(
  resource: R,
  useInit?: () => RequestInit | undefined,
) => HookedResource<R>;
