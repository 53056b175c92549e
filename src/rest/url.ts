import { type Problem, said } from "../errors/texts.ts";
import { UrlError } from "../errors/url_error.ts";
import type { Owner } from "./origin.ts";
import { dotsIn, type Params, type PathTemplate } from "./path_template.ts";

/**
 * Puts prefix and filled path together, and makes sure that the result is what the template says: same origin, same
 * number and place of segments.
 *
 * @param prefix What `checkPrefix` gave.
 * @param template The path.
 * @param params The parameters; those that are no part of the path are ignored.
 * @param owner Who asks, for errors.
 * @returns The URL without search parameters.
 * @throws {UrlError} If a parameter is missing, cannot be written, or would lead elsewhere.
 */
export function buildUrl(prefix: string, template: PathTemplate, params: Params, owner: Owner): string {
  const { path } = template;
  if (template.absolute && prefix !== "") {
    throw new UrlError(said(531, { prefix }), {
      path,
      endpoint: owner.name,
    });
  }
  const { text, suspect } = template.fill(params, owner);
  const url = prefix + text || "/";
  if (suspect) checkPlaces(url, prefix, template, params, owner);
  if (prefix === "" && !template.absolute && url.startsWith("//")) {
    throw new UrlError(said(532), {
      path,
      endpoint: owner.name,
    });
  }
  return url;
}

const SOME_PAGE = "http://page.invalid/a/b/c/d/e/f";

function checkPlaces(url: string, prefix: string, template: PathTemplate, params: Params, owner: Owner): void {
  const fail = (reason: Problem, parameter?: string): UrlError =>
    new UrlError(reason, {
      path: template.path,
      endpoint: owner.name,
      parameter,
      value: parameter === undefined ? url : params[parameter],
    });
  const dots = dotsIn(url.slice(prefix.length).split("?", 1)[0]!);
  if (dots !== undefined) {
    const parameter = [...template.names].find((name) =>
      Object.hasOwn(params, name) && [params[name]].flat().some((value) => dotsIn(String(value)) !== undefined)
    );
    throw parameter === undefined
      ? fail(said(533, { dots }))
      : fail(said(534, { value: params[parameter], path: template.path }), parameter);
  }
  let actual: URL;
  let expected: URL;
  try {
    actual = new URL(url, SOME_PAGE);
    expected = new URL(prefix + template.fillHarmless(params, owner) || "/", SOME_PAGE);
  } catch {
    throw fail(said(535, { url }));
  }
  const places = (url: URL): number => url.pathname.split("/").length;
  if (
    actual.origin !== expected.origin || actual.username !== "" || actual.password !== "" ||
    places(actual) !== places(expected)
  ) {
    throw fail(said(536, { url: actual.href }));
  }
}
