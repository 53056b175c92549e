import { argsText } from "../plain/args_text.ts";
import type { Args, Value } from "../plain/value.ts";
import type { EndpointConstructor, EndpointInstance } from "./endpoint_types.ts";

/** What a class is that makes endpoints, for classes that extend it. */
export interface EndpointClassType {
  new (fetch: Value, options?: object): EndpointBase;
}

/** Options win over the fields of a class, which are set after this constructor: they are put in place again at first use. */
const fresh = new WeakSet<EndpointBase>();
/** Puts the options of an endpoint in place; returns it. */
export function settle<E extends EndpointBase>(endpoint: E): E {
  return fresh.delete(endpoint) ? putOptions(endpoint, endpoint["~options"]) : endpoint;
}
/** An option that is `undefined` is what the class says. */
function putOptions<E extends object>(endpoint: E, options: object): E {
  const members = Object.getOwnPropertyDescriptors(options) as { [name: string]: PropertyDescriptor }, // by name
    prototype = Object.getPrototypeOf(endpoint);
  for (const name in members) if (members[name]!.value === undefined && name in prototype) delete members[name];
  // `name` of a function cannot be assigned.
  return Object.defineProperties(endpoint, members);
}

/** Its instances have what functions have, as `call`: made without an effect, so that bundlers may leave it out. */
const Callable =
  /* @__PURE__ */ (() => Object.assign(function () {}, { prototype: Function.prototype }))() as unknown as new () =>
  object; // called by `new` only

/** A function that fetches, and what there is to know of its answers. `new` returns the function; options are its members. */
export class EndpointBase extends Callable {
  declare readonly name: string;
  declare readonly "~options": Value;

  constructor(fetch: Value, options?: object) {
    super();
    const all: object = typeof fetch == "function" ? { name: fetch.name, ...options, fetch } : fetch;
    const self: Value = Object.setPrototypeOf((...args: Args) => settle(self).fetch(...args), new.target.prototype);
    fresh.add(self);
    return putOptions(self, { ...options, ...all, "~options": all });
  }
  /** Names the answer of a call in the store. */
  key(...args: Args): string {
    return `${settle(this).name} ${argsText(args)}`;
  }
  /** Whether a key is one of this endpoint. */
  testKey(key: string): boolean {
    return key.startsWith(`${settle(this).name} `);
  }
  /** The same endpoint with other options. */
  extend(options: object): EndpointBase {
    return settle(new (this.constructor as EndpointClassType)({ ...this["~options"], ...options })); // of the same class
  }
}
/**
 * A function that fetches in any way, with what there is to know of its answers: a schema, how long they are fresh,
 * whether it changes something on the server. A call of it asks, and stores nothing; `controller.fetch(endpoint, …)`
 * stores the answer. For a REST API `RestEndpoint` has the function already.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Controller, Endpoint, Entity } from "@rejoin/data";
 *
 * class Film extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Film";
 * }
 * const getFilm = new Endpoint(({ id }: { id: string }) => Promise.resolve({ id, title: "Alien" }), {
 *   name: "getFilm",
 *   schema: Film,
 * });
 * const controller = new Controller();
 * await controller.fetch(getFilm, { id: "1" });
 * assertEquals(controller.get(Film, "1")?.title, "Alien");
 * ```
 */
export const Endpoint: EndpointConstructor = EndpointBase as never; // what `new` returns can be called
/** What `new Endpoint` gives, with arguments `A`, answer `R`, schema `S`, side effect `E`. */
export type Endpoint<A extends Args = Value, R = Value, S = undefined, E = undefined> = EndpointInstance<A, R, S, E>;
