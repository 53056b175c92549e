/**
 * REST: endpoints with a URL, and the resources made of them.
 *
 * @module
 */
export type * from "./annotations.ts";
export type { CallParts } from "./call_parts.ts";
export { RestEndpoint } from "./rest_endpoint.ts";
export { batch, type BatchOptions, type GetMany, type ManyCall } from "./steps/batch.ts";
export { cacheControl } from "./steps/cache_control.ts";
export { followRedirects } from "./steps/follow_redirects.ts";
export { idempotencyKey } from "./steps/idempotency_key.ts";
export { createResource } from "./create_resource.ts";
export { type HookedResource, hookifyResource } from "./hookify_resource.ts";
export type * from "./list_types.ts";
export type { ExtendedMember, ExtendResource, WithMembers } from "./extend_resource.ts";
export { parseLinks } from "./parse_links.ts";
export { typed } from "./typed.ts";
export type { RemoveCursor } from "./paginated.ts";
export type { ListVerb } from "./list_verbs.ts";
export type { AnySearch, HasTail, PathArgs, PathValue, ShortenPath } from "./path_types.ts";
export type * from "./rest_types.ts";
export type * from "./resource_types.ts";
