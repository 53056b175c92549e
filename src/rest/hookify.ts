import { settle } from "../endpoint/endpoint.ts";
import { equal } from "../plain/equal.ts";
import type { Value } from "../plain/value.ts";
import { plainHeaders } from "./rest_endpoint.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/**
 * Makes hooks of the endpoints of a resource. Each hook returns its endpoint, with options for `fetch` that a hook of
 * the app gives: a token from a context, for example.
 *
 * The options win over those of `getRequestInit`, headers one by one. While they are equal, the hook returns the same
 * endpoint. It has the keys of the original, so both share the stored data.
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
 * @param resource What `resource` or `createResource` returned. It may have more endpoints.
 * @param useInit A hook that returns options for `fetch`, or `undefined` for none.
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
      // The app may change its object later, so the comparison needs a copy.
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

/** Headers with others over them; upper and lower case of the names do not count. */
function mergeHeaders(given: RequestInit["headers"], over: RequestInit["headers"]): Record<string, string> {
  const top = new Headers(over), rest = Object.entries(plainHeaders(given)).filter(([name]) => !top.has(name));
  return { ...Object.fromEntries(rest), ...plainHeaders(over) };
}

/** The hooks of a resource: `useGet`, `useGetList` … Members that are no RestEndpoint have none. */
export type HookedResource<R> = {
  readonly [K in keyof R as R[K] extends AnyRestEndpoint ? `use${Capitalize<K & string>}` : never]: () => R[K]; // named as hooks
};

/** The type of `hookifyResource`. */
export type HookifyResource = <R extends object>(
  resource: R,
  useInit?: () => RequestInit | undefined,
) => HookedResource<R>;
