import { said } from "../../errors/texts.ts";
import type {
  AnyEndpoint,
  CallContext,
  CallReply,
  EndpointDefaults,
  RememberedReply,
} from "../../endpoint/interface.ts";
import { EndpointError } from "../../errors/endpoint_error.ts";
import { isInstance } from "../../errors/is_instance.ts";
import { reasonOf } from "../../errors/reason.ts";
import { RejoinError } from "../../errors/rejoin_error.ts";
import { SchemaError } from "../../errors/schema_error.ts";
import { type AnySchema, isEntity } from "../../schemas/interface.ts";
import { shapeOf } from "../../store/entry.ts";
import { hear } from "../../store/hear.ts";
import { reduceRenew, remember } from "../conditional/remember.ts";
import { hydrate } from "../state/hydrate.ts";
import type { State } from "../state/form.ts";
import { checkRecording, checkStep, readStart } from "./_check_recording.ts";
import { Declarations } from "./_declarations.ts";
import { fromCall } from "./plain_json.ts";
import { lookOn } from "./look_on.ts";
import { Controller, type Part } from "../../controller/controller.ts";
import type { Flight } from "../../controller/flight.ts";
import type { Action, Dispatch } from "../../controller/action.ts";
import type { RecordedAnswer, RecordedStep, RecordedView, Recording } from "./recording.ts";

/** What a recording is played with. */
export interface ReplayOptions {
  /** All endpoints and resources that the recording names; those of the app. */
  readonly endpoints: Iterable<object>;
  /** Schemas that were `set`, where they are not in the schemas of the endpoints. */
  readonly schemas?: Iterable<AnySchema> | undefined;
  /** Functions among the `defaults` of the recorded controller; the rest is in the recording. */
  readonly defaults?: EndpointDefaults | undefined;
  /** Freezes what the library makes and turns warnings on. */
  readonly strict?: boolean | undefined;
}

/** A recording that is played. */
export interface Replay {
  /** Whose store it is played in: read it, watch it, give it to a `DataProvider`. */
  readonly controller: Controller;
  /** How many steps have been done. */
  readonly at: number;
  /**
   * Does the next step.
   *
   * @returns The step; `undefined` when there is none.
   * @throws {EndpointError} If its endpoint is not among those given.
   * @throws {SchemaError} If its schema is not among those given.
   * @throws {RejoinError} If the store takes another way than the recorded one, or it is no step.
   */
  next(): Promise<RecordedStep | undefined>;
  /** Does all steps that are left. It throws what {@linkcode Replay.next} throws. */
  run(): Promise<void>;
}

/**
 * Plays a recording in a fresh controller, without network: requests start and are answered in the recorded order, by the
 * recorded replies, at the recorded times. After each step `stateOf()` is what it was then.
 *
 * The code of the app runs again: `process`, `merge`, `validate`, `getOptimisticResponse`, `update`. Where they are not
 * pure, or are not those that ran then, the state is another one: that may be what a bug report is about. Managers do not
 * run: what they did is in the recording. No step waits for time to pass.
 *
 * @param recording What `record` gave, also after a way through JSON.
 * @param options The endpoints and schemas of the app.
 * @returns The controller, and how to go on.
 * @throws {RejoinError} If it is no recording of this version.
 *
 * @example Looking at the state after each step
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Controller, Entity, record, replay } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const controller = new Controller();
 * const recorder = record(controller);
 * for (const title of ["One", "Two"]) controller.set(Article, "5", { id: "5", title });
 *
 * const again = replay(recorder.stop(), { endpoints: [], schemas: [Article] });
 * const titles: unknown[] = [];
 * while (await again.next() !== undefined) titles.push(again.controller.get(Article, "5")?.title);
 * assertEquals(titles, ["One", "Two"]);
 * ```
 */
export function replay(recording: Recording, options: ReplayOptions): Replay {
  return new StoreReplay(recording, options);
}

/** So many turns of the microtask queue are enough for whatever follows from one step. */
const TURNS = 64;

/** The calls of one endpoint that take the place of its own. */
interface Line {
  /** Answers the last call. */
  settle: ((reply: Promise<RememberedReply>) => void) | undefined;
  readonly abort: AbortController;
}

class StoreReplay implements Replay, Part {
  readonly controller: Controller;
  #at = 0;
  readonly #recording: Recording;
  readonly #declared: Declarations;
  #date = 0;
  /** The requests in flight by what they are called in the recording. */
  readonly #flights = new Map<number, Flight>();
  /** Requests that follow from others: they are in the recording, too. */
  readonly #unclaimed = new Set<Flight>();
  readonly #lines = new WeakMap<AnyEndpoint, Line>();
  /** The mutations that a reset has taken away. */
  readonly #out = new Map<number, Line>();
  #starting: number | undefined;
  #views = 0;
  #unread: ReadonlySet<number> = new Set();

  constructor(recording: Recording, { endpoints, schemas = [], defaults, strict }: ReplayOptions) {
    checkRecording(recording);
    this.#recording = recording;
    this.#declared = new Declarations(endpoints, schemas);
    const state = readStart(() => fromCall(recording.state) as Partial<State>);
    this.controller = new Controller({
      use: [hydrate(state)],
      defaults: { ...readStart(() => fromCall(recording.defaults) as EndpointDefaults), ...defaults },
      strict,
      // While it was recorded, nothing was let go.
    });
    const { temporaryIds: idCount, temporaryToken: idToken = "" } = recording;
    const { store } = this.controller;
    Object.assign(store.tables, { idCount, idToken });
    // Hydrated, it would be a reset of another store.
    store.lastReset = Number(state.lastReset ?? 0);
    readStart(() => recording.answers.forEach((answer) => this.#claim(answer)));
    lookOn(this.controller, this);
  }

  get at(): number {
    return this.#at;
  }

  async next(): Promise<RecordedStep | undefined> {
    const step = this.#recording.steps[this.#at];
    if (step === undefined) return undefined;
    this.#at++;
    try {
      checkStep(step);
      this.#date = step.at;
      this.#read(step);
      // What threw has changed nothing.
      if (step.threw === undefined) {
        if (step.isHeard) hear(this.controller.store, () => this.#do(step));
        else this.#do(step);
      }
    } catch (reason) {
      if (isInstance(reason, EndpointError) || isInstance(reason, SchemaError)) throw reason;
      const { length: steps } = this.#recording.steps;
      throw new RejoinError(said(656, { step: this.#at, steps, reason: reasonOf(reason) }), { cause: reason });
    }
    for (let turn = 0; turn < TURNS; turn++) await undefined;
    if ((step.type === "reply" || step.type === "error") && this.#flights.has(step.id!)) {
      throw new RejoinError(said(657, { step: this.#at, steps: this.#recording.steps.length }));
    }
    return step;
  }

  async run(): Promise<void> {
    while (await this.next() !== undefined);
  }

  perform(action: Action, next: Dispatch): unknown {
    return next("date" in action ? { ...action, date: this.#date } : action);
  }

  started(flight: Flight): void {
    for (const known of this.#flights.values()) if (known === flight) return;
    if (this.#starting === undefined) this.#unclaimed.add(flight);
    else this.#flights.set(this.#starting, flight);
  }

  ended(flight: Flight): void {
    this.#unclaimed.delete(flight);
    for (const [id, known] of this.#flights) if (known === flight) this.#flights.delete(id);
  }

  /** The store had met the endpoint of an answer: it knows what that is made of. */
  #claim({ key, args: plain }: RecordedAnswer): void {
    const { store, store: { entries } } = this.controller;
    const args = fromCall(plain) as unknown[];
    const endpoint = this.#declared.readOf(key, args);
    const [entry] = entries.of(key);
    if (endpoint === undefined || entry === undefined) return;
    entries.set({ ...entry, shape: shapeOf(endpoint), args });
    store.await(endpoint.schema);
  }

  #do(step: RecordedStep): void {
    const { controller } = this;
    const value = step.value === undefined ? undefined : fromCall(step.value);
    const error = step.error === undefined ? undefined : fromCall(step.error);
    const args = fromCall(step.args ?? []) as unknown[];
    switch (step.type) {
      case "fetch":
        return this.#fetch(step, args);
      case "reply":
      case "error":
        return this.#answer(step, value, error);
      case "abort":
        return this.#lineOf(step.id!)?.abort.abort();
      case "set":
        return this.#set(step, args, value);
      case "setResponse":
        return controller.setResponse(this.#endpoint(step, args), ...args, value);
      case "setError":
        return controller.setError(this.#endpoint(step, args), ...args, error);
      case "expire":
      case "invalidate":
        return this.#mark(step, args);
      case "forgotten":
        // Nobody wants the answer.
        return this.#out.get(step.id!)?.settle?.(Promise.resolve({ value: undefined }));
      case "replace":
        return this.#drop(step, () => hydrate(controller, value as Partial<State>));
      case "reset":
        return this.#drop(step, () => controller.resetEntireStore());
      case "subscribe":
      case "unsubscribe":
        return;
    }
    throw new RejoinError(said(658, { type: step.type }));
  }

  /** What is in flight is taken away; only what the server had then is waited for. */
  #drop({ out = [] }: RecordedStep, reset: () => void): void {
    for (const [id, flight] of this.#flights) {
      const line = this.#lineOf(id);
      if (!out.includes(id)) flight.isSent = false;
      else if (line !== undefined) this.#out.set(id, line);
    }
    this.#flights.clear();
    this.#unclaimed.clear();
    reset();
  }

  #fetch(step: RecordedStep, args: readonly unknown[]): void {
    for (const flight of this.#unclaimed) {
      if (flight.key !== step.key) continue;
      this.#unclaimed.delete(flight);
      this.#flights.set(step.id!, flight);
      return;
    }
    const line: Line = { settle: undefined, abort: new AbortController() };
    const endpoint = this.#endpoint(step, args);
    const call: AnyEndpoint = endpoint.extend({
      signal: line.abort.signal,
      hasDeadline: true,
      fetchReply: (context: CallContext) =>
        new Promise<CallReply>((resolve) =>
          line.settle = (reply) => resolve(reply.then((one) => remember(context, one)))
        ),
      // Each mutation can be told from others of the same key.
      ...step.isMutation && { key: () => `${step.key} #${step.id}` },
    });
    this.#lines.set(call, line);
    this.#starting = step.id;
    try {
      this.controller.fetch(call, ...args).catch(() => {});
    } finally {
      this.#starting = undefined;
    }
  }

  #answer({ type, id, dataExpiryLength, ...step }: RecordedStep, value: unknown, error: unknown): void {
    const flight = this.#flights.get(id!);
    if (flight === undefined) {
      // What waited for a create that failed has failed with it.
      if (type === "error") return;
      throw new RejoinError(said(659, { id }));
    }
    if (step.isElsewhere) {
      const reply = type === "error" ? { error } : { response: value };
      this.controller.resolve(flight.endpoint, { args: flight.args, ...reply } as never);
      return;
    }
    const line = this.#lineOf(id!);
    if (type === "error") return line?.settle?.(Promise.reject(error));
    const { isUnchanged: unchanged, isRemembered: memo } = step;
    const reply = {
      memo,
      dataExpiryLength: dataExpiryLength === undefined ? undefined : fromCall(dataExpiryLength) as number,
    };
    const { endpoint, args, key, ticket } = flight;
    if (!unchanged || this.controller.store.entries.get(key, endpoint)?.memo !== undefined) {
      return line?.settle?.(Promise.resolve({ ...reply, value, unchanged }));
    }
    // The answer came before the recording began, and nobody knows what stood on it but its entry.
    this.controller.dispatch({
      type: "renew",
      endpoint,
      args,
      key,
      seq: ticket!.seq,
      date: step.at,
      ticket,
      reply,
      reduce: reduceRenew,
    });
    line?.abort.abort();
  }

  #set({ schema: names, isChange }: RecordedStep, args: readonly unknown[], value: unknown): void {
    const schema = this.#declared.schema(names!);
    // What was given was the object that the store had made of the record: nothing was written.
    if (isEntity(schema) && typeof value !== "object" && value !== undefined) return;
    const given = isChange ? (present: object) => ({ ...present, ...value as object }) : value;
    (this.controller.set as (schema: AnySchema, ...rest: unknown[]) => void).call(
      this.controller,
      schema,
      ...args,
      given,
    );
  }

  #mark(step: RecordedStep, args: readonly unknown[]): void {
    const { controller } = this;
    const keys = new Set(step.keys);
    const { endpoint, key } = step;
    controller.dispatch({
      type: step.type as "expire" | "invalidate",
      testKey: (held) => keys.has(held),
      only: endpoint === undefined ? undefined : { key: key!, shape: shapeOf(this.#endpoint(step, args)) },
      seq: controller.store.sequence.take(),
      date: step.at,
    });
  }

  /** Reads what was read then: what a mutation leaves stale, it leaves stale where somebody has looked. */
  #read({ views = this.#views, unread }: RecordedStep): void {
    const { store } = this.controller;
    this.#views = views;
    if (unread !== undefined) this.#unread = new Set(unread);
    for (const [index, view] of this.#recording.views.slice(0, views).entries()) {
      if (this.#unread.has(index)) continue;
      const args = fromCall(view.args) as unknown[];
      store.response(this.#endpoint(view, args), args, view.key).read(store.graph);
    }
  }

  #endpoint({ endpoint, key }: RecordedStep | RecordedView, args: readonly unknown[]): AnyEndpoint {
    return this.#declared.endpoint({ endpoint: endpoint!, key: key! }, args);
  }

  #lineOf(id: number): Line | undefined {
    const flight = this.#flights.get(id);
    return flight === undefined ? undefined : this.#lines.get(flight.endpoint);
  }
}
