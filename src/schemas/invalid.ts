/** A sentence for whoever reads a compile error: what is written there cannot work, and why. */
export interface Invalid<Message extends string> {
  /** The sentence. Never a value. */
  readonly "~invalid": Message;
}
