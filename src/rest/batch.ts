import type { Flight } from "../controller/part.ts";
import { argsText } from "../plain/args_text.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import { entityOf } from "../store/schema.ts";
import { pathOf } from "./path.ts";
import type { RestEndpointBase } from "./rest_endpoint.ts";

/** Options of {@linkcode batch}. */
export interface BatchOptions {
  /** The search parameter with the ids. */
  readonly param: string;
  /** The text between the ids: `","` gives `ids=1,2`. Without it they are sent as an array: `ids[]=1&ids[]=2`. */
  readonly separator?: string | undefined;
  /** The largest number of ids in one request; 100 by default. */
  readonly max?: number | undefined;
  /** The path for several records; by default that of the list. */
  readonly path?: string | undefined;
  /** Takes the items out of the reply. By default the reply is an array, or its first member that is one has them. */
  readonly items?: ((answer: Value) => readonly Value[]) | undefined;
  /** The member of an item that has the id of the call; by default the pk of the item is compared. */
  readonly field?: string | undefined;
}

/** Calls that become one request: of one controller and one endpoint, with equal parameters beside the id. */
interface Group {
  readonly host: object;
  readonly endpoint: object;
  readonly text: string;
  readonly calls: {
    readonly id: Value;
    readonly args: Args;
    readonly call: RestEndpointBase;
    readonly resolve: (value: Value) => void;
    readonly reject: (error: unknown) => void;
  }[];
}

/**
 * The option `getMany` of a resource: calls of `get` that are made at the same time become one request to the list.
 *
 * Each call settles on its own. A record that the reply of the list lacks is fetched alone, and so is a call without a
 * controller.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { batch, Controller, Entity, resource } from "@rejoin/data";
 *
 * class Film extends Entity {
 *   id = "";
 *   static key = "Film";
 * }
 * const asked: string[] = [];
 * await using server = Deno.serve({ port: 0, onListen() {} }, ({ url }) => {
 *   asked.push(new URL(url).search);
 *   return Response.json([{ id: "1" }, { id: "2" }]);
 * });
 * const FilmResource = resource({
 *   urlPrefix: `http://localhost:${server.addr.port}`,
 *   path: "/films/:id",
 *   schema: Film,
 *   getMany: batch({ param: "ids" , separator: "," }),
 * });
 * using controller = new Controller();
 * await Promise.all(["1", "2"].map((id) => controller.fetch(FilmResource.get, { id })));
 * assertEquals(asked, ["?ids=1%2C2"]);
 * ```
 *
 * @param options Says which search parameter takes the ids.
 * @returns The option `getMany` of a resource.
 */
export function batch(options: BatchOptions): (list: string) => object {
  const { param, separator, max = 100, items = itemsIn, field } = options;
  return (list) => {
    let open: Group[] = [];

    async function send({ calls, text, host }: Group): Promise<void> {
      const [{ call }] = calls as [Group["calls"][number]], ids = calls.map(({ id }) => id); // it has one at least
      const over = new AbortController(), shared = Object.create(call);
      let left = calls.length;
      for (const { call: { signal } } of calls) signal!.addEventListener("abort", () => --left || over.abort());
      try {
        // The request is made through the first call, without the options that are for this call alone.
        const alone = {
          path: options.path ?? list,
          process: (answer: Value) => answer,
          signal: over.signal,
          flight: { host, call: shared },
        };
        const params = { ...JSON.parse(text), [param]: separator === undefined ? ids : ids.join(separator) };
        const found = calls.length > 1
          ? items(await baseOf(call).call(Object.assign(Object.create(call), alone), params))
          : [];
        for (const { id, args, call, resolve, reject } of calls) {
          const E = entityOf(call.schema),
            settle = async () => {
              const item = found.find((one) =>
                isObject(one) && `${field || !E ? one[field ?? "id"] : E.pk(one, undefined, "", args)}` === `${id}`
              );
              if (item) Object.assign(call, shared); // what a step of the request has put there, such as the lifetime
              return await (item ? call.process(item, ...args) : baseOf(call).call(call, ...args));
            };
          settle().then(resolve, reject);
        }
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
    }
    return {
      fetch(this: RestEndpointBase & { readonly flight?: Flight }, ...args: Args): Promise<Value> {
        const name = pathOf(this.path).names.at(-1)!, { [name]: id, ...others } = args[0], host = this.flight?.host;
        if (!host) return baseOf(this).call(this, ...args);
        const text = argsText(others), endpoint = Object.getPrototypeOf(this);
        let group = open.find((one) =>
          one.host === host && one.endpoint === endpoint && one.text === text && one.calls.length < max
        );
        if (!open.length) {
          queueMicrotask(() => {
            open.forEach(send);
            open = [];
          });
        }
        if (!group) open.push(group = { host, endpoint, text, calls: [] });
        const { calls } = group;
        return new Promise((resolve, reject) => calls.push({ id, args, call: this, resolve, reject }));
      },
    };
  };
}

/** The `fetch` of the endpoint's class, which the `fetch` above hides. */
const baseOf = (call: RestEndpointBase): RestEndpointBase["fetch"] => call.constructor.prototype.fetch;
/** A reply that is an array, or its first member that is one. */
const itemsIn = (answer: Value): readonly Value[] => [answer, ...Object.values(answer ?? {})].find(Array.isArray) ?? [];
