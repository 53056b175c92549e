import { clock } from "../deps/clock.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import { TimeoutError } from "../errors/timeout_error.ts";
import type { CallContext, CallReply } from "../endpoint/interface.ts";
import type { Basis } from "../store/basis.ts";
import { isRenewable } from "../store/reducers/renew.ts";
import type { Store } from "../store/store.ts";
import type { Flight } from "./flight.ts";

/** How long a call may take that has no deadline of its own, in ms. */
const CALL_DEADLINE = 30_000;

/**
 * Calls the endpoint of a request. What it throws at once is a rejection like others.
 *
 * @param basis What a reply "nothing has changed" would stand on.
 * @returns The reply; where it says `unchanged`, what is stored stood on the basis when it came, or it has no more to say.
 */
export async function callEndpoint(store: Store, flight: Flight, basis: Basis | undefined): Promise<CallReply> {
  const { endpoint, endpoint: { name }, args, abort, ticket } = flight;
  // Those of the callers end it through this one: when all of them have.
  const { signal } = abort!;
  const isCurrent = () => basis !== undefined && isRenewable(store, flight, basis, ticket!.seq);
  const context: CallContext = {
    owner: store,
    signal,
    memo: basis?.memo,
    defaults: store.defaults,
    isCurrent: isCurrent(),
    get isOver() {
      return flight.abort !== abort;
    },
    recall: (name) => store.notes.get(name),
  };
  const call = async (): Promise<CallReply> => {
    if (endpoint.fetchReply === undefined) return { value: await endpoint.extend({ signal })(...args) };
    const reply = await endpoint.fetchReply(context, args);
    if (typeof reply !== "object" || reply === null) throw new EndpointError(name, said(600, { name }));
    if (!reply.unchanged || endpoint.sideEffect || isCurrent()) return reply;
    if (reply.read !== undefined) return { ...reply, value: await reply.read(), unchanged: false };
    if (basis === undefined) throw new EndpointError(name, said(607, { name }));
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
