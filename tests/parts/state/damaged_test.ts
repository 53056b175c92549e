/** 17. What has another form than `stateOf` gives is left out aloud; the rest is shown, and asked for again. */
import { assertEquals } from "@std/assert";
import { Controller, Entity, hydrate, Query, resource, schema, type State, stateOf } from "@rejoin/data";

class User extends Entity {
  id = "";
  name = "";
  static override key = "User";
}
const { getList } = resource({ urlPrefix: "https://api.test", path: "/users/:id", schema: User });
const all = new Query(new schema.All(User));

const source = new Controller();
source.setResponse(getList, [{ id: "1", name: "Ann" }, { id: "2", name: "Bob" }]);
const TEXT = JSON.stringify(stateOf(source));

/** A store that began with the state after something was done to it, and what was said. */
// deno-lint-ignore no-explicit-any -- what is done to it has no type
function hydrated(damage: (state: any) => void): { controller: Controller; said: string[] } {
  const state: Partial<State> = JSON.parse(TEXT);
  damage(state);
  const said: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void said.push(text);
  try {
    return { controller: new Controller({ use: [hydrate(state)] }), said };
  } finally {
    console.warn = warn;
  }
}

function saidOf(damage: string): string[] {
  const cure = "The rest is shown, and fetched again";
  return [`Parts of a state are not read, because they do not have the form that stateOf() gives: ${damage}. ${cure}`];
}

Deno.test("17. a record that is none is left out and was not deleted, and the list that names it is stale", () => {
  const { controller, said } = hydrated(({ entities }) => entities.User[2] = "Bob");
  assertEquals(said, saidOf("entities.User.2"));
  const { data, expiresAt } = controller.getResponse(getList);
  assertEquals(data?.map(({ name }) => name), ["Ann"]);
  assertEquals(expiresAt, 0);
  // What holds all of them is not known.
  assertEquals(controller.getResponse(all).data, undefined);
  assertEquals(Object.keys(stateOf(controller).entitiesMeta.User!), ["1"]);
});

Deno.test("17. a table, a list and an entry that are none are left out", () => {
  const list = "[User] https://api.test/users";
  const key = getList.key();
  for (
    const [damage, name] of [
      [(state: { entities: unknown }) => state.entities = [], "entities"],
      [(state: { entities: { User: unknown } }) => state.entities.User = 5, "entities.User"],
      // deno-lint-ignore no-explicit-any -- what is done to it has no type
      [({ entities }: any) => delete entities[list]["{}"].items, `entities.${list}.{}`],
      // deno-lint-ignore no-explicit-any -- what is done to it has no type
      [({ meta }: any) => delete meta[key].expiresAt, `meta.${key}`],
    ] as const
  ) {
    const { controller, said } = hydrated(damage);
    assertEquals(said, saidOf(name));
    assertEquals(controller.getResponse(getList).data?.length ? controller.getResponse(getList).expiresAt : 0, 0);
    controller.setResponse(getList, [{ id: "2", name: "Bob" }]);
    assertEquals(controller.getResponse(getList).data?.map(({ name }) => name), ["Bob"]);
  }
});

Deno.test("17. an answer that is no list is nobody's list", () => {
  const { controller, said } = hydrated(({ endpoints }) => endpoints[getList.key()] = {});
  assertEquals(said, []);
  assertEquals(controller.getResponse(getList).data, undefined);
});
