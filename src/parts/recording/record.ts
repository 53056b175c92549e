import { clock } from "../../deps/clock.ts";
import { CLEAN } from "../../denormalize/node.ts";
import { reasonOf } from "../../errors/reason.ts";
import type { AnyReadable } from "../../endpoint/interface.ts";
import { type AnySchema, isEntity, isSchemaObject } from "../../schemas/interface.ts";
import type { MarkAction } from "../../store/reducers/mark.ts";
import type { RenewAction } from "../../store/reducers/mod.ts";
import type { SetAction } from "../../store/reducers/set.ts";
import type { SetResponseAction } from "../../store/reducers/set_response.ts";
import type { Ticket } from "../../store/sequence.ts";
import type { State } from "../state/form.ts";
import { isInstanceOf } from "../../store/slot.ts";
import { stateOf } from "../state/state_of.ts";
import { isRecord } from "../../normalize/record.ts";
import { type PlainOptions, type StepData, toPlain } from "./plain_json.ts";
import { DATA, Secrets } from "./_secrets.ts";
import { namesOf } from "./_declarations.ts";
import { lookOn } from "./look_on.ts";
import type { Controller, Part } from "../../controller/controller.ts";
import type { Flight } from "../../controller/flight.ts";
import type { Action, Dispatch } from "../../controller/action.ts";
import type { RecordedAnswer, RecordedStep, RecordedView, Recording } from "./recording.ts";

/** What a recording leaves out, beside the members in `static redact` of the classes that it meets. */
export interface RecordOptions {
  /**
   * Called with the name and the value of every member that is about to be kept, of the store's state, of arguments,
   * bodies, replies and errors; what it returns is kept in its place. The items of an array have numbers as names, the
   * texts that name requests are called `key`. A member for which it throws is left out.
   *
   * @param name The name of the member.
   * @param value Its value.
   */
  readonly redact?: ((name: string, value: unknown) => unknown) | undefined;
}

/** A recording that runs. */
export interface Recorder {
  /** How many steps there are so far. */
  readonly length: number;
  /**
   * Ends it. What is in flight stays without an end. To stop twice gives the same.
   *
   * @returns What has happened, as plain data.
   */
  stop(): Recording;
}

/**
 * Records what happens to a store, for a bug report: what it knew, then every request with its reply, and everything that
 * was written by hand, in order, with times. `JSON.stringify` makes a text of it, `replay` plays it without network.
 *
 * Headers and cookies are never part of it; arguments, bodies and replies are, without the members that a class lists in
 * `static redact`; `redact` of the options leaves out more. What happened before the
 * recording began is known as far as `stateOf()` tells it: begin when nothing is in flight, best at once. Until it
 * is stopped it keeps all of it, and the store lets nothing go.
 *
 * @param controller Whose store.
 * @param options What is left out.
 * @returns How to stop it.
 * @throws {RejoinError} If the controller is being recorded already.
 *
 * @example
 * ```ts
 * import { assert, assertEquals } from "@std/assert";
 * import { Controller, Endpoint, Entity, record, replay } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   name = "";
 *   token = "";
 *   static key = "User";
 * }
 * const getUser = new Endpoint(
 *   async (id: string) => await Promise.resolve({ id, name: "Ada", token: "s3cret" }),
 *   { name: "getUser", schema: User },
 * );
 * const controller = new Controller();
 * const recorder = record(controller, { redact: (name, value) => name === "token" ? "***" : value });
 * await controller.fetch(getUser, "5");
 * controller.set(User, "5", { name: "Ada Lovelace" });
 * const text = JSON.stringify(recorder.stop());
 * assert(!text.includes("s3cret"));
 *
 * const again = replay(JSON.parse(text), { endpoints: [getUser] });
 * await again.run();
 * assertEquals(again.controller.get(User, "5")?.name, "Ada Lovelace");
 * ```
 */
export function record(controller: Controller, options: RecordOptions = {}): Recorder {
  return new StoreRecorder(controller, options);
}

/** A step as it is made: what a function gave, and that it threw, is known only later. */
type Draft = { -readonly [K in keyof RecordedStep]: RecordedStep[K] };

/** What a step is made of, before it is plain. */
type RawStep = { readonly [K in Exclude<keyof RecordedStep, "at">]?: unknown } & Pick<RecordedStep, "type">;

/** What an endpoint was called with. */
interface Call {
  readonly endpoint: AnyReadable;
  readonly key: string;
  readonly args: readonly unknown[];
}

class StoreRecorder implements Recorder, Part {
  readonly #controller: Controller;
  readonly #plain: PlainOptions;
  readonly #secrets: Secrets;
  readonly #steps: Draft[] = [];
  readonly #views: RecordedView[] = [];
  /** Where each read stands among the views. */
  readonly #viewAt = new WeakMap<object, number>();
  #unread = "";
  /** The requests in flight of which it is not recorded yet what became of them. */
  readonly #flights = new Map<Flight, number>();
  /** The mutations that the server has and a reset has taken away. */
  readonly #out = new Map<Ticket, number>();
  #lastId = 0;
  readonly #start: Omit<Recording, "views" | "steps">;
  readonly #undo: () => void;

  constructor(controller: Controller, { redact }: RecordOptions) {
    this.#controller = controller;
    const secrets = this.#secrets = new Secrets(controller.store);
    this.#plain = { redact: (name, value) => secrets.redact(name, value, redact) };
    const { defaults: { errorPolicy: _, ...defaults }, tables } = controller.store;
    this.#start = {
      version: 1,
      at: clock.now(),
      state: this.#plainState(stateOf(controller)),
      answers: this.#answers(),
      defaults: toPlain(defaults),
      temporaryIds: tables.idCount,
    };
    this.#undo = lookOn(controller, this);
  }

  get length(): number {
    return this.#steps.length;
  }

  stop(): Recording {
    this.#undo();
    const { idToken } = this.#controller.store.tables;
    return {
      ...this.#start,
      ...idToken !== "" && { temporaryToken: idToken },
      views: this.#secrets.seenNow(this.#views),
      steps: this.#secrets.seenNow(this.#steps),
    };
  }

  started(flight: Flight): void {
    if (this.#flights.has(flight)) return;
    const id = ++this.#lastId;
    this.#flights.set(flight, id);
    const isMutation = Boolean(flight.endpoint.sideEffect);
    this.#add({ type: "fetch", id, ...this.#call(flight), isMutation }, clock.now());
  }

  ended(flight: Flight): void {
    const id = this.#flights.get(flight);
    this.#flights.delete(flight);
    if (id !== undefined) this.#add({ type: "abort", id }, clock.now());
  }

  forgotten(ticket: Ticket): void {
    const id = this.#out.get(ticket);
    this.#out.delete(ticket);
    if (id !== undefined) this.#add({ type: "forgotten", id }, clock.now());
  }

  /** What is in flight is taken away; which of it the server has. */
  #drop(): number[] | undefined {
    const out = [...this.#flights].filter(([{ isOut }]) => isOut);
    for (const [{ ticket }, id] of out) this.#out.set(ticket!, id);
    this.#flights.clear();
    return out.length === 0 ? undefined : out.map(([, id]) => id);
  }

  perform(action: Action, next: Dispatch): unknown {
    switch (action.type) {
      case "set":
        return this.#set(action, next);
      case "setResponse": {
        const { ticket, response, heard, date } = action;
        if (ticket !== undefined) this.#replied(action, { value: response });
        else {
          const said = { value: response, isHeard: heard && true };
          const step = this.#add({ type: "setResponse", ...this.#call(action), ...said }, date);
          return this.#noting(step, () => next(action));
        }
        break;
      }
      case "renew":
        this.#replied(action, { isUnchanged: true });
        break;
      case "setError": {
        const { ticket, error, date } = action;
        if (ticket !== undefined) this.#end(ticket, { type: "error", error }, date);
        else this.#add({ type: "setError", ...this.#call(action), error }, date);
        break;
      }
      case "expire":
      case "invalidate":
        this.#mark(action);
        break;
      case "replace":
        this.#add({ type: action.type, out: this.#drop() }, action.date).value = this.#plainState(
          action.state as Partial<State>,
        );
        break;
      case "reset":
        this.#add({ type: action.type, out: this.#drop() }, action.date);
        break;
      case "subscribe":
      case "unsubscribe":
        this.#add({ type: action.type, ...this.#call(action) }, clock.now());
    }
    return next(action);
  }

  #set(action: SetAction, next: Dispatch): unknown {
    const { schema, args, value, heard, date } = action;
    this.#secrets.meet(schema);
    const named = {
      type: "set",
      isHeard: heard && true,
      schema: namesOf(schema),
      args: this.#controller.store.tables.aliases?.resolve(args) ?? args,
    } as const;
    if (typeof value !== "function") {
      const step = this.#add({ ...named, value }, date);
      return this.#noting(step, () => next(action));
    }
    const step = this.#add(named, date);
    const make = (present: unknown): unknown => {
      const made: unknown = value(present);
      const isChange = isRecord(present) && isRecord(made) && (isEntity(schema) || isPicking(schema));
      if (isChange) step.isChange = true;
      step.value = this.#valueOf(isChange ? changesOf(made, present) : made);
      return made;
    };
    return this.#noting(step, () => next({ ...action, value: make }));
  }

  #mark(action: MarkAction): void {
    const { type, testKey, only, date } = action;
    // What follows from a reply will follow from it again.
    if (action.cause !== undefined) return;
    const { store } = this.#controller;
    const keys = new Set(store.matchingEntries({ testKey }).map(({ key }) => key));
    const { endpoint, key, args } = only ?? {};
    const call = endpoint === undefined ? {} : this.#call({ endpoint, key: key!, args: args! });
    this.#add({ type, keys: Array.from(keys, (key) => this.#keyOf(key)), ...call }, date);
  }

  #replied({ ticket, reply, date }: RenewAction | SetResponseAction, step: Omit<RawStep, "type">): void {
    const isRemembered = reply?.memo === undefined ? undefined : true;
    const { dataExpiryLength } = reply ?? {};
    this.#end(ticket!, { type: "reply", ...step, isRemembered, dataExpiryLength }, date);
  }

  /** Does what a step is about; when it throws, nothing has happened. */
  #noting(step: Draft, act: () => unknown): unknown {
    try {
      return act();
    } catch (reason) {
      step.threw = String(this.#plainMember("message", reasonOf(reason)));
      throw reason;
    }
  }

  /** How a request ended. What is said of it later follows from that. */
  #end(ticket: Ticket, step: RawStep, date: number): void {
    for (const [flight, id] of this.#flights) {
      if (flight.ticket !== ticket) continue;
      this.#flights.delete(flight);
      this.#add({ ...step, id, isElsewhere: flight.isSent ? undefined : true }, date);
    }
  }

  #add(step: RawStep, at: number): Draft {
    const before = this.#views.length;
    const unread = this.#look();
    const draft: Record<string, unknown> = {};
    // What the step itself consists of is for the replay, and nothing to be left out.
    for (const [name, member] of Object.entries({ ...step, at })) {
      if (name === "value") draft.value = this.#valueOf(member);
      else if (member !== undefined) draft[name] = DATA.has(name) ? this.#plainMember(name, member) : member;
    }
    if (this.#views.length !== before) draft.views = this.#views.length;
    if (String(unread) !== this.#unread) {
      draft.unread = unread;
      this.#unread = String(unread);
    }
    const made = draft as Draft;
    this.#steps.push(made);
    return made;
  }

  /** Which reads there are, and which of them nobody has made since they changed: marks reach what was read. */
  #look(): number[] {
    const { responsesByKey, tables } = this.#controller.store;
    const read = new Set<number>();
    for (const [key, views] of responsesByKey) {
      for (const view of views) {
        if (view.state !== CLEAN || isSchemaObject(view.endpoint) || tables.hasId(key)) continue;
        let at = this.#viewAt.get(view);
        if (at === undefined) {
          this.#viewAt.set(view, at = this.#views.length);
          const { endpoint, key, args } = this.#call(view);
          this.#views.push({ endpoint, key, args: this.#plainMember("args", args) as readonly StepData[] });
        }
        read.add(at);
      }
    }
    return [...this.#views.keys()].filter((at) => !read.has(at));
  }

  #call({ endpoint, key, args }: Call) {
    this.#secrets.meet(endpoint.schema);
    const { aliases } = this.#controller.store.tables;
    this.#secrets.ask(args);
    return { endpoint: endpoint.name, key: this.#keyOf(key), args: aliases?.resolve(args) ?? args };
  }

  /** A key has arguments in it, so it is told like a member. */
  #keyOf(key: string): string {
    const kept = this.#plainMember("key", this.#secrets.text(key));
    return typeof kept === "string" ? kept : JSON.stringify(kept);
  }

  #answers(): RecordedAnswer[] {
    const met = [...this.#controller.store.entries.all()].filter(({ shape, hasResult }) =>
      shape !== undefined && hasResult
    );
    met.forEach(({ shape }) => this.#secrets.meet(shape!.schema));
    met.forEach(({ args }) => this.#secrets.ask(args));
    return met.map(({ key, args = [] }) => ({
      key: this.#keyOf(key),
      args: this.#plainMember("args", args) as readonly StepData[],
    }));
  }

  #plainState(state: Partial<State>): StepData {
    const renamed = (table: object = {}) =>
      Object.fromEntries(Object.entries(table).map(([key, value]) => [this.#keyOf(key), value]));
    const { endpoints, meta } = state;
    return toPlain({ ...state, endpoints: renamed(endpoints), meta: renamed(meta) }, this.#plain);
  }

  #plainMember(name: string, value: unknown): StepData {
    return (toPlain({ [name]: value }, this.#plain) as { readonly [name: string]: StepData })[name]!;
  }

  #valueOf(value: unknown): StepData {
    const pkOf = (object: object) => this.#ownPk(object);
    return (toPlain({ value }, { ...this.#plain, pkOf }) as { readonly value: StepData }).value;
  }

  /** An object that was read from the store is no news to it: it only says which record is meant. */
  #ownPk(object: object): string | undefined {
    const { constructor } = object as { readonly constructor?: unknown };
    if (!isEntity(constructor)) return undefined;
    const { graph, tables } = this.#controller.store;
    const plan = graph.planOf(constructor);
    const pk = graph.pkOf(plan, [object]);
    const slot = pk === undefined ? undefined : tables.find(tables.of(plan), pk);
    return isInstanceOf(plan, slot, object) ? pk : undefined;
  }
}

function isPicking(schema: AnySchema): boolean {
  return isSchemaObject(schema) && schema.pick !== undefined;
}

/** A function may give back members that an object has by default only, and that nobody has said. */
function changesOf(made: { readonly [name: string]: unknown }, present: { readonly [name: string]: unknown }): object {
  return Object.fromEntries(Object.entries(made).filter(([name, value]) => value !== present[name]));
}
