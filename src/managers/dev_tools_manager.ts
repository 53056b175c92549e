import type { Action, Dispatch } from "../controller/action.ts";
import type { Controller } from "../controller/controller.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { said } from "../errors/texts.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import type { PlainPatch } from "../store/plain_patch.ts";
import { reasonOf } from "../errors/reason.ts";
import type { State } from "../parts/state/form.ts";
import { describeState } from "../parts/state/state.ts";
import { stateOf } from "../parts/state/state_of.ts";
import { redactedIfKnown } from "../parts/secrets/redacted_by.ts";
import { REDACTED } from "../parts/secrets/redact_text.ts";
import { withoutMembers } from "../parts/secrets/without_members.ts";
import { Commits, type Thrown } from "./_commits.ts";
import { reasonFor, subjectOf } from "./subject_of.ts";
import { attempt } from "../errors/report_error.ts";
import { type Session, SessionManager } from "./_sessions.ts";
import { TimeTravel } from "./time_travel.ts";

/** How a {@linkcode DevToolsManager} shows a store. */
export interface DevToolsManagerOptions {
  /** What the store is called in the list of stores. Defaults to `"Rejoin"`. */
  readonly name?: string | undefined;
  /** How many actions the extension keeps. Defaults to 50. */
  readonly maxAge?: number | undefined;
  /**
   * Which actions are shown. Defaults to all but reads that join one in flight.
   *
   * @param action What happened.
   */
  filter?(action: Action): boolean;
}

/** What the extension puts into the page. */
interface Extension {
  connect(options: object): Connection;
}

interface Connection {
  init(state: unknown): void;
  send(action: object | null, state: unknown): void;
  subscribe(listener: (message: Message) => void): (() => void) | undefined;
}

/** What the extension says. */
interface Message {
  readonly type: string;
  readonly state?: unknown;
  readonly payload?: {
    readonly type?: string;
    readonly status?: boolean;
    readonly nextLiftedState?: {
      readonly computedStates?: readonly { readonly state: unknown }[];
      readonly currentStateIndex?: number;
    };
  };
}

/**
 * Shows a store in the Redux DevTools extension: each action with what it changed, and the state after it. Where the
 * extension is not installed it does nothing, and while nobody looks it makes no state.
 *
 * Time travel works: while another moment is shown, nothing is sent and nothing is stored, and what was in flight is
 * given up; back in the present, what is mounted is fetched again. *Commit* makes the moment that is shown the present.
 * A state can be exported, and imported elsewhere. docs/devtools.md says more.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, DevToolsManager, stateOf } from "@rejoin/data";
 *
 * using controller = new Controller({ managers: [new DevToolsManager({ name: "Cinema" })] });
 * assert(stateOf(controller).lastReset === 0);
 * ```
 */
export class DevToolsManager extends SessionManager {
  /** @param options What is shown. */
  constructor(options: DevToolsManagerOptions = {}) {
    super((controller) => {
      const { __REDUX_DEVTOOLS_EXTENSION__: extension } = globalThis as {
        readonly __REDUX_DEVTOOLS_EXTENSION__?: Extension;
      };
      let session: DevTools | undefined;
      if (extension !== undefined) attempt(() => void (session = new DevTools(controller, extension, options)));
      return session;
    });
  }
}

/** One store in the extension. */
class DevTools implements Session {
  readonly #controller: Controller;
  readonly #options: DevToolsManagerOptions;
  readonly #connection: Connection;
  readonly #commits: Commits;
  readonly #unsubscribe: (() => void) | undefined;
  readonly #initial: State;
  /** What happened while nobody looked; without states, which would have to be made. */
  #unseen: object[] = [];
  #isWatched = false;
  #isPaused = false;
  readonly #travel: TimeTravel;

  constructor(controller: Controller, extension: Extension, options: DevToolsManagerOptions) {
    this.#controller = controller;
    this.#options = options;
    this.#travel = new TimeTravel(controller);
    const { name = "Rejoin", maxAge = 50 } = options;
    this.#connection = extension.connect({
      name,
      maxAge,
      // What is left out would make the extension run reducers, which it does not have.
      features: { pause: true, export: true, import: true, jump: true },
    });
    this.#initial = describeState(controller.store);
    this.#commits = new Commits(controller);
    this.#connection.init(stateOf(controller));
    this.#unsubscribe = this.#connection.subscribe((message) => attempt(() => this.#hear(message)));
  }

  stop(): void {
    this.#commits.stop();
    this.#unsubscribe?.();
  }

  /** Shows actions after they have happened; while another moment is shown, none happens. */
  handle(action: Action, next: Dispatch): unknown {
    if (this.#travel.isAway) return this.#travel.handle(action, next);
    const isShown = this.#isShown(action);
    return this.#commits.during(() => next(action), (patches, thrown) => {
      if (isShown) this.#show(describe(this.#controller, action, patches, thrown));
    });
  }

  #isShown(action: Action): boolean {
    const { filter } = this.#options;
    let isShown = true;
    attempt(() => {
      if (filter !== undefined) isShown = filter(action);
      else if (action.type === "fetch" && !action.endpoint.sideEffect) {
        isShown = this.#controller.findRead(action.endpoint, action.key) === undefined;
      }
    });
    return isShown;
  }

  #show(action: object): void {
    if (this.#isPaused) return;
    if (this.#isWatched) return attempt(() => this.#connection.send(action, stateOf(this.#controller)));
    this.#unseen.push(action);
    if (this.#unseen.length > (this.#options.maxAge ?? 50)) this.#unseen.shift();
  }

  #hear({ type, state, payload }: Message): void {
    if (type === "START") return this.#start();
    if (type === "STOP") {
      this.#isWatched = false;
      return this.#travel.end();
    }
    if (type !== "DISPATCH") return;
    switch (payload?.type) {
      case "JUMP_TO_STATE":
      case "JUMP_TO_ACTION":
        return this.#jump(readState(state));
      case "COMMIT":
        return this.#settle();
      case "ROLLBACK":
        return this.#settle(readState(state));
      case "RESET":
        return this.#settle(this.#initial);
      case "IMPORT_STATE":
        return this.#import(payload.nextLiftedState);
      case "PAUSE_RECORDING":
        this.#isPaused = payload.status === true;
    }
  }

  #start(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    const earlier = this.#unseen;
    this.#unseen = [];
    if (earlier.length > 0) this.#show({ type: "earlier", actions: earlier });
  }

  /** Shows another moment, or the present again. */
  #jump(state: Partial<State>): void {
    const { present, seen } = this.#travel;
    if (!deepEqual(state, plain(seen))) return this.#travel.show(state);
    this.#travel.settle(present);
    this.#travel.refresh();
  }

  /** Makes a state the present; left out: the one that is shown. */
  #settle(state?: Partial<State>): void {
    this.#travel.settle(state);
    this.#connection.init(stateOf(this.#controller));
    this.#travel.refresh();
  }

  #import(lifted: NonNullable<Message["payload"]>["nextLiftedState"]): void {
    const { computedStates = [], currentStateIndex = computedStates.length - 1 } = lifted ?? {};
    const computed = computedStates[currentStateIndex];
    if (computed === undefined) throw new RejoinError(said(704));
    this.#jump(readState(computed.state));
    this.#connection.send(null, lifted);
  }
}

/** A state as the extension gives it: as text, or as the object that a file held. */
function readState(state: unknown): Partial<State> {
  const value: unknown = typeof state === "string" ? JSON.parse(state) : state;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Partial<State>;
  throw new RejoinError(said(705, { value }));
}

/** A value as it comes back from the extension. */
function plain(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
}

/** An action as plain data: endpoints and schemas are functions and classes, which the extension cannot show. */
function describe(
  { store }: Controller,
  action: Action,
  patches: readonly PlainPatch[],
  thrown: Thrown | undefined,
): object {
  const subject = subjectOf(action, store);
  const described: Record<string, unknown> = { type: subject === "" ? action.type : `${action.type} ${subject}` };
  const schema = "endpoint" in action ? action.endpoint.schema : "schema" in action ? action.schema : undefined;
  const names = redactedIfKnown(store, schema);
  if ("args" in action) described.args = withoutMembers(safe(action.args), names, REDACTED);
  if ("error" in action) described.error = reasonFor(action, action.error, store);
  if (thrown !== undefined) described.threw = reasonFor(action, thrown.reason, store);
  if (patches.length > 0) described.patches = patches;
  return described;
}

function safe(args: readonly unknown[]): unknown {
  try {
    return plain(args);
  } catch (error) {
    return reasonOf(error);
  }
}
