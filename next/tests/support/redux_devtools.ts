/**
 * The Redux DevTools extension as a page meets it: `connect`, `init`, `send`, and the messages of its monitor. States
 * cross as JSON text, as they do between a page and an extension; the history is kept as the real one keeps it.
 *
 * @module
 */

interface Message {
  readonly type: string;
  readonly state?: unknown;
  readonly payload?: unknown;
}

/** What the extension exports to a file, and reads from one. */
export interface LiftedState {
  /** Actions by id; 0 is the beginning. */
  readonly actionsById: { readonly [id: string]: { readonly action: { readonly type: string } } };
  /** The state after each of them. */
  readonly computedStates: readonly { readonly state: unknown }[];
  /** Which of them is shown. */
  readonly currentStateIndex: number;
  /** The id of the next action. */
  readonly nextActionId: number;
}

/** One store in the list of the extension. */
export class DevToolsTab {
  /** What the page has sent since the last commit, as it reached the extension. */
  actions: { readonly type: string; readonly [member: string]: unknown }[] = [];
  /** The states, as text: that of the last commit first. */
  states: string[] = [];
  /** The history that the page has sent, as the answer to an import. */
  lifted: LiftedState | undefined;
  readonly #listeners = new Set<(message: Message) => void>();

  /** @param options What the page connected with. */
  constructor(readonly options: { readonly name?: string; readonly maxAge?: number; readonly features?: object }) {}

  /** Listeners of the page. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** For the page. */
  init(state: unknown): void {
    this.actions = [];
    this.states = [JSON.stringify(state)];
  }

  /** For the page. */
  send(action: { readonly type: string } | null, state: unknown): void {
    if (action === null) {
      this.lifted = JSON.parse(JSON.stringify(state));
      return;
    }
    this.actions.push(JSON.parse(JSON.stringify(action)));
    this.states.push(JSON.stringify(state));
  }

  /** For the page. */
  subscribe(listener: (message: Message) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Somebody opens the monitor. */
  start(): void {
    this.tell({ type: "START" });
  }

  /** Somebody closes it. */
  stop(): void {
    this.tell({ type: "STOP" });
  }

  /** Somebody presses *Jump* at an action; 0 is the beginning, -1 the last. */
  jump(index: number): void {
    const state = this.states.at(index);
    this.dispatch({ type: "JUMP_TO_ACTION", actionId: index }, state);
  }

  /** Somebody presses *Commit*. */
  commit(): void {
    this.dispatch({ type: "COMMIT" });
  }

  /** Somebody presses *Revert*. */
  rollback(): void {
    this.dispatch({ type: "ROLLBACK" }, this.states[0]);
  }

  /** Somebody presses *Reset*. */
  reset(): void {
    this.dispatch({ type: "RESET" });
  }

  /** Somebody presses *Pause recording*, or the same again. */
  pause(status: boolean): void {
    this.dispatch({ type: "PAUSE_RECORDING", status });
  }

  /** The file that *Export* writes. */
  export(): string {
    const actions = [{ type: "@@INIT" }, ...this.actions];
    const lifted: LiftedState = {
      actionsById: Object.fromEntries(actions.map((action, id) => [id, { action }])),
      computedStates: this.states.map((state) => ({ state: JSON.parse(state) })),
      currentStateIndex: this.states.length - 1,
      nextActionId: this.states.length,
    };
    return JSON.stringify(lifted);
  }

  /** Somebody imports a file. */
  import(file: string): void {
    this.dispatch({ type: "IMPORT_STATE", nextLiftedState: JSON.parse(file) });
  }

  /** A message of the monitor. */
  dispatch(payload: object, state?: unknown): void {
    this.tell({ type: "DISPATCH", payload, state });
  }

  /** Any message. */
  tell(message: Message): void {
    for (const listener of [...this.#listeners]) listener(message);
  }
}

/** The extension, installed until it is disposed of. */
export class FakeReduxDevTools implements Disposable {
  /** Every store that connected. */
  readonly tabs: DevToolsTab[] = [];

  /** Installs it. */
  constructor() {
    Object.assign(globalThis, {
      __REDUX_DEVTOOLS_EXTENSION__: {
        connect: (options: object) => {
          const tab = new DevToolsTab(options);
          this.tabs.push(tab);
          return tab;
        },
      },
    });
  }

  /** The store that connected last. */
  get tab(): DevToolsTab {
    const tab = this.tabs.at(-1);
    if (tab === undefined) throw new Error("no store has connected");
    return tab;
  }

  /** Takes it away. */
  [Symbol.dispose](): void {
    delete (globalThis as { __REDUX_DEVTOOLS_EXTENSION__?: unknown }).__REDUX_DEVTOOLS_EXTENSION__;
  }
}
