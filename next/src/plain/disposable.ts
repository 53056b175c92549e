/**
 * What `using` ends, in declarations that also a compiler reads whose `lib` does not know `using`: there it is nothing.
 *
 * @module
 */

/** Ended by `using`. */
export type Disposable = {
  [K in SymbolConstructor extends { readonly dispose: infer D extends symbol } ? D : never]: () => void;
};

/** Ended by `await using`. */
export type AsyncDisposable = {
  [K in SymbolConstructor extends { readonly asyncDispose: infer D extends symbol } ? D : never]: () => Promise<void>;
};
