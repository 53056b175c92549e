/**
 * The Redux DevTools extension as a page sees it: `connect`, `init`, `send`, and the messages of its monitor. States
 * are passed as JSON text, as between a page and an extension, and the history is kept as the real extension keeps it.
 *
 * @module
 */

interface Message {
  readonly type: string;
  readonly state?: unknown;
  readonly payload?: unknown;
}

/** The data that the extension exports to a file and imports from one. */
export interface LiftedState {
  /** The actions by id; 0 is the initial one. */
  readonly actionsById: { readonly [id: string]: { readonly action: { readonly type: string } } };
  /** The state after each action. */
  readonly computedStates: readonly { readonly state: unknown }[];
  /** The index of the state that is shown. */
  readonly currentStateIndex: number;
  /** The id of the next action. */
  readonly nextActionId: number;
}

/** One store in the extension's list. */
export class DevToolsTab {
  /** The actions since the last commit, as they reached the extension. */
  actions: { readonly type: string; readonly [member: string]: unknown }[] = [];
  /** The states as text, starting with that of the last commit. */
  states: string[] = [];
  /** The history that the page has sent in answer to an import. */
  lifted: LiftedState | undefined;
  readonly #listeners = new Set<(message: Message) => void>();

  /** @param options The options with which the page connected. */
  constructor(readonly options: { readonly name?: string; readonly maxAge?: number; readonly features?: object }) {}

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Called by the page. */
  init(state: unknown): void {
    this.actions = [];
    this.states = [JSON.stringify(state)];
  }

  /** Called by the page. */
  send(action: { readonly type: string } | null, state: unknown): void {
    if (action === null) {
      this.lifted = JSON.parse(JSON.stringify(state));
      return;
    }
    this.actions.push(JSON.parse(JSON.stringify(action)));
    this.states.push(JSON.stringify(state));
  }

  /** Called by the page. */
  subscribe(listener: (message: Message) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A user opens the monitor. */
  start(): void {
    this.tell({ type: "START" });
  }

  /** A user closes it. */
  stop(): void {
    this.tell({ type: "STOP" });
  }

  /** A user presses *Jump* at an action; 0 is the initial one, -1 the last. */
  jump(index: number): void {
    const state = this.states.at(index);
    this.dispatch({ type: "JUMP_TO_ACTION", actionId: index }, state);
  }

  /** A user presses *Commit*. */
  commit(): void {
    this.dispatch({ type: "COMMIT" });
  }

  /** A user presses *Revert*. */
  rollback(): void {
    this.dispatch({ type: "ROLLBACK" }, this.states[0]);
  }

  /** A user presses *Reset*. */
  reset(): void {
    this.dispatch({ type: "RESET" });
  }

  /** A user presses *Pause recording*, or presses it again. */
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

  /** A user imports a file. */
  import(file: string): void {
    this.dispatch({ type: "IMPORT_STATE", nextLiftedState: JSON.parse(file) });
  }

  /** Sends a message of the monitor. */
  dispatch(payload: object, state?: unknown): void {
    this.tell({ type: "DISPATCH", payload, state });
  }

  /** Sends any message. */
  tell(message: Message): void {
    for (const listener of [...this.#listeners]) listener(message);
  }
}

/** The extension, installed until it is disposed of. */
export class FakeReduxDevTools implements Disposable {
  /** Every store that has connected. */
  readonly tabs: DevToolsTab[] = [];

  /** Installs the extension. */
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

  /** Removes the extension. */
  [Symbol.dispose](): void {
    delete (globalThis as { __REDUX_DEVTOOLS_EXTENSION__?: unknown }).__REDUX_DEVTOOLS_EXTENSION__;
  }
}
