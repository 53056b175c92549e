/**
 * A state in which something was replaced: nobody throws, and what is read is what the sound state gives, or is not
 * there, or is stale, so that it is asked for again.
 */
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  Controller,
  Endpoint,
  Entity,
  hydrate,
  Query,
  resource,
  RestEndpoint,
  schema,
  type State,
  stateOf,
} from "@rejoin/data";
import { check, runs } from "../support/property.ts";

class User extends Entity {
  id = "";
  name = "";
  static override key = "User";
}
class Article extends Entity {
  id = "";
  title = "";
  author: User | undefined = undefined;
  tags: string[] = [];
  at = new Date(0);
  static override key = "Article";
  static schema = { author: User, at: Date };
}
class Draft extends Article {
  static override key = "Draft";
}

const { get, getList } = resource({ urlPrefix: "https://api.test", path: "/articles/:id", schema: Article });
const options = { urlPrefix: "https://api.test" } as const;
const endpoints = {
  plain: new RestEndpoint({ ...options, path: "/plain", schema: [Article] }),
  wrapped: new RestEndpoint({ ...options, path: "/wrapped", schema: { results: [Article], total: 0 } }),
  values: new RestEndpoint({ ...options, path: "/values", schema: new schema.Values(Article) }),
  union: new RestEndpoint({
    ...options,
    path: "/union",
    schema: new schema.Array(new schema.Union({ a: Article, d: Draft }, "type")),
  }),
  all: new RestEndpoint({ ...options, path: "/all", schema: new schema.All(User) }),
  none: new Endpoint(() => Promise.resolve<unknown>(undefined), { name: "none" }),
};
const titles = new Query(new schema.All(Article), (all) => all.map(({ title }) => title));

const article = (id: number) => ({ id: String(id), title: `T${id}`, author: { id: "1", name: "Ann" }, tags: ["a"] });

/** Puts something of everything into a store. */
function fill(controller: Controller): void {
  controller.setResponse(getList, [article(10), article(9), article(2)]);
  controller.setResponse(getList, { tag: "b" }, [article(9)]);
  controller.setResponse(get, { id: "3" }, { ...article(3), at: "2026-11-23T00:00:00Z" });
  controller.setResponse(endpoints.plain, [article(2)]);
  controller.setResponse(endpoints.wrapped, { results: [article(9)], total: 7 });
  controller.setResponse(endpoints.values, { x: article(2) });
  controller.setResponse(endpoints.union, [{ ...article(2), type: "a" }, { ...article(5), type: "d" }]);
  controller.setResponse(endpoints.all, [{ id: "1", name: "Ann" }, { id: "4", name: "Bob" }]);
  controller.setResponse(endpoints.none, { plain: ["value", null, 1] });
  controller.setError(get, { id: "8" }, Object.assign(new Error("gone"), { status: 404 }));
  controller.set(User, { id: "6" }, { id: "6", name: "Cy" });
  controller.invalidate(get, { id: "3" });
}

const source = new Controller();
fill(source);
const SOUND = JSON.stringify(stateOf(source));

/** Reads of all of it: what each gives, and whether it would be asked for. */
function readAll(controller: Controller): Record<string, { data: unknown; isAsked: boolean; error: unknown }> {
  // deno-lint-ignore no-explicit-any -- endpoints of every kind, and what is left of their answers
  const read = (endpoint: any, ...args: any[]) => {
    const { data, expiresAt } = controller.getResponse(endpoint, ...args);
    const error = controller.getError(endpoint, ...args);
    return { data: plain(data), isAsked: data === undefined || !(expiresAt > Date.now()), error };
  };
  return {
    list: read(getList),
    filtered: read(getList, { tag: "b" }),
    detail: read(get, { id: "3" }),
    other: read(get, { id: "2" }),
    failed: read(get, { id: "8" }),
    ...Object.fromEntries(Object.entries(endpoints).map(([name, endpoint]) => [name, read(endpoint)])),
    titles: read(titles),
    user: read(new Query(new schema.All(User), (all) => all.length)),
  };
}

/** Without classes, so that reads of two stores can be compared. */
function plain(data: unknown): unknown {
  return data === undefined ? undefined : JSON.parse(JSON.stringify(data));
}

/** The paths of everything in a state. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))]
    .filter(({ length }) => length > 0);
}

/** The state with something else at a path, and what was there. */
function damaged(path: readonly string[], junk: unknown): { state: Partial<State>; before: unknown } {
  const state = JSON.parse(SOUND);
  let holder = state;
  for (const name of path.slice(0, -1)) holder = holder[name];
  const last = path.at(-1)!;
  const before = holder[last];
  holder[last] = junk;
  return { state, before };
}

/** Data of the app, or another one of the same form: nobody can know that it was not always there. */
function isPlausible([part, ...inside]: readonly string[], before: unknown, junk: unknown): boolean {
  // Of a list it is known that its items are in a container.
  const known = inside[0]?.startsWith("[") ? 3 : 2;
  return part === "endpoints" || inside.at(-1) === "status" || part === "entities" && inside.length > known ||
    formOf(before) === formOf(junk);
}

function formOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

const PATHS = pathsOf(JSON.parse(SOUND));

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, "", "x", "1", [], [[]], {}, { id: "1" }, ["2"], [null]),
  fc.constantFrom<unknown>({ toString: 1 }, { valueOf: 1, toString: null }, JSON.parse('{"__proto__":{"x":1}}')),
  fc.jsonValue({ maxDepth: 2 }),
);

Deno.test("17. a state in which one thing was replaced throws at nobody, and is read as it was or asked for again", async () => {
  const sound = readAll(new Controller({ use: [hydrate(JSON.parse(SOUND))] }));
  const { warn } = console;
  let warnings = 0;
  console.warn = () => void warnings++;
  // deno-lint-ignore require-await -- so that jobs end between cases
  const property = fc.asyncProperty(fc.constantFrom(...PATHS), junk, fc.boolean(), async (path, value, isLate) => {
    const { state, before } = damaged(path, value);
    warnings = 0;
    const controller = new Controller(isLate ? {} : { use: [hydrate(state)] });
    if (isLate) hydrate(controller, state);
    const known = readAll(controller);
    stateOf(controller);
    // What is asked for comes, and all is well.
    fill(controller);
    const filled = readAll(controller);
    if (isPlausible(path, before, value)) return;
    for (const [name, { data, isAsked, error }] of Object.entries(known)) {
      if (name === "titles" && path[0] === "order") {
        // All of them are there, in whatever order.
        assertEquals((data as string[]).toSorted(), (sound.titles!.data as string[]).toSorted());
        continue;
      }
      const isSame = JSON.stringify([data, error]) === JSON.stringify([sound[name]!.data, sound[name]!.error]);
      // No request brings all articles, and what was left out arrives as the last.
      if (name !== "titles" && name !== "all") assertEquals(filled[name]!.data, sound[name]!.data, name);
      assert(isSame || isAsked && warnings > 0, `${name}: ${JSON.stringify({ data, error, warnings })}`);
    }
  });
  try {
    await check(property, { name: "damaged_state", runs: runs(3_000, 300_000) });
  } finally {
    console.warn = warn;
  }
});
