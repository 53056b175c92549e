import { randomText } from "../endpoint/random_text.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";

/** What an endpoint says of its idempotency keys. */
export interface KeyedEndpoint {
  /** Names it in messages. */
  readonly name: string;
  /** `true`: a random text for each call; a function makes it from the arguments; `undefined`: there is none. */
  // deno-lint-ignore no-explicit-any -- each endpoint has arguments of its own
  readonly idempotencyKey?: true | ((...args: any) => string) | undefined;
}

/**
 * Puts the header `Idempotency-Key` among the headers of one call, where its endpoint wants one. All attempts at the call
 * carry the same. One that is there already stays, and `GET` and `HEAD` get none: they change nothing, and the header
 * would cost a browser a second request to another origin.
 *
 * @param headers The headers of the call.
 * @param endpoint Whose call it is; `this` of its function.
 * @param method How it is sent.
 * @param args The arguments of the call.
 * @throws {EndpointError} If the function gives anything but text that a header can hold.
 */
export function addIdempotencyKey(
  headers: Headers,
  endpoint: KeyedEndpoint,
  method: string,
  args: readonly unknown[],
): void {
  const { idempotencyKey: option } = endpoint;
  if (option === undefined || headers.has("idempotency-key") || /^(?:GET|HEAD)$/i.test(method)) return;
  const key: unknown = option === true ? randomText(16) : option.apply(endpoint, [...args]);
  if (typeof key !== "string" || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key)) {
    throw new EndpointError(endpoint.name, said(450, { name: endpoint.name, key }));
  }
  headers.set("Idempotency-Key", key);
}
