// Types of what the tests use of `jsr:@std/assert`, written by hand, because the npm mirror is plain JavaScript.

// deno-lint-ignore no-explicit-any -- any class, with whatever constructor
type AnyConstructor = abstract new (...args: any[]) => any;

// deno-lint-ignore no-explicit-any -- any class of errors, with whatever constructor
type ErrorClass<E extends Error> = abstract new (...args: any[]) => E;

export function assert(expr: unknown, msg?: string): asserts expr;
export function assertEquals<T>(actual: T, expected: T, msg?: string): void;
export function assertInstanceOf<C extends AnyConstructor>(
  actual: unknown,
  expectedType: C,
  msg?: string,
): asserts actual is InstanceType<C>;
export function assertMatch(actual: string, expected: RegExp, msg?: string): void;
export function assertNotStrictEquals<T>(actual: T, expected: T, msg?: string): void;
export function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  errorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;
export function assertStrictEquals<T>(actual: unknown, expected: T, msg?: string): asserts actual is T;
export function assertStringIncludes(actual: string, expected: string, msg?: string): void;
export function assertThrows(fn: () => unknown, msg?: string): unknown;
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  errorClass: ErrorClass<E>,
  msgIncludes?: string,
  msg?: string,
): E;
