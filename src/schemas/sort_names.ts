/** With so few names, comparing each with those before it is faster than `sort()`. */
const FEW = 8;

/**
 * Sorts names in place, by UTF-16 code units as `sort()` does.
 *
 * @param names Names of members.
 * @returns The same array.
 */
export function sortNames(names: string[]): string[] {
  if (names.length > FEW) return names.sort();
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!;
    let at = i;
    for (; at > 0 && names[at - 1]! > name; at--) names[at] = names[at - 1]!;
    names[at] = name;
  }
  return names;
}
