import { said } from "../errors/texts.ts";
import { UrlError } from "../errors/url_error.ts";
import { subjectOf } from "../schemas/subjects.ts";
import { isOfRecord, paramsOf } from "./call_parts.ts";
import type { PathTemplate } from "./path_template.ts";
import type { AnySearch } from "./path_types.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";
import { encodeSearch } from "./search_params.ts";

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
  usual: AnyRestEndpoint["searchToString"],
): string {
  const params = paramsOf(endpoint, template, given);
  const url = template.fill(prefix, params, endpoint);
  const names: string[] = [];
  // A loop: each read of an answer by endpoint and arguments makes a key.
  for (const name in params) {
    if (params[name] !== undefined && !template.names.has(name) && Object.hasOwn(params, name)) names.push(name);
  }
  if (names.length === 0) return url;
  checkSearch(endpoint, template, names);
  const { searchToString } = endpoint;
  const text = searchToString === usual
    ? encodeSearch(params, endpoint, names)
    : searchToString.call(endpoint, Object.fromEntries(names.map((name) => [name, params[name]])));
  return text === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${text}`;
}

/** What is in a URL is in logs: members of a record go there only where the endpoint says so. */
function checkSearch(endpoint: AnyRestEndpoint, template: PathTemplate, names: readonly string[]): void {
  const entity = isOfRecord(endpoint) && endpoint.searchParams === undefined ? subjectOf(endpoint.schema) : undefined;
  const parameter = entity && names.find((name) => Object.hasOwn(entity.defaults, name));
  if (parameter === undefined) return;
  const { name, path } = endpoint;
  throw new UrlError(said(501, { entity: entity!.key, names: [...template.names] }), {
    path,
    endpoint: name,
    parameter,
  });
}
