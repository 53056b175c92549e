/**
 * The cost of our types for an app: instantiations per resource in one large program. They are counted because, unlike
 * times, they are the same on every machine; the time is printed beside them.
 *
 *     deno run -A bench/types.ts [resources]
 *
 * @module
 */
import { compile } from "../tests/support/compile.ts";

// The signatures of the hooks and of `controller.fetch`.
const READERS = `
import type { AnyEndpoint, AnyReadable, NullableArgs, ReadEndpoint } from "@rejoin/data";
import type { ActiveArgs, FetchedEndpoint, InactiveArgs } from "@rejoin/data/preact";
export declare function useSuspense<E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
  endpoint: FetchedEndpoint<E, G>, ...args: ActiveArgs<E["~types"]["args"], F>
): E["~types"]["data"];
export declare function useSuspense<E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
  endpoint: FetchedEndpoint<E, G>, ...args: InactiveArgs<E["~types"]["args"], F>
): E["~types"]["nullable"];
export declare function useCache<E extends AnyReadable>(
  endpoint: E, ...args: NullableArgs<E["~types"]["args"]>
): E["~types"]["nullable"];
export declare function send<E extends AnyEndpoint>(endpoint: E, ...args: E["~types"]["args"]): Promise<E["~types"]["data"]>;
`;

// The code that an app has for one resource: two entities, three path parameters, search, extend, spread, a query, nine
// uses.
function resource(n: number): string {
  return `
import { createResource, Entity, Query, schema } from "@rejoin/data";
import { send, useCache, useSuspense } from "./readers.ts";
export class Author${n} extends Entity {
  id = ""; name = "";
  pk() { return this.id; }
  static key = "Author${n}";
}
export class Item${n} extends Entity {
  id = ""; title = ""; author = Author${n}.fromJS(); createdAt = new Date(0); tags: string[] = []; votes = 0;
  pk() { return this.id; }
  static key = "Item${n}";
  static schema = { author: Author${n}, createdAt: Date };
}
const base = createResource({
  urlPrefix: "https://api.example.com",
  path: "/tenants/:tenant/groups/:group/items${n}/:id",
  schema: Item${n},
  searchParams: {} as { tag?: string; page?: number },
});
export const Items${n} = {
  ...base,
  getList: base.getList.extend({ schema: { results: [Item${n}], cursor: "" } }),
};
export const byVotes${n} = new Query(
  new schema.All(Item${n}),
  (all, { max = 5 } = {}) => all.toSorted((a, b) => b.votes - a.votes).slice(0, max),
);
const at = { tenant: "a", group: 1, id: "5" };
export async function uses() {
  const item = useSuspense(Items${n}.get, at);
  const list = useSuspense(Items${n}.getList, { tenant: "a", group: 1, tag: "x" });
  const maybe = useCache(Items${n}.get, at);
  const created = await send(Items${n}.create, { tenant: "a", group: 1 }, { title: "x" });
  const updated = await send(Items${n}.update, at, { title: "x" });
  const patched = await send(Items${n}.partialUpdate, at, { votes: 1 });
  await send(Items${n}.delete, at);
  const key = Items${n}.get.key(at);
  const args: [{ max?: number }?] = [{ max: 3 }] satisfies Parameters<typeof byVotes${n}.key>;
  return [item.author.name, list.results[0]?.title, maybe?.title, created.id, updated.id, patched.votes, key, args];
}
`;
}

/**
 * Type-checks a program with many resources.
 *
 * @param count The number of resources, each in its own file.
 * @returns Instantiations and ms of the whole program, its errors, and the instantiations that one more resource adds.
 */
export function measureTypes(count: number) {
  const of = (count: number) => {
    const files = Array.from({ length: count }, (_, n) => [`resource${n}.ts`, resource(n)]);
    return compile({ "readers.ts": READERS, ...Object.fromEntries(files) });
  };
  // The first resource also pays for what all resources need of the library.
  const [first, all] = [of(1), of(count)];
  return { ...all, perResource: Math.round((all.instantiations - first.instantiations) / (count - 1)) };
}

if (import.meta.main) {
  const count = Number(Deno.args[0] ?? 500);
  const { errors, instantiations, perResource, duration } = measureTypes(count);
  for (const error of errors.slice(0, 10)) console.error(error);
  console.log(
    `${count} resources: ${instantiations} instantiations, ${perResource} a resource, ${Math.round(duration)} ms`,
  );
}
