import { clock } from "../deps/clock.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import { TimeoutError } from "../errors/timeout_error.ts";
import type { CallContext, CallReply } from "../endpoint/interface.ts";
import type { Store } from "../store/store.ts";
import type { Flight } from "./flight.ts";

/** How long a call may take that has no deadline of its own, in ms. */
const CALL_DEADLINE = 30_000;

/** Calls the endpoint of a request. What it throws at once is a rejection like others. */
export async function callEndpoint(store: Store, flight: Flight): Promise<CallReply> {
  const { endpoint, endpoint: { name }, args, abort, key, ticket } = flight;
  // Those of the callers end it through this one: when all of them have.
  const { signal } = abort!;
  const context: CallContext = {
    owner: store,
    signal,
    call: { endpoint, key, seq: ticket!.seq, memo: store.entries.get(key, endpoint)?.memo },
    defaults: store.defaults,
    get isOver() {
      return flight.abort !== abort;
    },
  };
  const call = async (): Promise<CallReply> => {
    if (endpoint.fetchReply === undefined) return { value: await endpoint.extend({ signal })(...args) };
    const reply = await endpoint.fetchReply(context, args);
    if (typeof reply !== "object" || reply === null) throw new EndpointError(name, said(600, { name }));
    return reply;
  };
  return await inTime(store, flight, call());
}

/** The deadline of endpoints that have none of their own. */
async function inTime({ defaults }: Store, flight: Flight, call: Promise<CallReply>): Promise<CallReply> {
  const { endpoint } = flight;
  if (endpoint.hasDeadline) return await call;
  const deadline = new Promise<never>((_, reject) => {
    const ms = defaults.deadline ?? CALL_DEADLINE;
    // Stopped also of a call that goes on, but whose answer nobody is to get: a script is to end.
    flight.stopTimer = clock.setTimeout(() => reject(new TimeoutError("CALL", endpoint.name, ms)), ms);
  });
  const { stopTimer } = flight;
  try {
    return await Promise.race([call, deadline]);
  } finally {
    stopTimer!();
  }
}
