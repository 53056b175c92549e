/** `null` in place of the first argument: do nothing. */
export function isInactive(args: readonly unknown[]): boolean {
  return args[0] === null;
}
