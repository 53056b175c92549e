import type { AnyRestEndpoint } from "./rest_types.ts";

/** The endpoints of a resource as hooks: `useGet`, `useGetList` …; members that are no RestEndpoint are left out. */
export type HookedResource<R> = {
  readonly [K in keyof R as R[K] extends AnyRestEndpoint ? `use${Capitalize<K & string>}` : never]: () => R[K]; // named as hooks
};

/** What `hookifyResource` is. */
export type HookifyResource = <R extends object>(
  resource: R,
  useInit?: () => RequestInit | undefined,
) => HookedResource<R>;
