import type { CallContext, CallReply } from "../../endpoint/interface.ts";
import { EndpointError } from "../../errors/endpoint_error.ts";
import { NetworkError } from "../../errors/network_error.ts";
import { onAbort } from "../../errors/on_abort.ts";
import { said } from "../../errors/texts.ts";
import { argsKey } from "../../schemas/args_key.ts";
import type { Params } from "../path_template.ts";
import { upperMethod } from "../request.ts";
import type { AnyRestEndpoint } from "../rest_types.ts";
import { shortenPath } from "../shorten_path.ts";

/** A read that may be answered together with others. */
export interface ManyCall {
  /** Whose call it is. */
  readonly endpoint: AnyRestEndpoint;
  /** What endpoints that differ by their `signal` alone have in common. */
  readonly original: object;
  /** The last parameter of the path, which names the record; `undefined`: there is none. */
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
 * How many single reads become one request: `GET /articles?ids[]=5&ids[]=7` in place of `GET /articles/5` and
 * `GET /articles/7`.
 */
export interface BatchOptions {
  /** The parameter that takes the ids. */
  readonly param: string;
  /** How many ids one request may name at most. Defaults to 100. */
  readonly max?: number | undefined;
  /** Where many are found. Defaults to the path without its last parameter. */
  readonly path?: string | undefined;
  /** What stands between the ids: `","` for `ids=5,7`. Left out, they are an array, as any other search parameter. */
  readonly separator?: string | undefined;
  /** The items of an answer that is not an array itself: `(answer) => answer.results`. */
  // deno-lint-ignore no-explicit-any -- the app annotates what its server sends
  readonly items?: ((answer: any) => readonly unknown[]) | undefined;
  /** The member of an item that holds its id. Defaults to the name of the path's last parameter. */
  readonly field?: string | undefined;
}

/** What a server has answered, by id, and for how long it is fresh. */
interface Items extends Pick<CallReply, "dataExpiryLength"> {
  readonly byId: ReadonlyMap<string, unknown>;
}

/** A call that waits for its batch. */
interface Waiting {
  readonly id: string;
  /** Asks for many at once, in the name of all. */
  readonly many: (ids: readonly string[], signal: AbortSignal) => Promise<Items>;
  /** `undefined`: nobody else has asked. */
  readonly resolve: (items: Items | undefined) => void;
  readonly reject: (reason: unknown) => void;
  /** Without this one it goes on. */
  readonly signal: AbortSignal;
}

/**
 * The reads of one tick become one request: `getMany: batch({ param: "ids", max: 100 })` asks for
 * `/articles?ids[]=5&ids[]=7`. Only of a `GET` of JSON whose path ends with the parameter that names the record. Each
 * call settles by itself: an answer that fails fails all, one that lacks an id fails that one, and an abort ends the call
 * that it is of, and the request only when nobody waits for it any more.
 *
 * @param options How many are asked for, and found in the answer.
 * @returns For the option `getMany` of an endpoint or a resource.
 */
export function batch(options: BatchOptions): GetMany {
  const { max = 100, separator, param } = options;
  return async (call, alone) => {
    const { endpoint, args, url, idName, params } = call;
    const { content = "json", name } = endpoint;
    const isRead = upperMethod(endpoint) === "GET" && content === "json" && !endpoint.sideEffect;
    if (!isRead || idName === undefined || !Object.hasOwn(params, idName)) return await alone();
    const { [idName]: given, ...others } = params;
    const id = String(given);
    if (given === undefined || (separator !== undefined && id.includes(separator))) return await alone();
    if (!Number.isInteger(max) || max < 1) throw new EndpointError(name, said(511, { name, max }));
    const many = async (ids: readonly string[], signal: AbortSignal): Promise<Items> => {
      const asked = manyOf(endpoint, options.path ?? shortenPath(endpoint.path));
      const { owner, call: own, defaults } = call.context;
      // What is known of the answer of one says nothing of many.
      const context = { owner, signal, call: { ...own, memo: undefined }, isOver: false, defaults };
      const { value, dataExpiryLength } = await asked.fetchReply(context, [
        { ...others, [param]: separator === undefined ? ids : ids.join(separator) },
      ]);
      return { byId: itemsById(options, idName, value, asked.name), dataExpiryLength };
    };
    const items = await new Promise<Items | undefined>((resolve, reject) =>
      join(call, max, argsKey(others), { id, many, resolve, reject, signal: call.signal })
    );
    if (items === undefined) return await alone();
    const { byId, dataExpiryLength } = items;
    if (byId.has(id)) return { value: await endpoint.process(byId.get(id), ...args), dataExpiryLength };
    throw new NetworkError({ method: "GET", url, status: 404, statusText: "Not Found", problem: said(514) });
  };
}

/** What asks for many. What the endpoint makes of an answer it makes of each item. */
function manyOf(endpoint: AnyRestEndpoint, path: string | undefined): AnyRestEndpoint {
  const { name } = endpoint;
  if (path === undefined) throw new EndpointError(name, said(512, { name, path: endpoint.path }));
  const process = (value: unknown) => value;
  const own = { path, name: `${name}.getMany`, content: "json", process };
  return endpoint.extend(
    { ...own, schema: undefined, url: undefined, getMany: undefined } as object,
  ) as AnyRestEndpoint;
}

/**
 * What waits, by controller, then by endpoint. A batch goes out with the headers of one of its calls: those of two
 * controllers may be two people's.
 */
const waiting = /* @__PURE__ */ new WeakMap<object, WeakMap<object, Map<string, Waiting[]>>>();

function madeIn<T extends object>(map: WeakMap<object, T>, key: object, make: () => T): T {
  const made = map.get(key) ?? make();
  map.set(key, made);
  return made;
}

/** Only calls whose other parameters are equal are answered together. */
function join({ context: { owner }, original }: ManyCall, max: number, others: string, one: Waiting): void {
  const groups = madeIn(madeIn(waiting, owner, () => new WeakMap()), original, () => new Map<string, Waiting[]>());
  const { signal, reject } = one;
  if (signal.aborted) return reject(signal.reason);
  onAbort(signal, () => reject(signal.reason));
  const open = groups.get(others);
  if (open !== undefined) return void open.push(one);
  const group = [one];
  groups.set(others, group);
  queueMicrotask(() => {
    // What is asked for from now on is a batch of its own.
    groups.delete(others);
    send(group.filter(({ signal }) => !signal.aborted), max);
  });
}

function send(group: readonly Waiting[], max: number): void {
  const ids = [...new Set(group.map(({ id }) => id))];
  for (let at = 0; at < ids.length; at += max) {
    const part = ids.slice(at, at + max);
    const all = group.filter(({ id }) => part.includes(id));
    const [first, second] = all as [Waiting, Waiting?];
    if (second === undefined) {
      first.resolve(undefined);
      continue;
    }
    const abort = new AbortController();
    for (const { signal } of all) {
      onAbort(signal, () => all.every(({ signal }) => signal.aborted) && abort.abort(signal.reason));
    }
    first.many(part, abort.signal).then(
      (items) => all.forEach(({ resolve }) => resolve(items)),
      (reason) => all.forEach(({ reject }) => reject(reason)),
    );
  }
}

/** The items of an answer, by their ids. One without an id, and `null`, stands for nothing. */
function itemsById({ items, field }: BatchOptions, idName: string, answer: unknown, name: string): Items["byId"] {
  const list = items === undefined ? answer : items(answer);
  if (!Array.isArray(list)) throw new EndpointError(name, said(513, { name, list }));
  const member = field ?? idName;
  const byId = new Map<string, unknown>();
  for (const item of list) {
    const id: unknown = Object(item) === item && Object.hasOwn(item, member) ? item[member] : undefined;
    if (/^(?:string|number|bigint)$/.test(typeof id)) byId.set(String(id), item);
  }
  return byId;
}
