/**
 * A copy of an object that inherits from nothing. `fetch` reads its init through the prototype, and so does
 * destructuring: without this a `method` or `body` that somebody put on `Object.prototype` would change every request.
 *
 * @param given An init, or options.
 * @returns Its own members, on an object without prototype.
 */
export function ownMembers<T extends object>(given: T): T {
  return Object.assign(Object.create(null), given);
}
