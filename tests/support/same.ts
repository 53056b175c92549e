type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;

/** Compiles if both types are the same. */
export function same<A, B>(..._equal: Equal<A, B> extends true ? [] : [never]): void {}
