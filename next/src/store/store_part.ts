import type { Answer } from "./answers.ts";
import type { Commit } from "./commit.ts";

/** What the store tells a part. */
export interface StorePart {
  /** After all writes of a commit are in, before readers are told. Must not throw; may `mark` further nodes. */
  commit?(commit: Commit): void;
  /** An answer is used for the first time. */
  answer?(answer: Answer): void;
  reset?(): void;
}
