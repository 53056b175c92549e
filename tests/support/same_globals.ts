/**
 * For tests that share a worker: a test that leaves a global changed fails itself, instead of a later one that depends
 * on the global. The global is restored.
 *
 * @module
 */

/** Objects that tests replace, or that hostile data could change. */
const WATCHED: readonly object[] = [
  globalThis,
  console,
  Object.prototype,
  Array.prototype,
  Function.prototype,
  Promise.prototype,
  Date,
  Math,
];

type Members = Map<PropertyKey, PropertyDescriptor>;

function membersOf(thing: object): Members {
  return new Map(Reflect.ownKeys(thing).map((key) => [key, Reflect.getOwnPropertyDescriptor(thing, key)!]));
}

let before: Members[] = [];

Deno.test.beforeEach(() => {
  before = WATCHED.map(membersOf);
});

Deno.test.afterEach(() => {
  const changed = WATCHED.flatMap((thing, at) => putBack(thing, before[at]!));
  if (changed.length > 0) throw new Error(`The test leaves globals changed: ${changed.map(String).join(", ")}`);
});

function putBack(thing: object, members: Members): PropertyKey[] {
  const now = membersOf(thing);
  const changed = [...now.keys(), ...members.keys()].filter((key) => !isSame(now.get(key), members.get(key)));
  for (const key of new Set(changed)) {
    const descriptor = members.get(key);
    if (descriptor) Object.defineProperty(thing, key, descriptor);
    else Reflect.deleteProperty(thing, key);
  }
  return [...new Set(changed)];
}

function isSame(a: PropertyDescriptor | undefined, b: PropertyDescriptor | undefined): boolean {
  return a !== undefined && b !== undefined && Object.is(a.value, b.value) && a.get === b.get && a.set === b.set;
}
