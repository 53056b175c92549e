import { argsText } from "../plain/args_text.ts";
import type { Args, Value } from "../plain/value.ts";
import type { EndpointConstructor, EndpointInstance } from "./endpoint_types.ts";

/** The constructor of a class of endpoints, as `extend` and subclasses call it. */
export interface EndpointClassType {
  new (fetch: Value, options?: object): EndpointBase;
}

/**
 * Endpoints that were not used yet. The fields of a subclass are set after the constructor below has run, and hide the
 * options that it put in place; `settle` puts them in place again at the first use.
 */
const fresh = new WeakSet<EndpointBase>();
/** Lets the options of an endpoint win over the fields of its class, and returns the endpoint. */
export function settle<E extends EndpointBase>(endpoint: E): E {
  return fresh.delete(endpoint) ? putOptions(endpoint, endpoint["~options"]) : endpoint;
}
/** Makes options members of an endpoint. An option that is `undefined` does not hide the member of the class. */
function putOptions<E extends object>(endpoint: E, options: object): E {
  const members = Object.getOwnPropertyDescriptors(options) as { [name: string]: PropertyDescriptor }, // by name
    prototype = Object.getPrototypeOf(endpoint);
  for (const name in members) if (members[name]!.value === undefined && name in prototype) delete members[name];
  // Assigning would fail, because the `name` of a function is read-only.
  return Object.defineProperties(endpoint, members);
}

/** A base class with the prototype of functions, so that endpoints have `call` and `bind`. Bundlers can drop it. */
const Callable =
  /* @__PURE__ */ (() => Object.assign(function () {}, { prototype: Function.prototype }))() as unknown as new () =>
  object; // called by `new` only

/** The base of all endpoints. `new` returns a function that fetches; its options are members of that function. */
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
  /** The key of a call in the store. Equal arguments, in any order of their members, give equal keys. */
  key(...args: Args): string {
    return `${settle(this).name} ${argsText(args)}`;
  }
  /** Whether a key is that of a call of this endpoint, with any arguments. */
  testKey(key: string): boolean {
    return key.startsWith(`${settle(this).name} `);
  }
  /** A new endpoint of the same class: these options win over its present ones. */
  extend(options: object): EndpointBase {
    return settle(new (this.constructor as EndpointClassType)({ ...this["~options"], ...options })); // of the same class
  }
}
/**
 * A function that fetches in any way, with options that say how its replies are stored: their schema, how long they are
 * fresh, whether a call changes something on the server.
 *
 * A direct call, `endpoint(…)`, runs the function and stores nothing. `controller.fetch(endpoint, …)` and hooks store the
 * reply. For a REST API use `RestEndpoint`, which has the function already.
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
export const Endpoint: EndpointConstructor = EndpointBase as never; // its `new` returns a function
/** What `new Endpoint` gives: a function with arguments `A`, reply `R`, schema `S`, side effect `E`. */
export type Endpoint<A extends Args = Value, R = Value, S = undefined, E = undefined> = EndpointInstance<A, R, S, E>;
