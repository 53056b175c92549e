/** What a hook says of what it can do nothing with: to who writes without types, or looks for a member that is not there. */
import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import { Controller, Entity, Query, resource, schema, SchemaError } from "@rejoin/data";
import * as hooks from "@rejoin/data/preact";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}
const FilmResource = resource({ urlPrefix: "http://127.0.0.1:1", path: "/films/:id", schema: Film });
const films = new Query(new schema.All(Film));

/** As somebody calls them who has no types. */
// deno-lint-ignore no-explicit-any -- what does not compile is what is tested
type Untyped = any;
const untyped: Untyped = hooks;

const READS: Readonly<Record<string, (given: Untyped) => unknown>> = {
  useSuspense: (given) => untyped.useSuspense(given, { id: "1" }),
  useDLE: (given) => untyped.useDLE(given, { id: "1" }),
  useFetch: (given) => untyped.useFetch(given, { id: "1" }),
  useLive: (given) => untyped.useLive(given, { id: "1" }),
  useSubscription: (given) => untyped.useSubscription(given, { id: "1" }),
  useInfinite: (given) => untyped.useInfinite(given, [{ id: "1" }], { next: () => null }),
  usePrefetch: (given) => untyped.usePrefetch()(given, { id: "1" }),
};
const LOOKS: typeof READS = {
  useCache: (given) => untyped.useCache(given, { id: "1" }),
  useError: (given) => untyped.useError(given, { id: "1" }),
};
const SOURCES: typeof READS = {
  useSelect: (given) => untyped.useSelect(given, [{ id: "1" }], (value: unknown) => value),
  useSignalOf: (given) => untyped.useSignalOf(given, [{ id: "1" }]),
};
const SCHEMAS: typeof READS = { useQuery: (given) => untyped.useQuery(given, { id: "1" }) };
const CHANGES: typeof READS = { useMutation: (given) => untyped.useMutation(given) };
const CALLS: typeof READS = { useCancelling: (given) => untyped.useCancelling(given, { id: "1" }) };

/** What a hook says while a component renders; `undefined`: nothing. */
async function saidOf(run: () => unknown): Promise<string | undefined> {
  let said: string | undefined;
  function Page() {
    try {
      run();
    } catch (thrown) {
      if (thrown instanceof Promise) return null;
      assert(thrown instanceof SchemaError, String(thrown));
      said = thrown.message;
    }
    return null;
  }
  using controller = new Controller();
  await using _ = mount(
    <hooks.DataProvider controller={controller}>
      <Page />
    </hooks.DataProvider>,
  );
  await settled();
  return said;
}

const MISTAKES: readonly [hooks: typeof READS, what: string, given: unknown, said: string][] = [
  [READS, "a mutation", FilmResource.update, "Write useMutation(), or controller.fetch()|Call controller.fetch()"],
  [READS, "a resource", FilmResource, "takes an endpoint, and was given a resource. Write HOOK(Resource.get, …), or"],
  [READS, "an entity", Film, 'given the entity "Film". For what is stored write useQuery(Film, …), for what is to be'],
  [READS, "a Query", films, "For what is stored write useQuery(query, …), for what is to be fetched an endpoint"],
  [READS, "nothing", undefined, "given undefined. Either there is no such member, or two modules import each other"],
  [READS, "a text", "/films/1", "given /films/1. Write an endpoint, such as Resource.get"],
  [READS, "a function", () => {}, "given a function. Write an endpoint, such as Resource.get"],
  [
    LOOKS,
    "a mutation",
    FilmResource.update,
    'given "Film.update", a mutation. Nothing of it is kept: write useMutation(',
  ],
  [LOOKS, "a resource", FilmResource, "Write HOOK(Resource.get, …), or Resource.getList"],
  [LOOKS, "an entity", Film, "For what is stored write useQuery(Film, …)"],
  [SOURCES, "a mutation", FilmResource.delete, "Nothing of it is kept: write useMutation(endpoint)"],
  [SOURCES, "a resource", FilmResource, "Write HOOK(Resource.get, …), or Resource.getList"],
  [SOURCES, "nothing", null, "given null. Either there is no such member"],
  [SCHEMAS, "an endpoint", FilmResource.get, 'given the endpoint "Film.get". Write useCache(endpoint, …)'],
  [SCHEMAS, "a resource", FilmResource, "given a resource. Write its entity: useQuery(Entity, …)"],
  [SCHEMAS, "a mutation", FilmResource.create, "Nothing of it is kept: write useMutation(endpoint)"],
  [CHANGES, "a read", FilmResource.get, '"Film.get" is no mutation'],
  [CHANGES, "a resource", FilmResource, "given a resource. Write Resource.create or Resource.update"],
  [CHANGES, "an entity", Film, "Write an endpoint, such as Resource.update"],
  [CALLS, "a resource", FilmResource, "given a resource. Write HOOK(Resource.get, …)"],
  [CALLS, "nothing", undefined, "given undefined"],
];

for (const [group, what, given, expected] of MISTAKES) {
  for (const [hook, run] of Object.entries(group)) {
    Deno.test(`15.4 ${hook} says what to write in place of ${what}`, async () => {
      const said = await saidOf(() => run(given));
      const texts = expected.replaceAll("HOOK", hook).split("|");
      assert(texts.some((text) => said?.includes(text)), `${said}`);
    });
  }
}

Deno.test("15.4 no hook refuses what it takes", async () => {
  const taken: readonly [typeof READS, readonly unknown[]][] = [
    [READS, [FilmResource.get, FilmResource.getList, FilmResource.get.extend({ schema: [Film] })]],
    [LOOKS, [FilmResource.get, films]],
    [SOURCES, [FilmResource.get, films, Film, new schema.All(Film)]],
    [SCHEMAS, [films, Film, new schema.All(Film)]],
    [CHANGES, [FilmResource.update, FilmResource.getList.push]],
    [CALLS, [FilmResource.get, FilmResource.update]],
  ];
  for (const [group, givens] of taken) {
    for (const [hook, run] of Object.entries(group)) {
      for (const given of givens) assertEquals(await saidOf(() => run(given)), undefined, hook);
    }
  }
});
