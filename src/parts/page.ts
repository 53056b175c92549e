/** What of a page this library looks at. Without the types of the DOM, as in Deno, these names are not there. */
interface Page {
  readonly document?: {
    readonly visibilityState: string;
    addEventListener(name: string, listener: () => void, options?: { readonly signal?: AbortSignal }): void;
  };
  readonly navigator?: { readonly onLine?: boolean };
  readonly location?: { readonly origin: string };
  readonly requestIdleCallback?: (run: () => void) => void;
  /** Not in Node, also where a test has put a document there. */
  addEventListener?(name: string, listener: () => void, options?: { readonly signal?: AbortSignal }): void;
}

/** The page that this code runs in; elsewhere most of it is missing. */
export const page: Page = globalThis as unknown as Page; // its types are there where the DOM's are

/** Whether the page is hidden or offline: what it would ask for now can wait. */
export const isAway = (): boolean => page.document?.visibilityState === "hidden" || page.navigator?.onLine === false;
