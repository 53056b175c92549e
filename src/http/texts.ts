import type { ParseErrorDetails } from "../errors/parse_error.ts";
import type { TimeoutError } from "../errors/timeout_error.ts";

/** What is said of requests on their way. */
export const HTTP_TEXTS = {
  451: ({ count }: { readonly count: number }) =>
    `it is redirect number ${count}, so the server probably redirects in a loop: end it there`,
  452: () => "it was redirected, and this platform does not say where to: give the endpoint the URL that it leads to",
  453: ({ to }: { readonly to: URL }) =>
    `it leads to ${to.origin}${to.pathname}, and the body is a stream, which cannot be sent twice: ` +
    "send a Blob, or give the endpoint the URL that it leads to",
  // Errors end up in logs, where no credentials belong.
  454: ({ location }: { readonly location: string }) =>
    `its Location is no URL, ${JSON.stringify(location.replace(/\/\/[^/]*@/, "//…@"))}: ${CURE}`,
  455: ({ to }: { readonly to: URL }) => `its Location is neither http nor https, but ${to.protocol} ${CURE}`,
  456: ({ to }: { readonly to: URL }) =>
    `its Location holds credentials, for ${to.host}: send them as a header, with getHeaders`,
  457: () =>
    "it is a redirect, which might lead to another origin with the headers of this one: " +
    "write use: [followRedirects()], which leaves them behind, or give the endpoint the URL that it leads to",
  458: ({ deadline, counted, attempts }: Pick<TimeoutError, "deadline" | "counted" | "attempts">) => {
    const failure = counted === "total"
      ? `gave no complete answer within ${deadline} ms`
      : `was given up: nothing moved for ${deadline} ms`;
    const tried = attempts > 1 ? `, in ${attempts} attempts` : "";
    return `${failure}${tried}. If this server needs longer, give its endpoint a longer "deadline"`;
  },
  459: ({ status, contentType, expected, received, cause }: ParseErrorDetails) =>
    `(${status}, ${contentType || "no content type"}): expected ${expected}, got ${excerpt(received, cause)}${
      /^\s*<!doctype html|^\s*<html/i.test(received ?? "")
        ? ". This is a page: check urlPrefix, and the proxy if there is one"
        : ""
    }`,
};

/** How much of a received text is shown. */
const SHOWN = 80;

function excerpt(received: string | undefined, cause: unknown): string {
  const parser = cause instanceof Error ? ` (${cause.message})` : "";
  if (received === undefined) return `binary data${parser}`;
  if (received === "") return `an empty body${parser}`;
  // What begins as JSON is data, which may hold secrets: it is counted. Parsers quote some of it.
  if (/^\s*[[{"]/.test(received)) return `${received.length} characters of JSON${parser.includes('"') ? "" : parser}`;
  // JSON.stringify: a line break or a control character of the server must not reach a log as such
  return `${JSON.stringify(received.slice(0, SHOWN))}${received.length > SHOWN ? "…" : ""}${parser}`;
}

const CURE = "correct it on the server, or give the endpoint the URL that was meant";
