/**
 * Hooks and components for Preact, driven by signals: when a value changes, exactly the components that read it run
 * again.
 *
 * @module
 */
export type * from "./accepted_types.ts";
export { AsyncBoundary, type AsyncBoundaryProps } from "./async_boundary.ts";
export { ControllerProvider, type ControllerProviderProps } from "./controller_provider.ts";
export { DataProvider, type DataProviderProps } from "./data_provider.ts";
export { ErrorBoundary, type ErrorBoundaryProps, type ErrorFallbackProps } from "./error_boundary.ts";
export type {
  DLE,
  DLEState,
  FetchedPromise,
  FetchState,
  Infinite,
  InfiniteOptions,
  Loading,
  Mutation,
  MutationOptions,
  PageItem,
  PageParams,
  Prefetch,
} from "./hook_types.ts";
export type { SignalSource, SourceArgs, SourceValue } from "../signals/signal_of.ts";
export { useCache, useError, useQuery } from "./use_cache.ts";
export { useCancelling } from "./use_cancelling.ts";
export { useController } from "./use_controller.ts";
export { useDebounce } from "./use_debounce.ts";
export { useDeferredArgs } from "./use_deferred_args.ts";
export { useDLE, useFetch } from "./use_dle.ts";
export { useInfinite, useSuspenseInfinite } from "./use_infinite.ts";
export { useLive, useSubscription } from "./use_subscription.ts";
export { useLoading, useMutation } from "./use_mutation.ts";
export { usePrefetch } from "./use_prefetch.ts";
export { usePrevious } from "./use_previous.ts";
export { useSelect, useSignalOf } from "./use_signal_of.ts";
export { useSuspense } from "./use_suspense.ts";
