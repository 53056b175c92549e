import { clock } from "../deps/clock.ts";
import { Controller } from "../controller/controller.ts";
import type { Flight } from "../controller/flight.ts";

/** Longer than a rendering takes, in ms. */
const ERROR_EXPIRY = 5_000;

/** The controller of one page: whoever has asked for something is rendered and gone before it comes. */
export class PageController extends Controller {
  /** Is told when what is rendered shows something that a request in flight will change. */
  changing: ((flight: PromiseLike<unknown>) => void) | undefined;
  readonly #keys = new Set<string>();

  /** How many keys were asked for. */
  get asked(): number {
    return this.#keys.size;
  }

  /** What has failed is an answer of this page, however long that takes: a component that asked again would wait for ever. */
  keepErrors(): void {
    const until = clock.now() + ERROR_EXPIRY;
    for (const entry of this.store.entries.all()) {
      if (entry.error === undefined || entry.expiresAt === 0 || entry.expiresAt > until) continue;
      (entry as { expiresAt: number }).expiresAt = until;
    }
  }

  override startRead(...args: Parameters<Controller["startRead"]>): Flight | undefined {
    const [endpoint, params, key] = args;
    const { data, error } = this.getResponseMeta(endpoint, ...params);
    // What was answered is of this page, however old it gets meanwhile.
    if (this.#keys.has(key) && (data !== undefined || error !== undefined)) return undefined;
    this.#keys.add(key);
    const flight = super.startRead(...args);
    if (flight !== undefined) this.hold(flight);
    return flight;
  }

  override hold(flight: Flight): () => void {
    this.changing?.(flight.promise);
    return super.hold(flight);
  }

  /** What reads of the page have failed with. */
  get errors(): readonly unknown[] {
    return [...this.store.entries.all()].flatMap(({ error }) => error === undefined ? [] : [error]);
  }

  /** With which status to answer. */
  get status(): number {
    const { errors } = this;
    if (errors.length === 0) return 200;
    const statuses = errors.map((error) => (error as { readonly status?: unknown } | null)?.status);
    const own = statuses.find((status) => typeof status === "number" && status >= 400 && status < 600);
    return own === undefined ? 500 : own as number;
  }
}
