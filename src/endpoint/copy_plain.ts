/** A copy of a plain object or an array, one level deep; `undefined`: it is neither, or cannot be read. */
function shallow(value: object): object | undefined {
  try {
    // By spread, which defines and never calls a setter.
    if (Array.isArray(value)) return [...value];
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype) return { ...value };
    return prototype === null ? Object.assign(Object.create(null), value) : undefined;
  } catch {
    // A getter that throws, a revoked Proxy: whoever is given it may not look at it.
    return undefined;
  }
}

/**
 * A deep copy of plain objects and arrays: what their owner does to them afterwards changes nothing here. Instances of
 * classes, forms, files and streams in them are the same ones. What is in several places, or contains itself, is so in
 * the copy.
 *
 * @param value Any value.
 * @returns The copy; the value itself where it is neither a plain object nor an array.
 */
export function copyPlain<T>(value: T): T {
  // Most values are texts and numbers: what is made below would be paid for by each.
  if (typeof value !== "object" || value === null) return value;
  const copies = new Map<unknown, object>();
  const unfilled: Record<string, unknown>[] = [];
  const copyOf = (one: object | null): unknown => {
    let copy = copies.get(one);
    if (copy === undefined) {
      copy = one === null ? undefined : shallow(one);
      if (copy === undefined) return one;
      copies.set(one, copy);
      unfilled.push(copy as Record<string, unknown>);
    }
    return copy;
  };
  const root = copyOf(value) as T;
  for (let next = unfilled.pop(); next !== undefined; next = unfilled.pop()) {
    // Members of its own, whatever their names: no setter is called.
    for (const name in next) {
      if (typeof next[name] === "object" && Object.hasOwn(next, name)) next[name] = copyOf(next[name] as object | null);
    }
  }
  return root;
}

/**
 * The same for a value that is copied one level deep by whoever takes it: the value itself, where nothing is in it that
 * would have to be copied.
 */
export function copyNested<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const name in value) if (typeof value[name] === "object") return copyPlain(value);
  return value;
}

/**
 * Arguments of a call as values: each is a copy, if it is plain.
 *
 * @param args The arguments, as they were passed.
 */
export function copyArgs<A extends readonly unknown[]>(args: A): A {
  return args.some((arg) => typeof arg === "object") ? args.map(copyPlain) as unknown as A : args;
}

/** What arguments were copied of. */
const originals = new WeakMap<object, unknown>();

/** The same where the call may answer with one of them; see {@linkcode originalOf}. */
export function takeArgs<A extends readonly unknown[]>(args: A): A {
  const copies = copyArgs(args);
  copies.forEach((copy, at) => Object.is(copy, args[at]) || originals.set(copy as object, args[at]));
  return copies;
}

/**
 * What a call gives to who made it: an argument that comes back is the one that was passed.
 *
 * @param value The answer of the call.
 */
export function originalOf<T>(value: T): T {
  return (originals.get(value as object) ?? value) as T;
}
