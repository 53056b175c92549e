import { RejoinError } from "./rejoin_error.ts";

/**
 * An endpoint is declared or called in a way that cannot work. Nothing was sent; the fault is in the code, and the message
 * says what to write instead.
 */
export class EndpointError extends RejoinError {
  override name = "EndpointError";
}
