/**
 * Features that a controller is given by who names them: parts, and functions over a controller.
 *
 * @module
 */
export { onCommit } from "./commits/on_commit.ts";
export { conditional, type ConditionalOptions } from "./conditional/conditional.ts";
export { ifMatch } from "./conditional/if_match.ts";
export { explain, type Explanation, type Gap } from "./explain/explain.ts";
export { history, type PastAction } from "./explain/history.ts";
export { atMost } from "./memory/bound.ts";
export { memory } from "./memory/memory.ts";
export { retain } from "./memory/retain.ts";
export type { MemoryOptions } from "./memory/collector.ts";
export { record, type Recorder, type RecordOptions } from "./recording/record.ts";
export type { RecordedAnswer, RecordedStep, RecordedView, Recording } from "./recording/recording.ts";
export { type Replay, replay, type ReplayOptions } from "./recording/replay.ts";
export type { StepData } from "./recording/plain_json.ts";
export { latest } from "./scopes/latest.ts";
export { serial } from "./scopes/serial.ts";
export type { ScopeName } from "./scopes/scope_name.ts";
export { snapshotOf } from "./snapshot/snapshot_of.ts";
export type { StoreSnapshot } from "./snapshot/store_snapshot.ts";
export { hydrate } from "./state/hydrate.ts";
export type { EndpointMeta, State, StateMeta } from "./state/form.ts";
export { stateOf } from "./state/state_of.ts";
export { temporaryIds } from "./temporary_ids/temporary_ids.ts";
