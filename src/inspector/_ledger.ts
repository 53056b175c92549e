import type { Action } from "../controller/action.ts";
import type { Controller, Part } from "../controller/controller.ts";
import type { Flight } from "../controller/flight.ts";
import { clock } from "../deps/clock.ts";
import { isEnding } from "../errors/is_ending.ts";
import { subjectOf } from "../managers/subject_of.ts";
import { redactText } from "../parts/secrets/redact_text.ts";
import { redactedIfKnown } from "../parts/secrets/redacted_by.ts";
import { describeCommit } from "../parts/commits/describe_commit.ts";
import type { State } from "../parts/state/form.ts";
import { describeError, describeState } from "../parts/state/state.ts";
import type { EntityRecord } from "../schemas/plan.ts";
import type { Patch } from "../store/patch.ts";
import type { PlainPatch } from "../store/plain_patch.ts";
import type { Released } from "../store/store.ts";

/** So many requests and commits are remembered; the oldest goes first. */
const MOST_REQUESTS = 200;
const MOST_MOMENTS = 1_000;
/** Changed records that are remembered, of all commits together: they keep what is gone since. */
const MOST_CHANGES = 100_000;

/** One request, in flight or over. */
export interface RequestNote {
  readonly id: number;
  /** The name of the endpoint. */
  readonly name: string;
  readonly key: string;
  readonly isMutation: boolean;
  /** When it was asked for; ms since 1970. */
  readonly at: number;
  /** The same by the clock that does not jump. */
  readonly startedAt: number;
  /** How long it took, in ms; `undefined` while it is in flight. */
  took: number | undefined;
  /** `"waiting"`: not sent yet. `"ended"`: somebody gave it up. */
  state: "waiting" | "pending" | "done" | "failed" | "ended";
  /** It shows, or showed, something before the answer. */
  hasLayer: boolean;
  /** What it showed is gone again. */
  isRolledBack: boolean;
  /** What it failed with. */
  error: string;
}

/** A record as pending mutations showed it. */
export interface ShownRecord {
  readonly key: string;
  readonly pk: string;
  /** `undefined`: deleted. */
  readonly record: EntityRecord | undefined;
}

/** One commit. */
export interface Moment {
  readonly id: number;
  /** When; ms since 1970. */
  readonly at: number;
  readonly type: Action["type"];
  /** What it was about. */
  readonly subject: string;
  readonly patch: PlainPatch;
  /** What pending mutations showed after it. */
  readonly shown: readonly ShownRecord[];
  /** What was known before, where all of it went. */
  readonly before: State | undefined;
}

const NOTHING: PlainPatch = { seq: 0, fetchedAt: 0, expiresAt: 0, reset: false, records: [], names: [], endpoints: [] };
const NONE_SHOWN: readonly ShownRecord[] = [];

/** Takes note of what a controller does: of requests, and of commits with what they have changed. */
export class Ledger implements Part {
  /** The oldest first. */
  readonly requests: RequestNote[] = [];
  /** The oldest first. */
  readonly moments: Moment[] = [];
  /** What pending mutations show now. */
  shown: readonly ShownRecord[] = NONE_SHOWN;
  /** The store shows another moment: what it is told for that is no history. */
  #isPaused = false;
  readonly #controller: Controller;
  readonly #changed: () => void;
  readonly #flights = new Map<Flight, RequestNote>();
  #lastId = 0;
  #changes = 0;
  #described: PlainPatch | undefined;
  #before: State | undefined;

  /**
   * @param controller Whose.
   * @param changed Is called after each change.
   */
  constructor(controller: Controller, changed: () => void) {
    this.#controller = controller;
    this.#changed = changed;
    for (const flight of controller.flights) this.started(flight);
  }

  /** How many requests are in flight. */
  get inFlight(): number {
    return this.#flights.size;
  }

  started(flight: Flight): void {
    if (this.#flights.has(flight)) return;
    const { endpoint, key, args } = flight;
    const note: RequestNote = {
      id: ++this.#lastId,
      name: endpoint.name,
      key: redactText(key, redactedIfKnown(this.#controller.store, endpoint.schema), args),
      isMutation: Boolean(endpoint.sideEffect),
      at: clock.now(),
      startedAt: clock.monotonic(),
      took: undefined,
      state: "waiting",
      hasLayer: false,
      isRolledBack: false,
      error: "",
    };
    this.#flights.set(flight, note);
    this.requests.push(note);
    if (this.requests.length > MOST_REQUESTS) this.requests.shift();
    flight.promise.then(() => this.#settled(flight), (reason) => this.#settled(flight, { reason }));
    this.#changed();
  }

  /** Whether commits are passed over. After that, nothing is shown by pending mutations: they were given up. */
  rest(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.shown = NONE_SHOWN;
  }

  changing(patch: Patch | undefined): void {
    if (this.#isPaused) return;
    const { store } = this.#controller;
    this.#described = patch && describeCommit(store, patch);
    this.#before = patch?.reset ? describeState(store) : undefined;
  }

  committed(patch: Patch, done: unknown): void {
    if (this.#isPaused) return;
    const action = done as Action;
    this.#lookAtLayers();
    const { covered } = patch.overlay;
    this.shown = covered.size === 0
      ? NONE_SHOWN
      : Array.from(covered, ([{ table: { key }, pk }, { shown: record }]) => ({ key, pk, record }));
    this.#add(action.type, subjectOf(action, this.#controller.store), this.#described ?? NOTHING);
  }

  released(what: Released, done: unknown): void {
    if (this.#isPaused) return;
    const { type, seq } = done as Action & { readonly seq: number };
    this.#add(type, "", { ...NOTHING, ...what, seq });
  }

  /** What is in flight, as it is now. */
  refresh(): void {
    for (const [{ isSent }, note] of this.#flights) note.state = isSent ? "pending" : "waiting";
  }

  #add(type: Moment["type"], subject: string, patch: PlainPatch): void {
    const { shown } = this;
    const moment = { id: ++this.#lastId, at: clock.now(), type, subject, patch, shown, before: this.#before };
    this.#described = this.#before = undefined;
    this.moments.push(moment);
    this.#changes += changesOf(moment);
    while (this.moments.length > MOST_MOMENTS || (this.#changes > MOST_CHANGES && this.moments.length > 1)) {
      this.#changes -= changesOf(this.moments.shift()!);
    }
    this.#changed();
  }

  /** The layer of a flight is made after it has started, and is forgotten when it ends. */
  #lookAtLayers(): void {
    const { layers } = this.#controller.store;
    if (layers.length === 0) return;
    for (const [{ layer }, note] of this.#flights) note.hasLayer ||= layer !== undefined && layers.includes(layer);
  }

  #settled(flight: Flight, failure?: { readonly reason: unknown }): void {
    const note = this.#flights.get(flight);
    if (note === undefined) return;
    this.#flights.delete(flight);
    note.took = clock.monotonic() - note.startedAt;
    note.state = failure === undefined ? "done" : isEnding(failure.reason) ? "ended" : "failed";
    note.isRolledBack = note.hasLayer && failure !== undefined;
    if (failure !== undefined) {
      const { name, message } = describeError(failure.reason);
      const { endpoint: { schema }, args } = flight;
      note.error = redactText(`${name}: ${message}`, redactedIfKnown(this.#controller.store, schema), args);
    }
    this.#changed();
  }
}

function changesOf({ patch, before }: Moment): number {
  // A state of everything counts as much as it may hold.
  return 1 + patch.records.length + patch.endpoints.length + (before === undefined ? 0 : MOST_CHANGES / 20);
}
