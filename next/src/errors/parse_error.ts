import { RejoinError } from "./rejoin_error.ts";

/**
 * The server answered with success, but not with JSON, where JSON was declared. Nothing was written.
 */
export class ParseError extends RejoinError {
  override name = "ParseError";
  declare readonly status: number | undefined;
  /** The reply, of which the body was read. */
  declare readonly response: Response | undefined;
}
