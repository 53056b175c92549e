/**
 * The Redux DevTools extension as a page sees it: `connect`, `init`, `send`, and the start and stop of its monitor.
 * Actions and states are passed as JSON text, as between a page and an extension.
 *
 * @module
 */

interface Message {
  readonly type: "START" | "STOP";
}

/** One store in the extension's list. */
export class DevToolsTab {
  /** The actions as they reached the extension. */
  actions: { readonly type: string; readonly [member: string]: unknown }[] = [];
  /** The states as text, starting with that of `init`. */
  states: string[] = [];
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
  send(action: { readonly type: string }, state: unknown): void {
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
    for (const listener of [...this.#listeners]) listener({ type: "START" });
  }

  /** A user closes it. */
  stop(): void {
    for (const listener of [...this.#listeners]) listener({ type: "STOP" });
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
