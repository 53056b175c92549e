/**
 * The server's handle: a page may ask for a server that is slow, reorders its answers, fails or is off. It gets one, for
 * itself alone; whoever else visits has a good one.
 *
 * @module
 */

/** What a server may be like. */
export const MODES = ["good", "slow", "reorders", "fails", "refuses", "off"] as const;

/** One of {@linkcode MODES}. */
export type Mode = (typeof MODES)[number];

/** The header by which a page says who it is. */
export const PAGE_HEADER = "x-cinema-page";

/** How long a slow server thinks, in ms. */
const SLOW = 2_000;
/**
 * How much longer for each request that waits already, in ms. A browser has six connections: when all of them wait, the
 * next turn of the handle gets through between the first answer and the second.
 */
const EACH = 500;
/** How long each of the next answers waits while they are reordered, in ms: what comes first is answered last. */
const TURNS = [2_400, 1_600, 900, 300];
/** So many pages are remembered. Those that came first are forgotten first, and have a good server again. */
const MAX_PAGES = 1_000;

type Handler = (request: Request) => Promise<Response> | Response;

interface Handle {
  mode: Mode;
  /** How many requests have come while answers are reordered. */
  turns: number;
  /** What waits for another mode. */
  readonly waiting: Set<() => void>;
}

/** The handles of all pages. */
export class Handles {
  readonly #handles = new Map<string, Handle>();
  readonly #turned: (page: string, mode: Mode) => void;

  /** @param turned Told of each turn. */
  constructor(turned: (page: string, mode: Mode) => void = () => {}) {
    this.#turned = turned;
  }

  /** Gives a page another server. What a slow one has in its hands is answered at once when it becomes good. */
  set(page: string, mode: Mode): void {
    const handle = this.#handles.get(page) ?? { mode, turns: 0, waiting: new Set() };
    handle.mode = mode;
    handle.turns = 0;
    this.#handles.delete(page);
    this.#handles.set(page, handle);
    this.#turned(page, mode);
    if (mode === "good" || mode === "off") { for (const goOn of [...handle.waiting]) goOn(); }
    for (const oldest of this.#handles.keys()) {
      if (this.#handles.size <= MAX_PAGES) break;
      this.#handles.delete(oldest);
    }
  }

  /**
   * Puts the handle before an API. What a page has chosen counts when its request is answered: a server may be turned off
   * while it thinks.
   *
   * @returns The API, and `PUT /api/server` with `{ mode }`.
   */
  before(api: Handler): Handler {
    return async (request) => {
      const page = request.headers.get(PAGE_HEADER);
      const { pathname } = new URL(request.url);
      if (pathname === "/api/server") return await this.#turn(request, page);
      const handle = page === null ? undefined : this.#handles.get(page);
      if (page === null || handle === undefined) return await api(request);
      await this.#wait(handle);
      const isWrite = request.method !== "GET" && request.method !== "HEAD";
      switch (handle.mode) {
        case "off":
          return refuse(503, "The server is off.");
        case "refuses":
          if (isWrite) return refuse(403, "The server refuses to write.");
          break;
        case "fails":
          if (!isWrite) break;
          // The next one only.
          handle.mode = "good";
          this.#turned(page, "good");
          return refuse(500, "The server failed, once.");
      }
      return await api(request);
    };
  }

  async #turn(request: Request, page: string | null): Promise<Response> {
    if (request.method !== "PUT") return refuse(405, "/api/server knows PUT only", { allow: "PUT" });
    const body: { mode?: unknown } | null = await request.json().catch(() => null);
    const mode = MODES.find((mode) => mode === body?.mode);
    if (page === null || page.length > 64 || mode === undefined) {
      return refuse(
        422,
        `Send { "mode": ${MODES.map((mode) => `"${mode}"`).join(" | ")} } and the header ${PAGE_HEADER}`,
      );
    }
    this.set(page, mode);
    return Response.json({ mode }, { headers: { "cache-control": "no-store" } });
  }

  async #wait(handle: Handle): Promise<void> {
    const wait = handle.mode === "slow"
      ? SLOW + EACH * handle.waiting.size
      : handle.mode === "reorders"
      ? TURNS[handle.turns++ % TURNS.length] ?? 0
      : 0;
    if (wait === 0) return;
    await new Promise<void>((resolve) => {
      const goOn = () => {
        clearTimeout(timer);
        handle.waiting.delete(goOn);
        resolve();
      };
      const timer = setTimeout(goOn, wait);
      handle.waiting.add(goOn);
    });
  }
}

function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ message }, { status, headers: { "cache-control": "no-store", ...headers } });
}
