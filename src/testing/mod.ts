/**
 * Tools for tests of apps: fixtures in place of a server, hooks without an app, and network faults. They work with any
 * test runner and any fake timers.
 *
 * @module
 */
export { cleanup, mount, type Mounted } from "./mount.ts";
export { type Call, type Fault, FaultFetch, type Handler, type Held, type Match } from "./fault_fetch.ts";
export {
  type Fixture,
  type FixtureCall,
  type FixtureList,
  type FixtureResponse,
  type Fixtures,
  fixtures,
  type FixturesOptions,
  mockInitialState,
  type ServerValue,
} from "./fixtures.ts";
export { flush } from "./effects.ts";
export {
  type HookResult,
  MockResolver,
  type MockResolverProps,
  renderDataHook,
  type RenderDataHookOptions,
  type RenderedHook,
} from "./render_data_hook.ts";
export { settled, type SettledOptions, waitFor } from "./settled.ts";
