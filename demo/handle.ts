/**
 * The server's handle: a page may ask for a server that is slow, reorders its answers, fails or is off. It gets one, for
 * itself alone; whoever else visits has a good one.
 */
import { json } from "./http.ts";

/** What a server may be like. */
export const MODES = ["good", "slow", "reorders", "fails", "refuses", "off"] as const;

/** One of {@linkcode MODES}. */
export type Mode = (typeof MODES)[number];

/** The header by which a page says who it is. */
export const PAGE_HEADER = "x-cinema-page";

/** How long a slow server thinks, in ms. */
const SLOW = 2_000;
/** How much longer for each request that waits: the next turn of the handle gets through between two answers. In ms. */
const EACH = 500;
/** How long each of the next answers waits while they are reordered, in ms: what comes first is answered last. */
const TURNS = [2_400, 1_600, 900, 300];

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

  /** @param turnedOff Told of the page whose server goes off. */
  constructor(readonly turnedOff: (page: string) => void) {}

  /**
   * Puts the handle before an API. What a page has chosen counts when its request is answered: a server may be turned off
   * while it thinks.
   *
   * @returns The API, and `PUT /api/server` with `{ mode }`.
   */
  before(api: Handler): (request: Request) => Promise<Response> {
    return async (request) => {
      const page = request.headers.get(PAGE_HEADER);
      if (page === null) return await api(request);
      if (new URL(request.url).pathname === "/api/server") return await this.#turn(page, request);
      const handle = this.#handles.get(page);
      if (!handle) return await api(request);
      await wait(handle);
      const isWrite = request.method !== "GET";
      if (handle.mode === "off") return json({ message: "The server is off." }, 503);
      if (handle.mode === "refuses" && isWrite) return json({ message: "The server refuses to write." }, 403);
      if (handle.mode === "fails" && isWrite) {
        // The next one only.
        handle.mode = "good";
        return json({ message: "The server failed, once." }, 500);
      }
      return await api(request);
    };
  }

  /** Gives a page another server. What a slow one has in its hands is answered at once when it becomes good. */
  async #turn(page: string, request: Request): Promise<Response> {
    const { mode } = await request.json().catch(() => ({})) as { mode?: Mode };
    if (!mode || !MODES.includes(mode)) return json({ message: `"mode" must be one of ${MODES.join(", ")}` }, 422);
    const handle = this.#handles.get(page) ?? { mode, turns: 0, waiting: new Set() };
    this.#handles.set(page, Object.assign(handle, { mode, turns: 0 }));
    if (mode === "off") this.turnedOff(page);
    if (mode === "good" || mode === "off") { for (const goOn of [...handle.waiting]) goOn(); }
    return json({ mode });
  }
}

async function wait(handle: Handle): Promise<void> {
  const { mode, waiting } = handle;
  const ms = mode === "slow" ? SLOW + EACH * waiting.size : mode === "reorders" ? TURNS[handle.turns++ % 4] ?? 0 : 0;
  if (ms === 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.add(resolve);
  const timer = setTimeout(resolve, ms);
  await promise;
  clearTimeout(timer);
  waiting.delete(resolve);
}
