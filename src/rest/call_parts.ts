import { isTemporaryId } from "../endpoint/temporary_id.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import { isEntity } from "../schemas/interface.ts";
import type { Params, PathTemplate } from "./path_template.ts";
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
 * The parts of a call whose first argument names what it is about.
 *
 * @param endpoint Whose call it is.
 * @param template Its path.
 * @param given Parameters, or a record.
 * @param body `undefined`: none.
 */
export function partsOf(endpoint: AnyRestEndpoint, template: PathTemplate, given: unknown, body: unknown): CallParts {
  const params = paramsOf(endpoint, template, given);
  return given === undefined || params === given ? { params, body } : { params, body, record: given as object };
}

/**
 * Parameters as they were given; of a record, what the path takes of it.
 *
 * @throws {EndpointError} If it is neither.
 */
export function paramsOf(endpoint: AnyRestEndpoint, { names }: PathTemplate, value: unknown): Params {
  if (value === undefined) return {};
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const params = value as Params;
    if (!isOfRecord(endpoint) || !isEntity(params.constructor)) return params;
    const taken = [...names].filter((name) => params[name] !== undefined);
    return Object.fromEntries(taken.map((name) => [name, params[name]]));
  }
  const { name } = endpoint;
  throw new EndpointError(name, said(500, { name, value, names: [...names] }));
}

/** Whether what is no part of the path would be a member of the record, sent by mistake. */
export function isOfRecord({ path, recordPath }: AnyRestEndpoint): boolean {
  return recordPath !== undefined && recordPath === path;
}

/**
 * Whatever a store has named itself it has put in place before: what is left is of a page that was reloaded since, or of
 * another store.
 *
 * @throws {EndpointError} If a parameter of the path is the name of a record that the server was to create.
 */
export function refuseUnnamed(endpoint: string, names: Iterable<string>, params: Params): void {
  for (const name of names) {
    const value = params[name];
    if (!(Array.isArray(value) ? value.some(isTemporaryId) : isTemporaryId(value))) continue;
    throw new EndpointError(endpoint, said(505, { endpoint, name }));
  }
}

/**
 * Whether an option was given, or a class has the member: for those whose `undefined` says something, too.
 *
 * @param endpoint What may have it.
 * @param name The member.
 * @param top The prototype of all endpoints, whose own members do not count.
 */
export function isDeclared(endpoint: object, name: string, top: object): boolean {
  for (let of = endpoint; of !== top && of !== null; of = Object.getPrototypeOf(of)) {
    if (Object.hasOwn(of, name)) return true;
  }
  return false;
}
