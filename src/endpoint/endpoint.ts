import { EndpointError } from "../errors/endpoint_error.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { argsKey } from "../schemas/args_key.ts";
import { copyArgs } from "./copy_plain.ts";
import type { Schema } from "../schemas/interface.ts";
import { Callable } from "./_callable.ts";
import type {
  CheckOwn,
  Drop,
  EndpointExtendOptions,
  EndpointOptions,
  FetchArgs,
  FetchResult,
  Get,
  PolicyMembers,
  TypesOf,
  WithOwn,
} from "./endpoint_types.ts";

/** Options for which `undefined` is a value of its own, and not "as the class has it". */
const UNDEFINED_COUNTS: readonly string[] = ["schema", "body", "searchParams"];

/** The function of an endpoint. `this` is the endpoint. */
// deno-lint-ignore no-explicit-any -- typed where it is passed; a function declaration may ask for its own `this`
export type EndpointFunction<A extends readonly unknown[], R> = (this: any, ...args: A) => Promise<R>;

/**
 * The function that becomes the endpoint. A name that is known is given when it is made: functions whose name is taken
 * away or changed later are slow ever after, for engines keep their members in a dictionary.
 */
function makeSelf(name: string | undefined): object {
  const self = {
    // async: a function that throws at once rejects, like one that throws later
    async [name!](...args: unknown[]): Promise<unknown> {
      return await (self as EndpointBase).settle().fetch(...args);
    },
  }[name!]!;
  // Its own would hide the getter.
  if (name === undefined) delete (self as { name?: string }).name;
  return self;
}

function nameOf({ name }: { readonly name: string }): string {
  return name === "anonymous" ? "" : name;
}

/** Puts options over what an endpoint has from its class. */
function put(endpoint: object, options: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(options)) {
    const value = options[name];
    if (value === undefined && !UNDEFINED_COUNTS.includes(name)) continue;
    // define, not assign: a getter of the class must not stand in the way
    Object.defineProperty(endpoint, name, { value, writable: true, enumerable: true, configurable: true });
  }
}

/**
 * What arguments add to a key.
 *
 * @param name The endpoint, for the error.
 * @param value Arguments, or a body.
 * @param where Which of them it is, for the error.
 * @throws {EndpointError} If they cannot be told from others by what they hold.
 */
export function argsText(name: string, value: unknown, where = "an argument"): string {
  try {
    return argsKey(value);
  } catch (cause) {
    if (!(cause instanceof SchemaError)) throw cause;
    throw new EndpointError(name, said(401, { name, where, cause }), { cause });
  }
}

/** The members of an endpoint that are no methods of the class. All may be given as options. */
// deno-lint-ignore no-explicit-any -- variance: an endpoint of unknown shape accepts all
export interface EndpointBase<A extends readonly unknown[] = any, R = any, S = undefined, E = undefined>
  extends PolicyMembers {
  /** Calls the function. Nothing is stored: that is what `controller.fetch(endpoint, ...args)` does. */
  (...args: A): Promise<R>;
  /** What the type checker knows. Never assigned. */
  readonly "~types": TypesOf<A, R, S>;
  /** The function itself. `this` must be the endpoint. */
  fetch(...args: A): Promise<R>;
  /** Where entities are in the answer. */
  readonly schema: S;
  /** `true`: a mutation. */
  readonly sideEffect: E;
}

/**
 * What all kinds of endpoints are. Not for use by itself: `Endpoint` and `RestEndpoint` add how they are extended.
 *
 * An instance *is* a function: {@linkcode Callable} makes `this` the arrow below.
 */
// deno-lint-ignore no-explicit-any -- variance: an endpoint of unknown shape accepts all
export class EndpointBase<A extends readonly unknown[] = any, R = any, S = undefined, E = undefined> extends Callable {
  readonly #options: Readonly<Record<string, unknown>>;
  #settled = false;

  /**
   * @param fetch The function. Its name is the endpoint's name, unless `options.name` is given: do so for code that is
   * minified.
   * @param options Schema and policy.
   * @param defaultName For classes of this library, where `new` is of none that extends them: the name where `options`
   * has none. There are no class fields then that could stand over the options.
   */
  constructor(
    fetch: EndpointFunction<A, R>,
    options?: EndpointOptions<S & (Schema | undefined), E & (boolean | undefined)>,
    defaultName?: string,
  ) {
    const own: Record<string, unknown> = { ...options, fetch };
    const isBase = new.target === EndpointBase;
    const name = own.name ?? (isBase && fetch ? nameOf(fetch) : defaultName);
    const self = Object.setPrototypeOf(makeSelf(typeof name === "string" ? name : undefined), new.target.prototype);
    put(self, own);
    super(self);
    this.#options = own;
    this.#settled = isBase || defaultName !== undefined;
  }

  /** What it was made with, `fetch` included: for subclasses that extend in a way of their own. */
  protected get "~options"(): Readonly<Record<string, unknown>> {
    return this.#options;
  }

  /**
   * Puts the options over class fields of a subclass, which are defined after the constructor of this class. It runs by
   * itself when the endpoint is first used; a subclass calls it where it reads a member of an endpoint that may never
   * have been used.
   *
   * @returns This endpoint.
   */
  settle(): this {
    if (!this.#settled) put(this, this.#options);
    this.#settled = true;
    return this;
  }

  /** Names the endpoint in messages and keys: the option, or the name of the function; `""` when there is none. */
  get name(): string {
    return nameOf(this.fetch);
  }

  /**
   * Names a call: equal arguments give equal keys, whatever the order of their members; others never do. Members and
   * last arguments that are `undefined` count as absent.
   *
   * @param args The arguments of the call.
   * @returns `name [arguments]`.
   * @throws {EndpointError} If the endpoint has no name, or an argument holds what cannot be told from others by its
   * content: a function, a symbol, a `Map`, a cycle.
   */
  key(...args: A): string {
    const { name } = this.settle();
    if (name === "") throw new EndpointError("", said(400));
    let length = args.length;
    while (length > 0 && args[length - 1] === undefined) length--;
    return `${name} ${argsText(name, args.slice(0, length))}`;
  }

  /**
   * Whether a key belongs to this endpoint, whatever its arguments.
   *
   * @param key A key.
   */
  testKey(key: string): boolean {
    return key.startsWith(`${this.settle().name} [`);
  }

  /**
   * A copy with some members replaced. The original stays as it is; the class, and what it overrides, is kept.
   *
   * @param options What is different. `undefined` takes an option back, so that the class's own member counts; for
   * `schema` it means: none.
   * @returns A new endpoint, whose options have won over class fields already.
   */
  // deno-lint-ignore no-explicit-any -- each kind of endpoint has options and a result of its own
  extend(options: any): any {
    const { fetch, ...merged } = { ...this.#options, ...options };
    const name = Object.hasOwn(merged, "name") ? merged.name : this.settle().name;
    const Class = this.constructor as new (fetch: unknown, options: object) => EndpointBase;
    return new Class(fetch, { ...merged, name: name || undefined }).settle();
  }

  /**
   * An endpoint whose first arguments are fixed. A controller makes and stores its calls as those of the original with all
   * arguments: schemas, and the functions of the endpoint, see the whole call.
   *
   * @param thisArg What `this` is in the function. `undefined` or `null`: the endpoint, as it is without `bind`.
   * @param bound The fixed arguments.
   * @returns An endpoint for the arguments that remain. Extended, it stays bound; given another `fetch`, it is an endpoint
   *   of its own, of those arguments.
   */
  bind<const B extends Partial<A>>(thisArg: unknown, ...bound: B): Endpoint<Drop<A, B>, R, S, E> {
    const { fetch, key } = this.settle();
    const args: readonly unknown[] = copyArgs(bound);
    const whole: EndpointBase = thisArg === undefined || thisArg === null
      ? this as EndpointBase
      : this.extend({ fetch: (fetch as AnyFunction).bind(thisArg) });
    const own = {
      name: this.name || undefined,
      fetch: (...rest: unknown[]) => (whole as AnyFunction)(...args, ...rest),
      key: (...rest: unknown[]) => (key as AnyFunction).call(whole, ...args, ...rest),
      bound: { endpoint: whole, args },
      extend: (options: object): unknown =>
        Object.hasOwn(options, "fetch")
          ? EndpointBase.prototype.extend.call(made, { bound: undefined, extend: undefined, ...options })
          : whole.extend(options).bind(undefined, ...args),
    };
    const made: Endpoint<Drop<A, B>, R, S, E> = this.extend(own);
    return made;
  }
}

// deno-lint-ignore no-explicit-any -- bind passes arguments on, whatever they are
type AnyFunction = (this: unknown, ...args: any) => any;

/** An endpoint without a protocol; see the class of the same name. */
// deno-lint-ignore no-explicit-any -- variance: an endpoint of unknown shape accepts all
export interface Endpoint<A extends readonly unknown[] = any, R = any, S = undefined, E = undefined>
  extends EndpointBase<A, R, S, E> {
  /**
   * A copy with some members replaced. The original stays as it is; the class, and what it overrides, is kept.
   *
   * @param options What is different. `undefined` takes an option back, so that the class's own member counts; for
   * `schema` it means: none. `fetch` replaces the function; the name stays. Members of one's own are kept.
   * @returns A new endpoint, whose options have won over class fields already.
   */
  extend<P extends object>(options: P & EndpointExtendOptions & CheckOwn<P>): Extension<
    this,
    Endpoint<FetchArgs<P, A>, FetchResult<P, R>, Get<P, "schema", S>, Get<P, "sideEffect", E>>,
    P
  >;
}

/**
 * What `extend` with options `P` gives: the endpoint `N`, with what the class or the options of `T` add. An `extend` of a
 * class, which overrides it, is compared with the branch of a plain Endpoint alone.
 */
type Extension<T, N, P> = [Kind<T>] extends ["own"] ? WithOwn<N & Omit<Own<T>, keyof P>, P> : WithOwn<N, P>;
type Kind<T> = [keyof T] extends [keyof Endpoint] ? "plain" : "own";
type Own<T> = { [K in Exclude<keyof T, keyof Endpoint>]: T[K] };

/** How an endpoint is made; may be extended as a class. */
export interface EndpointConstructor {
  /**
   * @param fetch The function. Its name is the endpoint's name, unless `options.name` is given: do so for code that is
   * minified.
   * @param options Schema and policy, and members of the app's own, which are then on the endpoint.
   */
  new <
    A extends readonly unknown[],
    R,
    S extends Schema | undefined = undefined,
    E extends boolean | undefined = undefined,
    X extends object = Record<never, never>,
  >(
    fetch: EndpointFunction<A, R>,
    options?: EndpointOptions<S, E> & X & CheckOwn<X>,
  ): WithOwn<Endpoint<A, R, S, E>, X>;
  /** What all endpoints have in common. */
  // deno-lint-ignore no-explicit-any -- as every prototype of a generic class
  readonly prototype: Endpoint<any, any, any, any>;
}

/**
 * An async function with a key, a schema and a policy: what controller and hooks call, read and cache. It is protocol
 * free; for REST there is `RestEndpoint`.
 *
 * An instance *is* a function: call it directly, and nothing is cached. Promises: the call always gives a promise, also
 * when the function throws synchronously; `key` is the same for equal arguments, whatever the order of their members,
 * and different for all others; options win over class fields of a subclass, at the latest when the endpoint is first
 * called, extended or asked for a key.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Endpoint, Entity } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   static key = "User";
 * }
 * const getUser = new Endpoint(async (params: { id: string }) => await Promise.resolve({ ...params }), {
 *   name: "getUser",
 *   schema: User,
 *   dataExpiryLength: 10_000,
 * });
 * assert((await getUser({ id: "5" })).id === "5");
 * assert(getUser.key({ id: "5" }) === 'getUser [{"id":"5"}]');
 * assert(getUser.extend({ dataExpiryLength: Infinity }).name === "getUser");
 * ```
 */
export const Endpoint: EndpointConstructor = EndpointBase as EndpointConstructor;
