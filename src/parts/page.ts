/** The globals of a page that this library uses, declared here because Deno has no types of the DOM. */
interface Page {
  readonly document?: {
    readonly visibilityState: string;
    addEventListener(name: string, listener: () => void, options?: { readonly signal?: AbortSignal }): void;
  };
  readonly navigator?: { readonly onLine?: boolean };
  readonly location?: { readonly origin: string };
  readonly requestIdleCallback?: (run: () => void) => void;
  /** Missing in Node, even if a test has defined a document. */
  addEventListener?(name: string, listener: () => void, options?: { readonly signal?: AbortSignal }): void;
}

/** The globals of the page. Outside of a page most are missing. */
export const page: Page = globalThis as unknown as Page; // the types of the DOM declare them

/** Whether the page is hidden or offline, so that its requests can wait. */
export const isAway = (): boolean => page.document?.visibilityState === "hidden" || page.navigator?.onLine === false;
