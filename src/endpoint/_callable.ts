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
  // What functions have, and nothing of `Object.prototype`: an absent option would be looked up there, where anybody may
  // have put something.
  Callable.prototype = Object.create(null, Object.getOwnPropertyDescriptors(Function.prototype));
  return Callable as unknown as CallableConstructor;
})();
