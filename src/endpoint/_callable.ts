/**
 * What makes an endpoint callable: a base class whose constructor gives back the function it was handed, so that `this`
 * of every subclass *is* that function. No code is made from text, so a strict Content-Security-Policy holds.
 *
 * @module
 */

/** The type of {@linkcode Callable}. Its instances are typed as `object`: a class typed as Function has untyped calls. */
export interface CallableConstructor {
  /** Gives back `self`. */
  new (self: object): object;
}

/** The base of all endpoints. */
export const Callable: CallableConstructor = /* @__PURE__ */ (() => {
  // A constructor that returns an object gives that object to `new` and to `super()`.
  function Callable(self: object): object {
    return self;
  }
  Callable.prototype = Object.create(Function.prototype);
  // Data members that an endpoint reads of itself, and that a class need not have. They are looked up on the endpoint, so
  // an absent one would be looked up on `Object.prototype`, where anybody may have put something.
  const names = "bound schema sideEffect signal dataExpiryLength errorExpiryLength invalidIfStale pollFrequency " +
    "errorPolicy getOptimisticResponse readReply scope pageOf update urlPrefix method searchParams body " +
    "requestInit deadline fetchReply use content getMany retry paginationField movePath recordPath isDetail";
  for (const name of names.split(" ")) {
    // Writable, so that an assignment to a member (class fields of older compile targets) makes an own one.
    Object.defineProperty(Callable.prototype, name, { value: undefined, writable: true, configurable: true });
  }
  return Callable as unknown as CallableConstructor;
})();
