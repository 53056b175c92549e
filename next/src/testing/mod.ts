/**
 * For tests of apps: answers without a server, hooks without an app, faults of a network. For any test runner, and any
 * fake timers.
 *
 * @module
 */
export { cleanup } from "./cleanup.ts";
export type { Call, Fault, FaultFetchOptions, Handler, Held, Match } from "./fault.ts";
export { FaultFetch } from "./fault_fetch.ts";
export type { Fixture, FixtureList, FixtureResponse, ServerValue } from "./fixture.ts";
export { type FixtureCall, type Fixtures, fixtures, type FixturesOptions } from "./fixtures.ts";
export { flush } from "./flush.ts";
export { mockInitialState } from "./mock_initial_state.ts";
export { MockResolver, type MockResolverProps } from "./mock_resolver.ts";
export { mount, type Mounted } from "./mount.ts";
export { type HookResult, renderDataHook, type RenderDataHookOptions, type RenderedHook } from "./render_data_hook.ts";
export { settled, type SettledOptions } from "./settled.ts";
export { waitFor } from "./wait_for.ts";
