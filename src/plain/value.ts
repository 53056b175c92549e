/** A value that the server or the app gave. Its schema says what it is, which the compiler cannot know. */
// deno-lint-ignore no-explicit-any -- the one name for it
export type Value = any;

/** The arguments of a call, as the endpoint takes them. */
export type Args = readonly Value[];

/** What a higher room keeps beside a thing of a lower one: only that room knows its type. */
export type Attached = Value;

/** A sentence in a compile error. */
export interface Invalid<Message extends string> {
  readonly "~invalid": Message;
}

// What `using` ends, in declarations that also a compiler reads whose `lib` does not know `using`: there it is nothing.

/** Ended by `using`. */
export type Disposable = {
  [K in SymbolConstructor extends { readonly dispose: infer D extends symbol } ? D : never]: () => void;
};

/** Ended by `await using`. */
export type AsyncDisposable = {
  [K in SymbolConstructor extends { readonly asyncDispose: infer D extends symbol } ? D : never]: () => Promise<void>;
};
