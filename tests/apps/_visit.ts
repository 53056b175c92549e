/** What tests of apps do on a page, as a person would, and what they look at behind it. */
import { assert } from "@std/assert";
import type { Browser, Locator, Page } from "playwright-core";

/** A desk and a phone. */
export const VIEWPORTS: Readonly<Record<string, object>> = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

/** A server of an app. */
export interface AppServer extends AsyncDisposable {
  readonly origin: string;
  /** `GET /api/tasks?done=false`, in order. */
  readonly requests: string[];
  /** Waited for before a request is looked at. */
  gate: ((request: string) => Promise<void> | undefined) | undefined;
}

/** One person with one window, and the server behind it; `await using` closes both. */
export class Visit<S extends AppServer> implements AsyncDisposable {
  /** What the page threw, or wrote into the console. */
  readonly problems: string[] = [];

  private constructor(readonly page: Page, readonly server: S) {}

  static async start<S extends AppServer>(browser: Browser, options: object, server: S): Promise<Visit<S>> {
    const context = await browser.newContext(options);
    const visit = new Visit(await context.newPage(), server);
    visit.page.setDefaultTimeout(60_000);
    visit.page.on("pageerror", (error) => visit.problems.push(String(error)));
    visit.page.on("console", (message) => {
      // The browser itself says so of each refused request.
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

  /** Waits for a text that a person can read. */
  async sees(text: string): Promise<void> {
    await this.page.getByText(text).first().waitFor({ state: "visible" });
  }

  /** Waits for a page, by its title. */
  async heading(name: string): Promise<void> {
    await this.page.getByRole("heading", { name, exact: true }).waitFor();
  }

  /** Waits until the rows of the list begin so, and none of it is old. */
  async rows(...titles: string[]): Promise<void> {
    await this.page.waitForFunction((titles) => {
      const rows = [...document.querySelectorAll("ul[aria-busy=false] li > a")].map((link) => link.textContent);
      return rows.length > 0 && titles.every((title, at) => rows[at] === title);
    }, titles);
  }

  /** What the server is asked while something is done. */
  async asked(act: () => Promise<unknown>): Promise<string[]> {
    const from = this.server.requests.length;
    await act();
    return this.server.requests.slice(from);
  }

  /** Keeps requests waiting until what it gives is called. */
  hold(pattern: RegExp): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.gate = (line) => pattern.test(line) ? promise : undefined;
    return () => {
      this.server.gate = undefined;
      resolve();
    };
  }

  /** Nothing stands beyond the edge of the screen. */
  async fits(): Promise<void> {
    const [content, screen] = await this.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert(content! <= screen!, `${content} px on a screen of ${screen}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close();
    await this.server[Symbol.asyncDispose]();
  }
}
