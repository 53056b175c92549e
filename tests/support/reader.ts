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

/**
 * Mounts a reader of a schema with arguments.
 *
 * @param controller The controller of the store.
 * @param schema The schema.
 * @param args The arguments.
 * @returns The reader.
 */
export function readerOf<T>(controller: Controller, schema: unknown, ...args: readonly unknown[]): Reader<T> {
  const { store } = controller;
  const view = store.nodeOf(schema, args)!;
  let told = 0;
  const watcher = { tell: () => void told++, watcher: undefined }, stop = () => unwatch(view, watcher);
  watch(view, watcher);
  return {
    get value(): T {
      return store.get(schema, args) as T;
    },
    get told(): number {
      return told;
    },
    stop,
  };
}

/**
 * Mounts a reader of an endpoint.
 *
 * @param controller The controller of the store.
 * @param endpoint The endpoint.
 * @param args Its arguments.
 * @returns The reader.
 */
export function readerOfResponse<T>(
  controller: Controller,
  endpoint: AnyEndpoint,
  ...args: readonly unknown[]
): Reader<T> {
  const { store } = controller;
  const view = store.answer(endpoint, args);
  let told = 0;
  const watcher = { tell: () => void told++, watcher: undefined }, stop = () => unwatch(view, watcher);
  watch(view, watcher);
  return {
    get value(): T {
      return store.data(view) as T;
    },
    get told(): number {
      return told;
    },
    stop,
  };
}
