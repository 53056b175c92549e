/**
 * Hooks and components for Preact, driven by signals: a change runs exactly the components again that read it.
 *
 * @module
 */
import "../deps/signals.ts";

export { AsyncBoundary, type AsyncBoundaryProps, type ErrorFallbackProps } from "./async_boundary.ts";
export { DataProvider, type DataProviderProps } from "./data_provider.ts";
export { useCache } from "./use_cache.ts";
export { useController } from "./use_controller.ts";
export {
  type FetchedPromise,
  type FetchFulfilled,
  type FetchPending,
  type FetchRejected,
  useFetch,
} from "./use_fetch.ts";
export { useLive } from "./use_live.ts";
export { useQuery } from "./use_query.ts";
export { useSubscription } from "./use_subscription.ts";
export { useSuspense } from "./use_suspense.ts";
