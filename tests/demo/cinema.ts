/** The demo in a browser, for its tests. */
import { assertEquals } from "@std/assert";
import type { Browser, BrowserContextOptions, Locator, Page, Request } from "playwright-core";
import { type RunningServer, startServer } from "../../demo/server.ts";
import { launch } from "../support/browser.ts";

/** A film, as the API sends it. */
export interface FilmJson {
  id: number;
  title: string;
  rating: number | null;
  genre: { id: string } | null;
  director: { id: number; name: string } | null;
}

/** A page of films. */
export interface PageJson {
  results: FilmJson[];
  total: number;
}

export const DESKTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };

/** The demo's server and one browser. */
export class Cinema implements AsyncDisposable {
  private constructor(readonly server: RunningServer, readonly browser: Browser) {}

  static async start(): Promise<Cinema> {
    const [server, browser] = await Promise.all([startServer({ port: 0, database: ":memory:" }), launch()]);
    return new Cinema(server, browser);
  }

  /** Opens a window that records its requests and problems. */
  async open(path: string, viewport = DESKTOP, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await this.browser.newContext({ viewport, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const visit = new Visit(page, new URL(path, this.server.url).href);
    await page.goto(visit.start);
    return visit;
  }

  async ask<T>(path: string): Promise<T> {
    const response = await fetch(new URL(path, this.server.url));
    return await response.json();
  }

  async films(query: string): Promise<PageJson> {
    return await this.ask<PageJson>(`/api/films?${query}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.server.close();
  }
}

/** A window, with its requests and problems. */
export class Visit implements AsyncDisposable {
  /** The requests as `"PATCH /api/films/5"`, in order. */
  readonly requests: string[] = [];
  readonly bodies: unknown[] = [];
  /** Console messages at level error or warning, and uncaught errors. */
  readonly problems: string[] = [];
  /** Set if the test makes the server fail, because the browser then logs an error. */
  expectsFailures = false;

  /** How often the page has opened the stream of events, which it does in idle time. */
  connections = 0;
  /** Requests without a response. The stream of events never ends, so it does not count. */
  readonly #pending = new Set<Request>();

  constructor(readonly page: Page, readonly start: string) {
    page.on("requestfinished", (request) => this.#pending.delete(request));
    page.on("requestfailed", (request) => this.#pending.delete(request));
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === "/api/events") return void this.connections++;
      this.#pending.add(request);
      if (!pathname.startsWith("/api/")) return;
      this.requests.push(`${request.method()} ${pathname}${search}`);
      const body = request.postData();
      if (body) this.bodies.push(JSON.parse(body));
    });
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        this.problems.push(`${message.text()} ${message.location().url}`.trim());
      }
    });
    page.on("pageerror", (error) => this.problems.push(String(error)));
  }

  /**
   * Waits until nothing has been in flight for half a second. The browser's own `networkidle` would wait for the
   * stream.
   */
  async rests(): Promise<void> {
    for (let still = 0; still < 10; still = this.#pending.size === 0 ? still + 1 : 0) {
      await this.page.waitForTimeout(50);
    }
  }

  get rows(): Locator {
    return this.page.locator("[data-place=list] li[data-film]");
  }

  row(id: number): Locator {
    return this.page.locator(`[data-place=list] li[data-film="${id}"]`);
  }

  /** Waits until the list shows rows with these ids. */
  async seesList(ids: readonly number[]): Promise<void> {
    const expected = ids.join();
    await this.page.waitForFunction(
      (expected) =>
        [...document.querySelectorAll<HTMLElement>("[data-place=list] li[data-film]")]
          .map(({ dataset }) => dataset.film).join() === expected,
      expected,
    );
  }

  /** The number of renderings of each row of the list. */
  async renders(selector = "[data-place=list] li[data-film]"): Promise<Map<string, number>> {
    return new Map(
      await this.page.locator(selector).evaluateAll((all) =>
        all.map((one) => [one.getAttribute("data-film") ?? "", Number(one.getAttribute("data-renders"))] as const)
      ),
    );
  }

  async scrollsSideways(): Promise<boolean> {
    return await this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth > clientWidth ||
        [...document.querySelectorAll(".scroll, .detail-pane")].some((pane) => pane.scrollWidth > pane.clientWidth);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close();
    if (!this.expectsFailures) assertEquals(this.problems, []);
  }
}

/** The components that rendered between two counts, and how often. */
export function ran(before: Map<string, number>, after: Map<string, number>): Record<string, number> {
  const more: Record<string, number> = {};
  for (const [id, count] of after) {
    if (count !== before.get(id)) more[id] = count - (before.get(id) ?? 0);
  }
  return more;
}
