/**
 * Hooks and components for Preact, driven by signals: a change runs exactly the components again that read it.
 *
 * @module
 */
import "../deps/signals.ts";

export { AsyncBoundary, type AsyncBoundaryProps } from "./async_boundary.ts";
export { ControllerProvider, type ControllerProviderProps } from "./controller_provider.ts";
export { DataProvider, type DataProviderProps } from "./data_provider.ts";
export { ErrorBoundary, type ErrorBoundaryProps, type ErrorFallbackProps } from "./error_boundary.ts";
export { useCache } from "./use_cache.ts";
export { useCancelling } from "./use_cancelling.ts";
export { useController } from "./use_controller.ts";
export { useDebounce } from "./use_debounce.ts";
export { useDeferredArgs } from "./use_deferred_args.ts";
export { type DLE, type DLEState, useDLE } from "./use_dle.ts";
export { useError } from "./use_error.ts";
export { type FetchedPromise, type FetchState, useFetch } from "./use_fetch.ts";
export { type Infinite, type InfiniteOptions, type PageItem, type PageParams, useInfinite } from "./use_infinite.ts";
export { useLive } from "./use_live.ts";
export { type Loading, useLoading } from "./use_loading.ts";
export { type Mutation, type MutationOptions, useMutation } from "./use_mutation.ts";
export { type Prefetch, usePrefetch } from "./use_prefetch.ts";
export { usePrevious } from "./use_previous.ts";
export { useQuery } from "./use_query.ts";
export { type SignalSource, type SourceArgs, type SourceValue, useSelect, useSignalOf } from "./use_signal_of.ts";
export { useSubscription } from "./use_subscription.ts";
export { useSuspense } from "./use_suspense.ts";
export { useSuspenseInfinite } from "./use_suspense_infinite.ts";
