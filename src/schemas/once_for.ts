/** Makes something once for an owner and a name, and gives the same again; with the owner it goes. */
export function onceFor<T>(): (owner: object, name: string, make: () => T) => T {
  const made = new WeakMap<object, Map<string, T>>();
  return (owner, name, make) => {
    let own = made.get(owner);
    if (own === undefined) made.set(owner, own = new Map());
    if (!own.has(name)) own.set(name, make());
    return own.get(name)!;
  };
}
