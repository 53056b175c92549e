/**
 * What happens to the collection, as server-sent events. Whoever was away names the last one that he has heard of, and
 * gets the others.
 */

/** Something that was written: what it is now. */
export interface Change {
  /** `film`, `added` (a film that was not there before) and `genre` bring the whole; `gone` the id of a film. */
  readonly type: "film" | "added" | "genre" | "gone";
  readonly data: object;
}

interface Event extends Change {
  readonly id: number;
  /** The page that did it: it knows already. */
  readonly from: string | null;
}

interface Listener {
  readonly page: string | null;
  readonly stream: ReadableStreamDefaultController<string>;
}

/** So many are kept for those who were away. */
const KEPT = 500;
/** A proxy cuts what is silent for a minute. In ms. */
const PING = 20_000;

/** All who listen, and what they may have missed. */
export class Events {
  readonly #listeners = new Set<Listener>();
  readonly #kept: Event[] = [];
  readonly #ping = setInterval(() => this.#each(({ stream }) => stream.enqueue(": still here\n\n")), PING);
  /** The number of the last event. They begin where those of a server before this one cannot be. */
  last: number = Date.now();

  /** Tells everybody but the page that did it. */
  add(change: Change, from: string | null): void {
    const event = { ...change, id: ++this.last, from };
    this.#kept.push(event);
    if (this.#kept.length > KEPT) this.#kept.shift();
    this.#each((listener) => tell(listener, event));
  }

  /** `GET /api/events`: the stream of one page. */
  open(request: Request, page: string | null): Response {
    const since = Number(request.headers.get("last-event-id") ?? this.last);
    let own: Listener;
    const body = new ReadableStream<string>({
      start: (stream) => {
        this.#listeners.add(own = { page, stream });
        const missed = this.#kept.filter(({ id }) => id > since);
        // Of what is not remembered nobody can be told: all may be different. Otherwise it goes on from here.
        const isKnown = since + missed.length === this.last;
        stream.enqueue(`retry: 500\nevent: ${isKnown ? "since" : "missed"}\n`);
        stream.enqueue(`id: ${isKnown ? since : this.last}\ndata: {}\n\n`);
        if (isKnown) { for (const event of missed) tell(own, event); }
      },
      cancel: () => void this.#listeners.delete(own),
    });
    const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
    return new Response(body.pipeThrough(new TextEncoderStream()), { headers });
  }

  /** Ends the streams of one page, or all for good. */
  close(page?: string): void {
    if (page === undefined) clearInterval(this.#ping);
    this.#each((listener) => {
      if (page !== undefined && listener.page !== page) return;
      this.#listeners.delete(listener);
      listener.stream.close();
    });
  }

  #each(visit: (listener: Listener) => void): void {
    for (const listener of [...this.#listeners]) visit(listener);
  }
}

function tell({ page, stream }: Listener, { id, type, data, from }: Event): void {
  // The page that did it has the reply: an echo would only make it doubt.
  if (page !== null && page === from) return;
  stream.enqueue(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
}
