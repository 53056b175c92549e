/**
 * `const { fetch, set } = controller` is how people write it: the methods of a class know their object, however they are
 * called. Those of a subclass that stand in their place are bound, too.
 *
 * @param object Whose methods.
 * @param methods The prototype that has them, or inherits them.
 */
export function bindMethods(object: object, methods: object): void {
  for (let own = methods; own !== Object.prototype; own = Object.getPrototypeOf(own)) {
    for (const name of Object.getOwnPropertyNames(own)) {
      let holder = object;
      while (!Object.hasOwn(holder, name)) holder = Object.getPrototypeOf(holder);
      const { value } = Object.getOwnPropertyDescriptor(holder, name)!;
      // A getter of a subclass knows best.
      if (typeof value !== "function" || name === "constructor") continue;
      Object.defineProperty(object, name, { value: value.bind(object), writable: true, configurable: true });
    }
  }
}
