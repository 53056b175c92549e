/**
 * The main entry for production, without the sentences and checks of development.
 *
 * @module
 */
export { Controller } from "./src/controller/controller.ts";
export {
  type ControllerOptions,
  ExpiryStatus,
  type NamedSchema,
  type ResponseState,
  type SetValue,
  type Updater,
  type WithLast,
} from "./src/controller/controller_types.ts";
export { Endpoint } from "./src/endpoint/endpoint.ts";
export {
  AbortError,
  AbortOptimistic,
  EndpointError,
  isEnding,
  NetworkError,
  NormalizeError,
  ParseError,
  RejoinError,
  SchemaError,
  TimeoutError,
  UrlError,
  UsageError,
  ValidationError,
  WriteError,
} from "./src/errors/mod.ts";
export { batch, type BatchOptions } from "./src/rest/batch.ts";
export { isTemporary, keyOf, temporaryIds } from "./src/parts/temporary_ids.ts";
export { focus, type FocusOptions } from "./src/parts/focus.ts";
export { memory, type MemoryOptions } from "./src/parts/memory.ts";
export { polling } from "./src/parts/polling.ts";
export { hydrate, type State, type StateEntry, stateOf } from "./src/parts/state.ts";
export { cacheControl } from "./src/parts/cache_control.ts";
export { conditional, type ConditionalOptions } from "./src/parts/conditional.ts";
export { ConflictError, ifMatch } from "./src/parts/if_match.ts";
export { defaultManagers, type DefaultManagersOptions, FocusManager } from "./src/parts/default_managers.ts";
export { DevToolsManager, type DevToolsManagerOptions } from "./src/parts/dev_tools_manager.ts";
export { LogManager, type LogManagerOptions, type StoreEvent } from "./src/parts/log_manager.ts";
export { explain, type Explanation } from "./src/parts/explain.ts";
export { followRedirects } from "./src/parts/follow_redirects.ts";
export { idempotencyKey } from "./src/parts/idempotency_key.ts";
export { type FailedCall, LogoutManager, type LogoutManagerOptions } from "./src/parts/logout_manager.ts";
export { type ScopeName, serial, type SerialScope } from "./src/parts/serial.ts";
export type { Step, StepCall } from "./src/parts/step.ts";
export {
  type EventStreamRequest,
  eventStreamSource,
  webSocketSource,
  type WebSocketSourceOptions,
} from "./src/parts/stream/stream_sources.ts";
export { StreamManager } from "./src/parts/stream/stream_manager.ts";
export type {
  StreamConnection,
  StreamListener,
  StreamManagerOptions,
  StreamMessage,
  StreamSource,
  StreamSubscription,
  StreamTarget,
} from "./src/parts/stream/stream_types.ts";
export { type HookedResource, type HookifyResource, hookifyResource } from "./src/rest/hookify.ts";
export { parseLinks } from "./src/rest/parse_links.ts";
export { createResource, resource } from "./src/rest/resource.ts";
export { RestEndpoint } from "./src/rest/list_verbs.ts";
export { All } from "./src/schemas/all.ts";
export { Collection } from "./src/schemas/collection.ts";
export { Entity, type EntityMeta, type EntityStatics, validateRequired } from "./src/schemas/entity.ts";
export { EntityMixin } from "./src/schemas/entity_mixin.ts";
export { HasMany, HasOne } from "./src/schemas/relation.ts";
export { Invalidate } from "./src/schemas/invalidate.ts";
export { Lazy } from "./src/schemas/lazy.ts";
export { Query } from "./src/schemas/query.ts";
export { type OrderArgs, type QueryOrder, Sorter } from "./src/schemas/sorter.ts";
export { typed } from "./src/schemas/typed.ts";
export { Union } from "./src/schemas/union.ts";
export { Values } from "./src/schemas/items.ts";
export * as schema from "./src/schemas/mod.ts";
export { Memo } from "./src/store/memo.ts";
export { denormalize, normalize, type NormalizedResponse } from "./src/store/normalize.ts";
export type { Flight, Part, PartHost } from "./src/controller/part.ts";
export type * from "./src/endpoint/endpoint_types.ts";
export type * from "./src/rest/path_types.ts";
export type * from "./src/rest/resource_types.ts";
export type * from "./src/rest/rest_generics.ts";
export type * from "./src/rest/rest_types.ts";
export type {
  Denormalize,
  DenormalizeNullable,
  EntityArgs,
  EntityInput,
  InputValue,
  Literal,
  Members,
  Normalize,
  NullableArgs,
  NullableMember,
  ObjectMembers as FieldSchemas,
  Queryable,
  SchemaArgs,
  SchemaInput as Schema,
  Widen,
} from "./src/store/infer.ts";
export type {
  AnyEntity,
  DefaultPk,
  EntityInstance,
  EntityPrototype,
  NoPk,
  Pk,
  SchemaObject,
  SchemaReading,
  SchemaTables,
  SchemaTypes,
  SchemaWalk,
  Serializer,
  TypesOf,
} from "./src/store/schema.ts";
export type * from "./src/rest/annotations.ts";
// What the declarations of an app name, whose own names are hidden here or only in `schema`.
export type { RestEndpoint as RestEndpointInstance } from "./src/rest/rest_types.ts";
export type { OverridablePk } from "./src/schemas/entity.ts";
export type { MixedEntity } from "./src/schemas/entity_mixin.ts";
export type { LazyQuery } from "./src/schemas/lazy.ts";
export type { CollectionArgs, CollectionChange } from "./src/schemas/lists.ts";
