/** A value from the server or the app. The compiler cannot know its type, because a schema decides it at run time. */
// deno-lint-ignore no-explicit-any -- the one name for it
export type Value = any;

/** The arguments of a call. */
export type Args = readonly Value[];

/** A value that a higher folder attaches to an object of a lower one, which may not import its type. */
export type Attached = Value;

/** A type that nothing is assignable to. Its message is the sentence that the compile error shows. */
export interface Invalid<Message extends string> {
  readonly "~invalid": Message;
}

// A TypeScript `lib` without `using` has no `Symbol.dispose`. There these types are empty, so that declarations which name
// them still compile.

/** Can be declared by `using`, which calls its `[Symbol.dispose]`. */
export type Disposable = {
  [K in SymbolConstructor extends { readonly dispose: infer D extends symbol } ? D : never]: () => void;
};

/** Can be declared by `await using`, which calls its `[Symbol.asyncDispose]`. */
export type AsyncDisposable = {
  [K in SymbolConstructor extends { readonly asyncDispose: infer D extends symbol } ? D : never]: () => Promise<void>;
};
