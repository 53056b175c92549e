/**
 * What those need who write schemas, managers, steps, parts and sources of streams; an app that writes none needs nothing
 * of this.
 *
 * @module
 */
export {
  type Amendment,
  type DenormalizeWalk,
  isEntity,
  isSchemaObject,
  type NormalizeWalk,
  type QueryWalk,
  type RecordOwner,
  type RowsDeclaration,
  type SchemaObject,
  type SchemaTypes,
  type SortedOrder,
  type StoredMembers,
  type TableLookup,
  type View,
  type ViewMaker,
} from "../schemas/interface.ts";
export type { CallContext, CallDefaults, CallReply, ReplyNote, Scope } from "../endpoint/interface.ts";
export type {
  Action,
  Dispatch,
  FetchAction,
  Manager,
  Middleware,
  SubscribeAction,
  UnsubscribeAction,
} from "../controller/middleware.ts";
export type { CollectAction } from "../controller/collect_action.ts";
export type { Flight } from "../controller/flight.ts";
export type { Part } from "../controller/part.ts";
export type { Step, StepCall, StepReply } from "../rest/steps/step.ts";
export type { Tap } from "../controller/tap.ts";
export type { StreamConnection, StreamListener, StreamMessage, StreamSource } from "../managers/stream_source.ts";
