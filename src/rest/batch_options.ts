import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import { shortenPath } from "./shorten_path.ts";

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

/** What one request asks for. */
export function manyParam({ separator }: BatchOptions, ids: readonly string[]): unknown {
  return separator === undefined ? ids : ids.join(separator);
}

/** Where many are found. */
export function manyPath({ path }: BatchOptions, single: string, name: string): string {
  const list = path ?? shortenPath(single);
  if (list !== undefined) return list;
  throw new EndpointError(name, said(512, { name, path: single }));
}

/**
 * The items of an answer, by their ids. One without an id, and `null`, stands for nothing.
 *
 * @param getMany What the endpoint says of its batches.
 * @param field The name of the parameter that the single read has.
 * @param answer What the server answered, parsed.
 * @param name The endpoint, for errors.
 * @throws {EndpointError} If no array of items is there.
 */
export function itemsById(
  { items, field: own }: BatchOptions,
  field: string,
  answer: unknown,
  name: string,
): ReadonlyMap<string, unknown> {
  const list = items === undefined ? answer : items(answer);
  if (!Array.isArray(list)) throw new EndpointError(name, said(513, { name, list }));
  const member = own ?? field;
  const byId = new Map<string, unknown>();
  for (const item of list) {
    if (typeof item !== "object" || item === null || !Object.hasOwn(item, member)) continue;
    const id = (item as Record<string, unknown>)[member];
    if (typeof id === "string" || typeof id === "number" || typeof id === "bigint") byId.set(String(id), item);
  }
  return byId;
}
