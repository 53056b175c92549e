import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import type { CallContext, CallReply } from "../endpoint/interface.ts";
import type { Store } from "../store/store.ts";
import type { Flight } from "./flight.ts";

/** Calls the endpoint of a request. What it throws at once is a rejection like others. */
export async function callEndpoint(store: Store, flight: Flight): Promise<CallReply> {
  const { endpoint, endpoint: { name }, args, abort, key, ticket } = flight;
  // Those of the callers end it through this one: when all of them have.
  const { signal } = abort!;
  if (endpoint.fetchReply === undefined) return { value: await endpoint.extend({ signal })(...args) };
  const context: CallContext = {
    owner: store,
    signal,
    call: { endpoint, key, seq: ticket!.seq, memo: store.entries.get(key, endpoint)?.memo },
    defaults: store.defaults,
    get isOver() {
      return flight.abort !== abort;
    },
  };
  const reply = await endpoint.fetchReply(context, args);
  if (typeof reply !== "object" || reply === null) throw new EndpointError(name, said(600, { name }));
  return reply;
}
