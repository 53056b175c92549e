/** How the API is reached: where it is, who asks, and whether they have signed in. */
import { NetworkError, RestEndpoint, type RestGenerics } from "@rejoin/data";
import { PAGE, PAGE_HEADER } from "./page_id.ts";
import { addressOf } from "./route.ts";
import { signIn, token } from "./session.ts";

/** There is no server behind this page: its API is in a worker, which has to be there first. */
const worker = typeof document === "undefined" ? null : document.querySelector<HTMLMetaElement>("meta[name=worker]");
const isThere = worker ? import("./worker_is_there.ts").then((module) => module.workerIsThere(worker.content)) : null;

/** An endpoint of Cinema's API. */
export class ApiEndpoint<O extends RestGenerics> extends RestEndpoint<O> {
  override urlPrefix = "/api";

  override getHeaders(headers: Record<string, string>): Record<string, string> {
    return { ...headers, [PAGE_HEADER]: PAGE };
  }

  override async fetchResponse(url: string, init: RequestInit): Promise<Response> {
    await isThere;
    const { pathname, search } = new URL(url, location.href);
    // What is the key of an answer at the server is its key here, wherever the page is hosted.
    const own = addressOf(pathname + search);
    const send = () => super.fetchResponse(own, { ...init, headers: withToken(init.headers) });
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof NetworkError) || error.status !== 401) throw error;
      await signIn(error);
      return await send();
    }
  }
}

function withToken(given: HeadersInit | undefined): Headers {
  const headers = new Headers(given);
  if (token.value !== undefined) headers.set("authorization", `Bearer ${token.value}`);
  return headers;
}
