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
  readonly isMutation: boolean;
  /** A read that started while mutations were in flight: the server may have answered it before them. */
  readonly isBehind: boolean;
  /** When it was sent, by the count of events; until then, when it was asked for. */
  startedAt: number;
  /** What its reply became, until whoever waits for that has read it. */
  written?: Written | undefined;
}

/** Said by a stream while mutations were in flight. */
export interface Heard {
  /** Where it stands in the order of writes, if it can be asked for. */
  readonly seq: number;
  /** Marks in a patch what nobody knows. */
  mark(store: object, patch: object): void;
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
  readonly #inFlight = new Set<Ticket>();
  /** How many reads stand before each mutation in flight. */
  readonly #before = new Map<Ticket, number>();
  /** Mutations that are over, and still show something at their sequence numbers. */
  readonly #shown = new Set<number>();
  /** What is written now was said by a stream: where that stands, `undefined` where it is later than everything. */
  hearing: ((sequence: this) => Heard | undefined) | undefined;

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
    const ticket: Ticket = { seq, isMutation, isBehind: oldest !== undefined, startedAt: this.event() };
    this.#inFlight.add(ticket);
    if (isMutation) this.#before.set(ticket, 0);
    return ticket;
  }

  /** A mutation is on the wire from now on: with what has settled before, it did not overlap. */
  send(ticket: Ticket): void {
    ticket.startedAt = this.event();
  }

  /** A request has its reply, or never will. Whether it was in flight. */
  settle(ticket: Ticket): boolean {
    this.#before.delete(ticket);
    return this.#inFlight.delete(ticket);
  }

  /** A mutation that is over goes on showing something: what was written later is kept apart until that goes. */
  show(seq: number, isShown: boolean): void {
    if (isShown) this.#shown.add(seq);
    else this.#shown.delete(seq);
  }

  /** The sequence number of the oldest request in flight, or of what is shown for one; `Infinity` when there is none. */
  oldest(): number {
    let seq = Infinity;
    for (const shown of this.#shown) if (shown < seq) seq = shown;
    if (this.#inFlight.size === 0) return seq;
    for (const ticket of this.#inFlight) if (ticket.seq < seq) seq = ticket.seq;
    return seq;
  }

  /** Whether any mutation is in flight. */
  hasMutations(): boolean {
    return this.#before.size > 0;
  }

  /** Whether a request is in flight, or shows something, whose sequence number is after one (or at it) and before another. */
  hasBetween(after: number, before: number): boolean {
    for (const seq of this.#shown) if (seq >= after && seq < before) return true;
    for (const { seq } of this.#inFlight) if (seq >= after && seq < before) return true;
    return false;
  }

  /** How many requests are in flight. */
  get size(): number {
    return this.#inFlight.size;
  }

  /** The mutation that has been in flight for longest. */
  oldestMutation(): Ticket | undefined {
    // They have taken their numbers in the order in which they came.
    return this.#before.keys().next().value;
  }
}
