/**
 * Puts other things in the place of globals until it is disposed of. What was there comes back as it was, inherited or
 * computed, and not only its value.
 *
 * @module
 */
export function replaceGlobals(replacements: object): Disposable {
  const before = Object.keys(replacements).map((key) =>
    [key, Reflect.getOwnPropertyDescriptor(globalThis, key)] as const
  );
  for (const [key, value] of Object.entries(replacements)) {
    Object.defineProperty(globalThis, key, { value, configurable: true, writable: true });
  }
  return {
    [Symbol.dispose]() {
      for (const [key, descriptor] of before) {
        if (descriptor) Object.defineProperty(globalThis, key, descriptor);
        else Reflect.deleteProperty(globalThis, key);
      }
    },
  };
}
