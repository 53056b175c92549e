/**
 * What the replies of the verbs of a list mean.
 *
 * @module
 */
import type { MutationReply } from "../endpoint/interface.ts";
import { discard } from "../http/platform.ts";
import { membersOf, recordIn, type RecordOf } from "../rest/call.ts";
import {
  type AnsweredCall,
  namesNone,
  readCreateReply,
  readUpdateReply,
  sentOf,
  sentOfNamed,
} from "../rest/mutation_replies.ts";
import type { AnyRestEndpoint } from "../rest/rest_types.ts";
import type { EntityStatics } from "../schemas/interface.ts";
import { pkText } from "../schemas/pk_text.ts";
import type { Pk } from "../schemas/pk_types.ts";
import type { CollectionChange } from "./collection_change.ts";

/** How an endpoint reads answers that has no way of its own. */
export type PlainReading = Pick<AnyRestEndpoint, "parseResponse" | "process">;

/** What is done. */
export type Change = Pick<CollectionChange<unknown>, "isNamed" | "verb">;

/**
 * The reply of a verb of a list. That of `push`, `unshift` and `assign` is read like that of `create`, that of `remove`
 * and `move` like that of an update; several items at once, or items by name, are items each.
 *
 * @param change What is done.
 * @param reply What the server sent.
 * @param call What the call was.
 * @returns The record, or the records, to write; if nothing names one, the lists are asked again.
 */
export function readChangeReply(
  change: Change,
  reply: unknown,
  call: AnsweredCall,
): MutationReply {
  const { entity, args, body, pkOf } = call;
  const { verb } = change;
  const isList = Array.isArray(reply);
  const isOne = !Array.isArray(body);
  if (isList && isOne && reply.length === 1) {
    const { value, ...read } = readChangeReply(change, reply[0], call);
    return { ...read, value: value === undefined ? undefined : [value] };
  }
  const records = recordsIn(change, reply, entity, args);
  if (records !== undefined) {
    const sent = Object(body) as { readonly [name: string]: unknown };
    const isTerse = isList && (isOne ||
      Object.values(sent).some((item) =>
        records.some(([named]) => Object.keys(membersOf(item)).some((name) => !Object.hasOwn(named.members, name)))
      ));
    return {
      value: reply,
      ...isTerse && { stale: true },
      // Whether a server answers in the order in which it was asked, nobody knows: only names and pks say which is which.
      sent: records.map(([named, name]) => {
        const ofBody = isList ? Object.values(sent).find((item) => pkOf(item) === named.pk) : sent[name];
        return sentOfNamed(named, membersOf(ofBody), call);
      }),
    };
  }
  if (verb === "remove") return readRemoveReply(reply, call);
  if (verb === "move") return readUpdateReply(reply, call);
  // Under which name, only the server knows.
  if (verb === "assign") return namesNone(reply, call, "made");
  return readCreateReply(reply, call);
}

/** The records that a reply is, if it is several: in a row, or by name. */
function recordsIn(
  { isNamed }: Change,
  reply: unknown,
  entity: EntityStatics,
  args: readonly unknown[],
): readonly (readonly [record: RecordOf, name: string])[] | undefined {
  if (!Array.isArray(reply) && !isNamed) return undefined;
  const items = Object.entries(Object(reply)).map(([name, item]) => [recordIn(entity, item, args), name] as const);
  return items.length > 0 && items.every(([record]) => record !== undefined) ? items as never : undefined;
}

/**
 * How the verb of a list reads replies where the list reads its own in a way of its own. That is for lists first: what it
 * makes of one record may name none any more. Then the record is taken as it came.
 *
 * @param list The list endpoint.
 * @param plain How an endpoint reads that has no way of its own.
 * @param change What is done.
 * @param entity The class of the items.
 * @returns Options for the endpoint of the verb.
 */
export function itemReader(
  list: AnyRestEndpoint,
  plain: PlainReading,
  change: Change,
  entity: EntityStatics,
): object {
  const { parseResponse, process } = list;
  const names = (value: unknown, args: readonly unknown[]) =>
    recordIn(entity, value, args) !== undefined || recordsIn(change, value, entity, args) !== undefined;
  return {
    ...parseResponse !== plain.parseResponse && {
      async parseResponse(this: AnyRestEndpoint, response: Response): Promise<unknown> {
        const copy = response.clone();
        const read = () => plain.parseResponse.call(this, copy);
        try {
          return await namedBy(() => parseResponse.call(this, response), read, (value) => names(value, []));
        } finally {
          discard(copy);
        }
      },
    },
    ...process !== plain.process && {
      process(this: AnyRestEndpoint, value: unknown, ...args: readonly unknown[]): Promise<unknown> {
        return namedBy(() => process.call(this, value, ...args), () => value, (made) => names(made, args));
      },
    },
  };
}

/** What a list makes of a reply, where that names a record; else the reply as it came, where that does. */
async function namedBy(
  ofList: () => unknown,
  plain: () => unknown,
  names: (value: unknown) => boolean,
): Promise<unknown> {
  let made: unknown;
  let misread: unknown;
  try {
    made = await ofList();
    if (names(made)) return made;
  } catch (error) {
    // What a function throws that finds another value than it was written for. What else it throws, it says by right.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    misread = error;
  }
  try {
    const whole = await plain();
    return misread !== undefined || names(whole) ? whole : made ?? whole;
  } catch {
    if (misread !== undefined) throw misread;
    return made;
  }
}

/** Takes out of the lists what the reply names, else what was sent; a number alone may count rows. */
function readRemoveReply(reply: unknown, call: AnsweredCall): MutationReply {
  const { body, entity, args, members } = call;
  const pk = pkText(body as Pk);
  const named = recordIn(entity, reply, args);
  if (typeof pk === "string" && named === undefined) {
    return { value: pk, stale: true, sent: [{ ...sentOf(pk, {}, call), members: {} }] };
  }
  const read = readUpdateReply(reply, call);
  // What is sent mostly is the item itself: a reply that has nothing else says nothing of what became of it.
  const isTerse = named !== undefined &&
    Object.keys(named.members).every((name) => Object.hasOwn(members, name));
  return isTerse ? { ...read, stale: true } : read;
}
