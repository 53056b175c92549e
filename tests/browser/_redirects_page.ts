// Requests of a page to a server that redirects, through the library as an app bundles it.
import { NetworkError, RestEndpoint } from "@rejoin/data";

/** The functions that the page offers to the test. */
export interface RedirectsPage {
  /** Sends a request to `/moved`, and returns the outcome. */
  send(method: string, status: number, redirect?: RequestRedirect): Promise<unknown>;
}

async function send(method: string, status: number, redirect: RequestRedirect = "follow"): Promise<unknown> {
  const endpoint = new RestEndpoint({
    urlPrefix: "",
    path: "/moved/:status",
    method,
    body: undefined,
    retry: false,
    requestInit: { redirect, headers: { "x-api-key": "k" } },
  });
  try {
    return await endpoint({ status });
  } catch (error) {
    return error instanceof NetworkError ? ["NetworkError", error.status ?? null] : String(error);
  }
}

Object.assign(globalThis, { redirectsPage: { send } satisfies RedirectsPage });
