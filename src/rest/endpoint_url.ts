import { EndpointError } from "../errors/endpoint_error.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { UrlError } from "../errors/url_error.ts";
import { argsKey } from "../schemas/args_key.ts";
import { isOfRecord, paramsOf } from "./call_parts.ts";
import { entityOf } from "./mutation_replies.ts";
import type { Params, PathTemplate } from "./path_template.ts";
import type { AnySearch } from "./path_types.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";
import { encodeSearch } from "./search_params.ts";
import { buildUrl } from "./url.ts";

/**
 * The URL of a call: the prefix, the path filled in, and the search.
 *
 * @param endpoint Whose call it is.
 * @param prefix A checked one.
 * @param template Its path.
 * @param given Parameters, or a record; what the path does not take is searched by.
 * @param usual How searches are written, unless the endpoint has a way of its own.
 * @throws {UrlError} If a parameter is missing, empty, or of a kind that no URL can hold.
 */
export function urlOf(
  endpoint: AnyRestEndpoint,
  prefix: string,
  template: PathTemplate,
  given: AnySearch,
  usual: (search: AnySearch) => string,
): string {
  const params: Params = paramsOf(endpoint, template, given);
  const plain = template.fillPlain(params);
  const url = plain === undefined ? buildUrl(prefix, template, params, endpoint) : prefix + plain;
  let names: string[] | undefined;
  for (const name in params) {
    if (template.names.has(name) || params[name] === undefined || !Object.hasOwn(params, name)) continue;
    if (names === undefined) names = [name];
    else names.push(name);
  }
  if (names === undefined) return url;
  checkSearch(endpoint, template, names);
  const text = endpoint.searchToString === usual
    ? encodeSearch(params, endpoint, names)
    : endpoint.searchToString(pick(params, names));
  if (text === "") return url;
  return plain !== undefined || !url.includes("?") ? `${url}?${text}` : `${url}&${text}`;
}

/** What is in a URL is in logs: members of a record go there only where the endpoint says so. */
function checkSearch(endpoint: AnyRestEndpoint, template: PathTemplate, names: readonly string[]): void {
  const entity = isOfRecord(endpoint) && endpoint.searchParams === undefined ? entityOf(endpoint) : undefined;
  const parameter = entity && names.find((name) => Object.hasOwn(entity.defaults, name));
  if (parameter === undefined) return;
  const { name, path } = endpoint;
  throw new UrlError(said(501, { entity: entity!.key, names: [...template.names] }), {
    path,
    endpoint: name,
    parameter,
  });
}

/** Some of the parameters, without prototype: they may have any name. */
function pick(params: AnySearch, names: readonly string[]): AnySearch {
  const picked = Object.create(null) as Record<string, unknown>;
  for (const name of names) picked[name] = params[name];
  return picked;
}

/**
 * What the body of a read adds to its key.
 *
 * @param name The endpoint, for the error.
 * @param body The body.
 * @throws {EndpointError} If it cannot be told from others by what it holds.
 */
export function bodyKey(name: string, body: unknown): string {
  try {
    return argsKey(body);
  } catch (cause) {
    if (!(cause instanceof SchemaError)) throw cause;
    throw new EndpointError(name, said(502, { name, cause }), { cause });
  }
}

/**
 * Whether a key is of a place, whatever the parameters.
 *
 * @param key The key.
 * @param start Its method and prefix.
 * @param template What comes behind them.
 */
export function isKeyAt(key: string, start: string, template: PathTemplate): boolean {
  if (!key.startsWith(start)) return false;
  const end = key.slice(start.length).search(/[? ]/);
  return template.matches(end === -1 ? key.slice(start.length) : key.slice(start.length, start.length + end));
}
