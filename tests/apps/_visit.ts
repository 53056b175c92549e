/** What tests of apps do on a page as a user, and what they check behind it. */
import { assert } from "@std/assert";
import type { Browser, Locator, Page } from "playwright-core";

/** A desktop and a phone. */
export const VIEWPORTS: Readonly<Record<string, object>> = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

/** The server of an app. */
export interface AppServer extends AsyncDisposable {
  readonly origin: string;
  /** The requests as `GET /api/tasks?done=false`, in order. */
  readonly requests: string[];
  /** The server awaits this before it handles a request. */
  gate: ((request: string) => Promise<void> | undefined) | undefined;
}

/** A user with one window, and the server. `await using` closes both. */
export class Visit<S extends AppServer> implements AsyncDisposable {
  /** Uncaught errors of the page, and what it logged to the console. */
  readonly problems: string[] = [];

  private constructor(readonly page: Page, readonly server: S) {}

  static async start<S extends AppServer>(browser: Browser, options: object, server: S): Promise<Visit<S>> {
    const context = await browser.newContext(options);
    const visit = new Visit(await context.newPage(), server);
    visit.page.setDefaultTimeout(60_000);
    visit.page.on("pageerror", (error) => visit.problems.push(String(error)));
    visit.page.on("console", (message) => {
      // The browser logs this itself for each refused request.
      const isRefusal = /^Failed to load resource/.test(message.text());
      if (["error", "warning"].includes(message.type()) && !isRefusal) visit.problems.push(message.text());
    });
    return visit;
  }

  button(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  link(name: string): Locator {
    return this.page.getByRole("link", { name, exact: true });
  }

  /** Waits for a visible text. */
  async sees(text: string): Promise<void> {
    await this.page.getByText(text).first().waitFor({ state: "visible" });
  }

  /** Waits for a page, by its heading. */
  async heading(name: string): Promise<void> {
    await this.page.getByRole("heading", { name, exact: true }).waitFor();
  }

  /** Waits until the list starts with these rows and shows no old ones. */
  async rows(...titles: string[]): Promise<void> {
    await this.page.waitForFunction((titles) => {
      const rows = [...document.querySelectorAll("ul[aria-busy=false] li > a")].map((link) => link.textContent);
      return rows.length > 0 && titles.every((title, at) => rows[at] === title);
    }, titles);
  }

  /** Returns the requests that an action causes. */
  async asked(act: () => Promise<unknown>): Promise<string[]> {
    const from = this.server.requests.length;
    await act();
    return this.server.requests.slice(from);
  }

  /** Holds requests back until the returned function is called. */
  hold(pattern: RegExp): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.gate = (line) => pattern.test(line) ? promise : undefined;
    return () => {
      this.server.gate = undefined;
      resolve();
    };
  }

  /** Asserts that nothing reaches beyond the edge of the screen. */
  async fits(): Promise<void> {
    const [content, screen] = await this.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert(content! <= screen!, `${content} px on a screen of ${screen}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close();
    await this.server[Symbol.asyncDispose]();
  }
}
