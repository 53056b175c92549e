import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import { define } from "../schemas/define.ts";
import { isEntity } from "../schemas/interface.ts";
import { subjectOf } from "../schemas/subjects.ts";
import { urlError } from "./origin.ts";
import type { Params, PathTemplate } from "./path_template.ts";
import type { AnySearch } from "./path_types.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/** Which arguments of a call are what. */
export interface CallParts {
  /** Parameters of path and search. */
  readonly params: Params;
  /** `undefined`: no body. */
  readonly body: unknown;
  /** The entity that was given in place of parameters: those are then what the path takes of it. */
  readonly record?: object | undefined;
}

/**
 * Parameters as they were given; of a record, what the path takes of it.
 *
 * @throws {EndpointError} If it is neither.
 */
export function paramsOf(endpoint: AnyRestEndpoint, { names }: PathTemplate, value: unknown): Params {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const { name } = endpoint;
    throw new EndpointError(name, said(500, { name, value, names: [...names] }));
  }
  const params = value as Params;
  if (!isOfRecord(endpoint) || !isEntity(params.constructor)) return params;
  return Object.fromEntries(
    [...names].filter((name) => params[name] !== undefined).map((name) => [name, params[name]]),
  );
}

/** Whether what is no part of the path would be a member of the record, sent by mistake. */
function isOfRecord({ path, recordPath, isDetail }: AnyRestEndpoint): boolean {
  return isDetail === true && recordPath === path;
}

/**
 * The URL of a call: the prefix, the path filled in, and the search.
 *
 * @param endpoint Whose call it is.
 * @param prefix A checked one.
 * @param template Its path.
 * @param given Parameters, or a record; what the path does not take is searched by.
 * @throws {UrlError} If a parameter is missing, empty, or of a kind that no URL can hold.
 */
export function urlOf(endpoint: AnyRestEndpoint, prefix: string, template: PathTemplate, given: AnySearch): string {
  const params = paramsOf(endpoint, template, given);
  const url = template.fill(prefix, params, endpoint);
  const search: Record<string, unknown> = {};
  // A loop: each read of an answer by endpoint and arguments makes a key.
  for (const name in params) {
    if (params[name] !== undefined && !template.names.has(name) && Object.hasOwn(params, name)) {
      define(search, name, params[name]);
    }
  }
  const names = Object.keys(search);
  if (names.length > 0 && isOfRecord(endpoint) && endpoint.searchParams === undefined) {
    // What is in a URL is in logs: members of a record go there only where the endpoint says so.
    const { key, defaults = {} } = subjectOf(endpoint.schema) ?? {};
    const parameter = names.find((name) => Object.hasOwn(defaults, name));
    if (parameter !== undefined) throw urlError(501, endpoint, { entity: key, names: [...template.names], parameter });
  }
  // Also where there is nothing to be written: an override may have something to add.
  const text = endpoint.searchToString(search);
  return text === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${text}`;
}

/**
 * Whether an option was given, or a class has the member: for those whose `undefined` says something, too.
 *
 * @param endpoint What may have it.
 * @param name The member.
 * @param top The prototype of all endpoints, whose own members do not count.
 */
export function isDeclared(endpoint: object, name: string, top: object): boolean {
  return endpoint !== top && (Object.hasOwn(endpoint, name) || isDeclared(Object.getPrototypeOf(endpoint), name, top));
}
