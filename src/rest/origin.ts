import { type Problem, said } from "../errors/texts.ts";
import { UrlError } from "../errors/url_error.ts";

/** Who asks, for error messages. */
export interface Owner {
  /** The name of the endpoint. */
  readonly name: string;
}

/**
 * A `urlPrefix` in the form in which paths are appended to it.
 *
 * @param urlPrefix Absolute, protocol-relative or relative.
 * @param owner Who declares it, for errors.
 * @param member The name under which it is declared.
 * @returns The same without a slash at its end.
 * @throws {UrlError} If it is no http(s) URL, or has credentials, a search or a fragment.
 */
export function checkPrefix(urlPrefix: string, owner: Owner, member = "urlPrefix"): string {
  const fail = (reason: Problem, cause?: unknown): UrlError =>
    new UrlError(reason, { path: String(urlPrefix), endpoint: owner.name, ...cause !== undefined && { cause } });
  const subject = member;
  if (typeof urlPrefix !== "string") throw fail(said(550, { subject }));
  // deno-lint-ignore no-control-regex -- parsers of URLs drop control characters, so that other text remains
  if (/[\x00-\x20\\?#]/.test(urlPrefix)) throw fail(said(551, { subject }));
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(urlPrefix)) {
    checkUrl(urlPrefix, undefined, subject, fail);
    // Parsers forgive https:host and https:///host, but not all of them read the same.
    if (!/^(?:https?:)?\/\/[^/]/i.test(urlPrefix)) throw fail(said(555, { subject }));
  }
  return urlPrefix.endsWith("/") ? urlPrefix.slice(0, -1) : urlPrefix;
}

/** Parses what must be an http(s) URL without credentials. */
function checkUrl(
  text: string,
  base: string | undefined,
  subject: string,
  fail: (reason: Problem, cause?: unknown) => UrlError,
): URL {
  let url: URL;
  try {
    url = new URL(text.startsWith("//") && base === undefined ? `https:${text}` : text, base);
  } catch (cause) {
    throw fail(said(552, { subject }), cause);
  }
  const { protocol } = url;
  if (protocol !== "https:" && protocol !== "http:") throw fail(said(553, { subject, protocol }));
  if (url.username !== "" || url.password !== "") throw fail(said(554, { subject }));
  return url;
}

/**
 * Makes sure that a path that is absolute names its host in full, before its first parameter.
 *
 * @param text The static text that the path begins with.
 * @param isAll Whether nothing follows that text.
 * @param path The path, for errors.
 * @param owner Who declares it, for errors.
 * @throws {UrlError} If it is no http(s) host, or not complete within the static text though more follows.
 */
export function checkPathOrigin(text: string, isAll: boolean, path: string, owner: Owner): void {
  const fail = (reason: Problem, cause?: unknown): UrlError =>
    new UrlError(reason, { path, endpoint: owner.name, ...cause !== undefined && { cause } });
  const origin = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?]+(?=[/?]|$)/i.exec(text)?.[0];
  if (origin === undefined || (origin === text && !isAll)) throw fail(said(556));
  checkUrl(origin, undefined, "its host", fail);
}

/**
 * The absolute URL that is asked for.
 *
 * @param url Absolute, protocol-relative, or relative to the page.
 * @param owner Who asks, for errors.
 * @returns An absolute http(s) URL.
 * @throws {UrlError} If it is relative and there is no page, is not http(s), or has credentials.
 */
export function resolveUrl(url: string, owner: Owner & { readonly path: string }): string {
  const fail = (reason: Problem, cause?: unknown): UrlError =>
    new UrlError(reason, { path: owner.path, endpoint: owner.name, value: url, ...cause !== undefined && { cause } });
  const page = pageUrl();
  if (page === undefined && !/^(?:https?:)?\/\//i.test(url) && !/^[a-z][a-z0-9+.-]*:/i.test(url)) {
    throw fail(said(557, { url }));
  }
  return checkUrl(url, page, JSON.stringify(url), fail).href;
}

/** What relative URLs are relative to, as `fetch` sees it; `undefined` where there is no http(s) page. */
function pageUrl(): string | undefined {
  const { document, location } = globalThis as {
    readonly document?: { readonly baseURI?: unknown };
    readonly location?: { readonly href?: unknown; readonly origin?: unknown };
  };
  // A worker made from a blob has no document, and an address that begins with blob:, but the origin of its page.
  return [document?.baseURI, location?.href, location?.origin].find((base): base is string =>
    typeof base === "string" && /^https?:\/\//i.test(base)
  );
}
