import { RejoinError } from "./rejoin_error.ts";

/**
 * A URL cannot be built, and nothing was sent: a parameter is missing or would lead out of its segment, the path is in
 * another spelling, or a relative `urlPrefix` has no page that it could be relative to.
 */
export class UrlError extends RejoinError {
  override name = "UrlError";
}
