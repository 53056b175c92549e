/** How the API is reached: where it is, who asks, and whether they have signed in. */
import { NetworkError, RestEndpoint, type RestGenerics } from "@rejoin/data";
import { PAGE_HEADER } from "../handle.ts";
import { signIn, token } from "./session.ts";

/** Each opened page has a server of its own kind, and hears only of what others write. */
const PAGE: string = crypto.getRandomValues(new Uint32Array(3)).join("-");

/** An endpoint of Cinema's API. */
export class ApiEndpoint<O extends RestGenerics> extends RestEndpoint<O> {
  override urlPrefix = "/api";

  override getHeaders(headers: Record<string, string>): Record<string, string> {
    return { ...headers, [PAGE_HEADER]: PAGE };
  }

  override async fetchResponse(url: string, init: RequestInit): Promise<Response> {
    // At the server no address is relative to a page.
    const { href } = new URL(url, location.href);
    const send = () => super.fetchResponse(href, { ...init, headers: withToken(init.headers) });
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
