/**
 * Reads a store as a component does: it is told when its value is another object.
 *
 * @module
 */
import type { AnyEndpoint, Controller } from "@rejoin/data";
import { unwatch, watch } from "../../src/store/row.ts";

/** A mounted reader. */
export interface Reader<T> {
  /** Its current value. */
  readonly value: T;
  /** How often it was told of a change. */
  readonly told: number;
  /** Unmounts it. */
  stop(): void;
}

/** Mounts a reader of a schema with arguments. */
export function readerOf<T>(controller: Controller, schema: unknown, ...args: readonly unknown[]): Reader<T> {
  const { store } = controller;
  return mount(store.nodeOf(schema, args)!, () => store.get(schema, args) as T);
}

/** Mounts a reader of an endpoint with arguments. */
export function readerOfResponse<T>(
  { store }: Controller,
  endpoint: AnyEndpoint,
  ...args: readonly unknown[]
): Reader<T> {
  const answer = store.answer(endpoint, args);
  return mount(answer, () => store.data(answer) as T);
}

function mount<T>(node: Parameters<typeof watch>[0], read: () => T): Reader<T> {
  let told = 0;
  const watcher = { tell: () => void told++, watcher: undefined };
  watch(node, watcher);
  return {
    get value(): T {
      return read();
    },
    get told(): number {
      return told;
    },
    stop: () => unwatch(node, watcher),
  };
}
