/**
 * So many reads may start while the same mutation is the oldest in flight, each with a sequence number of its own just before it:
 * a fraction, which a double holds exactly. Further ones share the last of these, in order of arrival. All others have whole
 * numbers, which engines keep without a box.
 */
const READS_BETWEEN = 2 ** 16;

/** A request in flight. */
export interface Ticket {
  /** Where its reply will stand in the order of writes. */
  readonly seq: number;
  /** A read that started while mutations were in flight: the server may have answered it before them. */
  readonly isBehind: boolean;
  /** When it was sent, by the count of events; until then, when it was asked for. */
  startedAt: number;
  /** What its reply became, until whoever waits for that has read it. */
  written?: Written | undefined;
}

/** What a reply has become. */
export interface Written {
  /** What remained of it. */
  readonly result: unknown;
  /** The value that was normalized in its place. */
  readonly value: unknown;
  readonly stamp: { readonly seq: number };
}

/** A record was written by a mutation while others were in flight. */
export interface Overlap {
  /** When the last one settled, by the count of events. */
  readonly at: number;
  /** Where the latest of them stands in the order of writes. */
  readonly seq: number;
}

/**
 * The one order of writes, in which arrival and wall clock play no part. A mutation takes the next number when it
 * starts. A read takes the next number too, unless mutations are in flight: then its number is just before the oldest of
 * them, for the server may answer it before it applies them. So does what a stream says.
 */
export class Sequence {
  #next = 0;
  #events = 0;
  /** Requests in flight, and mutations that are over and still show something. */
  readonly #open = new Set<Pick<Ticket, "seq">>();
  /** How many reads stand before each mutation in flight. */
  readonly #before = new Map<Ticket, number>();

  /** The next number, for what is applied at once. */
  take(): number {
    return ++this.#next;
  }

  /** What is written from now on has a later sequence number than this, whatever is in flight. */
  get horizon(): number {
    const oldest = this.oldest();
    // A read behind the oldest mutation stands up to one before it.
    return oldest === Infinity ? this.#next : Math.min(this.#next, Math.floor(oldest) - 1);
  }

  /** Counts what starts and settles, to tell whether two mutations overlapped. */
  event(): number {
    return ++this.#events;
  }

  /** A number just before a mutation in flight, for what the server may have said before it applied that one. */
  before(mutation: Ticket): number {
    const count = Math.min(this.#before.get(mutation)! + 1, READS_BETWEEN - 1);
    this.#before.set(mutation, count);
    return mutation.seq - 1 + count / READS_BETWEEN;
  }

  /** A request starts. */
  start(isMutation: boolean): Ticket {
    const oldest = isMutation ? undefined : this.oldestMutation();
    const seq = oldest === undefined ? this.take() : this.before(oldest);
    const ticket: Ticket = { seq, isBehind: oldest !== undefined, startedAt: this.event() };
    this.#open.add(ticket);
    if (isMutation) this.#before.set(ticket, 0);
    return ticket;
  }

  /** A mutation is on the wire from now on: with what has settled before, it did not overlap. */
  send(ticket: Ticket): void {
    ticket.startedAt = this.event();
  }

  /** A request has its reply, or never will; or what it went on showing goes. Whether it was in flight. */
  settle(ticket: Pick<Ticket, "seq">): boolean {
    this.#before.delete(ticket as Ticket);
    return this.#open.delete(ticket);
  }

  /** A mutation that is over goes on showing something: what was written later is kept apart until that goes. */
  show(layer: Pick<Ticket, "seq">): void {
    this.#open.add(layer);
  }

  /** The sequence number of the oldest request in flight, or of what is shown for one; `Infinity` when there is none. */
  oldest(): number {
    let oldest = Infinity;
    for (const { seq } of this.#open) if (seq < oldest) oldest = seq;
    return oldest;
  }

  /** Whether any mutation is in flight. */
  hasMutations(): boolean {
    return this.#before.size > 0;
  }

  /** Whether a request is in flight, or shows something, whose sequence number is after one (or at it) and before another. */
  hasBetween(after: number, before: number): boolean {
    for (const { seq } of this.#open) if (seq >= after && seq < before) return true;
    return false;
  }

  /** How many requests are in flight, or still show something. */
  get size(): number {
    return this.#open.size;
  }

  /** The mutation that has been in flight for longest. */
  oldestMutation(): Ticket | undefined {
    // They have taken their numbers in the order in which they came.
    return this.#before.keys().next().value;
  }
}
