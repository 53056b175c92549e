/**
 * What happens to the collection, as server-sent events. Whoever was away names the last one that he has heard of, and
 * gets the others.
 *
 * @module
 */

/** Something that was written: what it is now. */
export interface Change {
  /** `film`, `added` (a film that was not there before) and `genre` bring the whole; `gone` the id of a film. */
  readonly type: "film" | "added" | "genre" | "gone";
  readonly data: object;
}

/** A change with its number. */
export interface Event extends Change {
  readonly id: number;
  /** The page that did it: it knows already. */
  readonly from: string | null;
}

interface Listener {
  readonly page: string | null;
  readonly stream: ReadableStreamDefaultController<Uint8Array>;
}

/** So many are kept for those who were away. */
const KEPT = 500;
/** A proxy cuts what is silent for a minute. In ms. */
const PING = 20_000;

const encoder = new TextEncoder();

/** All who listen, and what they may have missed. */
export class Events {
  readonly #listeners = new Set<Listener>();
  readonly #kept: Event[];
  #last: number;
  #ping: ReturnType<typeof setInterval> | undefined;

  /**
   * @param first Where numbers begin: where those of a server before this one, which has forgotten its own, cannot be.
   * @param kept What is known of before.
   */
  constructor(first: number = Date.now(), kept: readonly Event[] = []) {
    this.#kept = kept.slice(-KEPT);
    this.#last = this.#kept.at(-1)?.id ?? first;
  }

  /** The number of the last event. */
  get last(): number {
    return this.#last;
  }

  /** Tells everybody but the page that did it. */
  add(change: Change, from: string | null): Event {
    const event = { ...change, id: ++this.#last, from };
    this.#kept.push(event);
    if (this.#kept.length > KEPT) this.#kept.shift();
    for (const listener of this.#listeners) tell(listener, event);
    return event;
  }

  /** `GET /api/events`: the stream of one page. */
  open(request: Request, page: string | null): Response {
    const since = request.headers.get("last-event-id");
    let own: Listener;
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        this.#listeners.add(own = { page, stream });
        this.#ping ??= setInterval(() => this.#write(": still here\n\n"), PING);
        stream.enqueue(encoder.encode("retry: 500\n"));
        this.#catchUp(own, since === null ? this.#last : Number(since));
      },
      cancel: () => this.#remove(own),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
  }

  /** Ends the streams of one page, or all. */
  close(page?: string | null): void {
    for (const listener of [...this.#listeners]) {
      if (page !== undefined && listener.page !== page) continue;
      this.#remove(listener);
      listener.stream.close();
    }
  }

  #catchUp(listener: Listener, since: number): void {
    const oldest = this.#kept[0]?.id ?? this.#last + 1;
    // Of what is not remembered nobody can be told: all may be different.
    const isKnown = since >= oldest - 1 && since <= this.#last;
    if (!isKnown) listener.stream.enqueue(encoder.encode(`event: missed\nid: ${this.#last}\ndata: {}\n\n`));
    // The id alone: from here it goes on, also where nothing happens before the cable is out.
    else listener.stream.enqueue(encoder.encode(`event: since\nid: ${since}\ndata: {}\n\n`));
    if (isKnown) { for (const event of this.#kept) if (event.id > since) tell(listener, event); }
  }

  #write(text: string): void {
    for (const { stream } of this.#listeners) stream.enqueue(encoder.encode(text));
  }

  #remove(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    clearInterval(this.#ping);
    this.#ping = undefined;
  }
}

function tell({ page, stream }: Listener, { id, type, data, from }: Event): void {
  // The page that did it has the reply: an echo would only make it doubt.
  if (page !== null && page === from) return;
  stream.enqueue(encoder.encode(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`));
}
