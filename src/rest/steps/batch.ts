import type { CallContext, CallReply } from "../../endpoint/interface.ts";
import { NetworkError } from "../../errors/network_error.ts";
import { said } from "../../errors/texts.ts";
import { type BatchOptions, itemsById, manyParam, manyPath } from "../batch_options.ts";
import { Batcher, batcherOf } from "../batcher.ts";
import type { Params } from "../path_template.ts";
import type { AnyRestEndpoint } from "../rest_types.ts";

/** A read that may be answered together with others. */
export interface ManyCall {
  /** Whose call it is. */
  readonly endpoint: AnyRestEndpoint;
  /** What endpoints that differ by their `signal` alone have in common. */
  readonly original: object;
  /** The last parameter of the path, which names the record; `undefined`: it takes several segments, or there is none. */
  readonly idName: string | undefined;
  /** Parameters of path and search. */
  readonly params: Params;
  /** The arguments of the call. */
  readonly args: readonly unknown[];
  /** An absolute URL. */
  readonly url: string;
  /** The controller that calls. */
  readonly context: CallContext;
  /** Gives this call up, and no other one. */
  readonly signal: AbortSignal;
}

/** How single reads become one request: what {@linkcode batch} makes. `alone` makes the call as if there were no others. */
export type GetMany = (call: ManyCall, alone: () => Promise<CallReply>) => Promise<CallReply>;

/**
 * The reads of one tick become one request: `getMany: batch({ param: "ids", max: 100 })` asks for
 * `/articles?ids[]=5&ids[]=7`. Only of a `GET` of JSON whose path ends with the parameter that names the record.
 *
 * @param options How many are asked for, and found in the answer.
 * @returns For the option `getMany` of an endpoint or a resource.
 */
export function batch(options: BatchOptions): GetMany {
  return async (call, alone) => {
    const { endpoint, original, args, url, context: { owner }, signal } = call;
    const { content = "json", method, name } = endpoint;
    const id = /^get$/i.test(method) && content === "json" && !endpoint.sideEffect ? idOf(call, options) : undefined;
    if (id === undefined) return await alone();
    const idName = call.idName!;
    const { [idName]: _, ...others } = call.params;
    return await batcherOf(owner, original, () => new Batcher(options, name)).add({
      id,
      others,
      signal,
      alone,
      async many(ids, signal) {
        const many = endpoint.extend({
          path: manyPath(options, endpoint.path, name),
          name: `${name}.getMany`,
          content: "json",
          schema: undefined,
          // What the endpoint makes of an answer it makes of each item.
          process: (value: unknown) => value,
          url: undefined,
          getMany: undefined,
          signal,
        } as object) as AnyRestEndpoint;
        const answer: unknown = await many({ ...others, [options.param]: manyParam(options, ids) });
        return itemsById(options, idName, answer, many.name);
      },
      reply: async (item) => ({ value: await endpoint.process(item, ...args) }),
      missing: () => new NetworkError({ method: "GET", url, status: 404, statusText: "Not Found", problem: said(514) }),
    });
  };
}

/** What one request for many is to call this record; `undefined`: it has no such name. */
function idOf({ idName, params }: ManyCall, { separator }: BatchOptions): string | undefined {
  if (idName === undefined || !Object.hasOwn(params, idName) || params[idName] === undefined) return undefined;
  const id = String(params[idName]);
  return separator !== undefined && id.includes(separator) ? undefined : id;
}
