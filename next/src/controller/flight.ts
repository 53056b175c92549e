import type { RunEndpoint } from "../endpoint/run_endpoint.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Answer } from "../store/answers.ts";
import type { Layer } from "../store/layers.ts";
import type { Table } from "../store/table.ts";

/** A request in flight. */
export interface Flight {
  readonly endpoint: RunEndpoint;
  args: Args;
  /** The tick when it started. */
  readonly started: number;
  /** Of a read. */
  readonly answer: Answer | undefined;
  readonly abort: AbortController;
  promise?: Promise<Value>;
  /** A call of `controller.fetch` waits for it: it goes on when nothing reads it. */
  isHeld?: boolean;
  /** Of a mutation: the tables that it may write. */
  readonly tables: readonly Table[];
  /** Of a mutation: the pk of the record that it is about. */
  subject?: string | undefined;
  layer?: Layer;
  /** The temporary id of what it creates, and how to get one: see `temporaryIds`. */
  temporary?: string;
  temporaryId?(): string;
}
