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
  type StoredMembers,
  type TableLookup,
  type View,
  type ViewMaker,
} from "../schemas/interface.ts";
export type {
  CallContext,
  CallDefaults,
  CallReply,
  RememberedReply,
  Renewal,
  ReplyNote,
  Scope,
} from "../endpoint/interface.ts";
export type {
  Action,
  CollectAction,
  Dispatch,
  FetchAction,
  SubscribeAction,
  UnsubscribeAction,
} from "../controller/action.ts";
export type { Manager, Middleware, Part } from "../controller/controller.ts";
export type { Flight } from "../controller/flight.ts";
export { recall } from "../parts/conditional/recall.ts";
export { remember, remembered } from "../parts/conditional/remember.ts";
export { type CallDescription, describeCall } from "../rest/describe_call.ts";
export type { Step, StepCall, StepReply } from "../rest/steps/step.ts";
export type { StreamConnection, StreamListener, StreamMessage, StreamSource } from "../managers/stream_source.ts";
