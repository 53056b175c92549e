/**
 * What a component does with a store: it reads, and is told when its answer is another object.
 *
 * @module
 */
import type { AnyEndpoint, Controller } from "@rejoin/data";
import { unwatch, watch } from "../../src/store/row.ts";

/** A reader that is mounted. */
export interface Reader<T> {
  /** What it reads now. */
  readonly value: T;
  /** How often it was told. */
  readonly told: number;
  /** It unmounts. */
  stop(): void;
}

/**
 * Mounts a reader of what a schema and arguments name.
 *
 * @param controller Whose store.
 * @param schema What is read.
 * @param args What names it.
 * @returns The reader.
 */
export function readerOf<T>(controller: Controller, schema: unknown, ...args: readonly unknown[]): Reader<T> {
  const { store } = controller;
  const view = store.nodeOf(schema, args)!;
  let told = 0;
  const watcher = { tell: () => void told++ }, stop = () => unwatch(view, watcher);
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
 * Mounts a reader of an endpoint's answer.
 *
 * @param controller Whose store.
 * @param endpoint What is read.
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
  const watcher = { tell: () => void told++ }, stop = () => unwatch(view, watcher);
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
