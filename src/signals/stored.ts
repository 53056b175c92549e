import { batch, Signal, signal } from "../deps/signals_core.ts";
import type { Value } from "../plain/value.ts";
import { type Node, unwatch, watch, type Watcher } from "../store/row.ts";
import type { Store } from "../store/store.ts";

/** Changes with each commit, so that computed signals of unwatched nodes are read again. */
const commits = /* @__PURE__ */ signal(0);
const inBatch = (tell: () => void): void =>
  batch(() => {
    commits.value = commits.peek() + 1;
    tell();
  });

const OPTIONS = {
  watched(this: Signal): void {
    (this as Stored<Node, unknown>).open(); // the only signals with these options
  },
  unwatched(this: Signal): void {
    (this as Stored<Node, unknown>).close(); // the only signals with these options
  },
};

/** A signal of a value that is read from a node. It watches the store only while it is watched itself. */
export abstract class Stored<N extends Node, T> extends Signal<T> implements Watcher {
  watcher: Watcher | undefined;
  #node: N | undefined;
  #isOpen = false;
  /** Whether reading threw: then the signal holds the error. */
  #isFailed = false;

  /** Preact renders no object that has a constructor, so this signal hides its own. */
  override get ["constructor"](): never {
    return undefined as never; // what no code reads but Preact
  }
  constructor(store: Store) {
    super(undefined, OPTIONS);
    store.batch = inBatch;
  }
  /** Finds the node. After `memory` removed a record, its node is another one. */
  abstract find(): N;
  abstract look(node: N): T;
  /** Called when nothing watches this signal any more. */
  left?(node: N): void;

  get node(): N {
    return this.#node ?? this.find();
  }
  override get value(): T {
    if (!this.#isOpen || this.#isFailed) this.#read();
    // The first subscriber calls `open` in here.
    const value = super.value;
    if (!this.#isOpen) {
      this.#node = undefined;
      void commits.value;
    }
    if (this.#isFailed) {
      // A reading that failed may not know all its nodes, so it is tried again after each commit.
      void commits.value;
      throw value;
    }
    return value;
  }
  /** Runs after each commit that may have given the node another value or state. */
  tell(): void {
    if (this.#node) this.#read();
  }
  open(): void {
    if (!this.#node) this.#read();
    this.#isOpen = true;
    watch(this.#node!, this);
  }
  close(): void {
    const node = this.#node!;
    this.#isOpen = false;
    this.#node = undefined;
    unwatch(node, this);
    // Computed signals that used this value must read it again.
    super.value = this as Value; // never read: `value` looks first
    this.left?.(node);
  }
  #read(): void {
    const node = this.#node ??= this.find();
    let value;
    this.#isFailed = false;
    try {
      value = this.look(node);
    } catch (error) {
      this.#isFailed = true;
      value = error as T; // thrown by `value`
    }
    super.value = value as T; // either
  }
}
