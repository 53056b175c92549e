import type { Answer } from "../store/answers.ts";
import type { Commit } from "../store/commit.ts";

/** A feature that plugs in: `new Controller({ use: [part] })`. All members are optional. */
export interface Part {
  /** Once, by the controller that uses it. */
  install?(controller: any): void;
  /** A request exists; nothing is sent yet. */
  start?(flight: any): void;
  /** Around the sending of a request: may wait, change `flight.args`, or answer by itself. */
  send?(flight: any, next: () => Promise<any>): Promise<any>;
  /** After all writes of a commit are in, before readers are told. Must not throw; may `mark` further nodes. */
  commit?(commit: Commit): void;
  /** The outcome of a request is in, or was refused. */
  settle?(flight: any): void;
  /** An answer is used for the first time. */
  answer?(answer: Answer): void;
  reset?(): void;
  cleanup?(): void;
}
