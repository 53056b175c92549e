/**
 * Visits things after all that is below them; in a circle, one of it is first.
 *
 * @param things What to visit.
 * @param below What is directly below one.
 * @param visit Does it.
 */
export function belowFirst<T>(things: Iterable<T>, below: (thing: T) => Iterable<T>, visit: (thing: T) => void): void {
  const left = new Set(things);
  const met = new Set<T>();
  const stack = [...left];
  for (let top; (top = stack.at(-1)) !== undefined;) {
    if (met.has(top)) {
      stack.pop();
      if (left.delete(top)) visit(top);
    } else {
      met.add(top);
      for (const one of below(top)) if (!met.has(one)) stack.push(one);
    }
  }
}
