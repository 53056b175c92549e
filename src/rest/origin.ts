import { tried } from "../errors/report_error.ts";
import { said } from "../errors/texts.ts";
import { UrlError } from "../errors/url_error.ts";

/** Who asks, for error messages. */
export interface Owner {
  /** The name of the endpoint. */
  readonly name: string;
}

/** Who asks, and for which URL. */
export interface PathOwner extends Owner {
  /** The template of the URL. */
  readonly path: string;
}

/**
 * Why a URL cannot be made.
 *
 * @param code Which sentence says it.
 * @param owner Who asks.
 * @param facts What is at fault: the sentence is made of it, and the error has it.
 */
export function urlError(code: number, { name: endpoint, path }: PathOwner, facts: object = {}): UrlError {
  const details = { ...facts, path, endpoint };
  return new UrlError(said(code, details), details);
}

/** What begins with a scheme or with an authority. */
export const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/** An http(s) URL; `undefined` where a text is none, or has credentials, which end up in logs. */
export function httpUrl(text: string, base = "https://page.invalid"): URL | undefined {
  const url = tried(() => new URL(text, base));
  return url && /^https?:$/.test(url.protocol) && url.username + url.password === "" ? url : undefined;
}

/**
 * A `urlPrefix` in the form in which paths are appended to it.
 *
 * @param urlPrefix Absolute, protocol-relative or relative.
 * @param owner Who declares it, for errors.
 * @param subject The name under which it is declared.
 * @returns The same without a slash at its end.
 * @throws {UrlError} If it is no http(s) URL, or has credentials, a search or a fragment.
 */
export function checkPrefix(urlPrefix: string, owner: Owner, subject = "urlPrefix"): string {
  const isSound = typeof urlPrefix === "string" &&
    // deno-lint-ignore no-control-regex -- parsers of URLs drop control characters, so that other text remains
    !/[\x00-\x20\\?#]/.test(urlPrefix) &&
    // Parsers forgive https:host and https:///host, but not all of them read the same.
    (!ABSOLUTE.test(urlPrefix) || (/^(?:https?:)?\/\/[^/]/i.test(urlPrefix) && httpUrl(urlPrefix)));
  if (isSound) return urlPrefix.replace(/\/$/, "");
  throw urlError(550, { name: owner.name, path: String(urlPrefix) }, { subject, text: urlPrefix });
}

/**
 * The absolute URL that is asked for.
 *
 * @param url Absolute, protocol-relative, or relative to the page.
 * @param owner Who asks, for errors.
 * @returns An absolute http(s) URL.
 * @throws {UrlError} If it is relative and there is no page, is not http(s), or has credentials.
 */
export function resolveUrl(url: string, owner: PathOwner): string {
  const page = pageUrl() ?? (ABSOLUTE.test(url) ? "https://page.invalid" : undefined);
  const resolved = page === undefined ? undefined : httpUrl(url, page);
  if (resolved !== undefined) return resolved.href;
  throw urlError(557, owner, { value: url, page });
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
